"""How the page looks, and to whom: sizes, screen readers, axe, colours, motion."""

import os
import re
from pathlib import Path

import numpy as np
import pytest

from musodds.cli import main
from musodds.report.page import page_html
from musodds.report.page_data import FOLDER
from tests.browser import REQUIRED, run_in_page


@pytest.fixture(scope="module")
def mus():
    return page_html("mus")


FIRST_SCREENS = ["#RR7A", "#RR7A/4/31/38-35/see:pares:2", "#R432/mus4/2/31/see:grande:ordago"]


@pytest.mark.parametrize("fragment", FIRST_SCREENS)
def test_the_first_screen_of_a_phone_holds_the_whole_answer(fragment, tmp_path):
    script = """
      const found = {};
      for (const language of ["en", "es", "eu"]) {
        const chosen = document.getElementById("language");
        chosen.value = language;
        chosen.dispatchEvent(new Event("change"));
        await until(() => document.getElementById("counting").hidden);
        found[language] = ["slots", "cards", "seats", "verdicts", "now"].map(id =>
          Math.ceil(document.getElementById(id).getBoundingClientRect().bottom));
      }
      return found;
    """
    found = run_in_page(tmp_path, page_html(), script, fragment=fragment, width=360)
    assert max(max(bottoms) for bottoms in found.values()) <= 740, found


@pytest.mark.parametrize("width", [320, 360, 800, 1280])
def test_no_text_is_small_and_every_target_is_large(width, tmp_path):
    script = """
      for (const id of ["to-settings", "to-table"]) document.getElementById(id).click();
      for (const details of document.querySelectorAll("details")) details.open = true;
      await until(() => rows("signals").length);
      const seen = part => part.getClientRects().length && !part.closest(".unseen");
      const small = [...document.querySelectorAll("body *")].filter(part => seen(part)
        && [...part.childNodes].some(node => node.nodeType === 3 && node.data.trim())
        && parseFloat(getComputedStyle(part).fontSize) < 12);
      const targets = "button, select, input[type=number], summary, #seats span, .check";
      const least = innerWidth < 360 ? 24 : 44;
      const tight = [...document.querySelectorAll(targets)].filter(seen).filter(part => {
        const box = part.getBoundingClientRect();
        return box.height < 43.9 || box.width < least - 0.1;
      });
      const outer = part => part.outerHTML.slice(0, 90);
      const text = [small.map(outer), tight.map(outer)];
      document.getElementById("to-practise").click();
      await until(() => document.querySelectorAll("#drill-answers button").length);
      text.push([...document.querySelectorAll(targets)].filter(seen).filter(part =>
        part.getBoundingClientRect().height < 43.9).map(outer));
      return text;
    """
    fragment = "#RR7A/4/31/38-35/see:pares:2"
    assert run_in_page(tmp_path, page_html(), script, fragment=fragment, width=width) == [
        [],
        [],
        [],
    ]


@pytest.mark.parametrize("width", [320, 346, 360, 640, 800, 1200])
def test_nothing_is_wider_than_the_screen(width, tmp_path, mus):
    script = """
      const widths = {};
      for (const details of document.querySelectorAll("details")) details.open = true;
      for (const id of ["to-settings", "to-table"]) document.getElementById(id).click();
      for (const language of ["en", "es", "eu"]) {
        const chosen = document.getElementById("language");
        chosen.value = language;
        chosen.dispatchEvent(new Event("change"));
        for (const hand of ["rr7a", "aaaa", "rrrr", "7654"]) {
          for (const card of hand) key(card);
          await until(() => document.getElementById("counting").hidden);
          const inside = part =>
            !part.closest(".unseen, caption, .wide > table, #plays-title, #slots");
          const wide = [...document.querySelectorAll("body *")].filter(inside)
            .filter(part => part.getBoundingClientRect().right > innerWidth + 0.5);
          const tables = [...document.querySelectorAll("section table")].filter(table =>
            table.getBoundingClientRect().right
              > table.closest("section").getBoundingClientRect().right + 0.5);
          const spilt = [...document.querySelectorAll("td, section, button, #seats span")]
            .filter(inside)
            .filter(part => part.scrollWidth > part.clientWidth + 1 && part.clientWidth);
          widths[language + hand] = [document.documentElement.scrollWidth,
            ...[...wide, ...tables, ...spilt].map(part => part.outerHTML.slice(0, 80))];
        }
      }
      return widths;
    """
    fragment = "#RR7A/4/31/38-35/see:pares:2"
    found = run_in_page(tmp_path, mus, script, fragment=fragment, width=width)
    assert {case: seen for case, seen in found.items() if seen != [width]} == {}


def test_a_screen_reader_finds_names_and_tables(tmp_path, mus):
    script = """
      const name = part => part.getAttribute("aria-label") || part.textContent.trim()
        || part.labels?.[0]?.textContent.trim();
      const all = selector => [...document.querySelectorAll(selector)];
      return {
        // A figure that is shut has nothing to ask about yet.
        nameless: all("button, input, select").filter(
          part => !part.closest("details:not([open])") && !name(part)).length,
        groups: all("[role=group]").map(name),
        captions: all("#lookup table").map(table => table.caption?.textContent),
        unscoped: all("th:not([scope])").length,
        titles: all("section").map(section =>
          document.getElementById(section.getAttribute("aria-labelledby")).textContent),
        live: document.getElementById("status").getAttribute("aria-live"),
        discards: texts("#discards .unseen"),
        order: all("main h2").map(head => head.id),
      };
    """
    found = run_in_page(tmp_path, mus, script, width=360, fragment="#RR7A/bet:grande")
    assert found["nameless"] == found["unscoped"] == 0
    assert found["groups"] == ["Your hand", "Cards"]
    assert all(found["titles"])
    assert found["live"] == "polite"
    assert found["discards"][0] == "keep R R A, throw 7"
    # Read in the order of the table: the hand, what was said, the answer.
    assert found["order"][:4] == ["hand-title", "table-title", "plays-title", "bets-title"]


def axe_script():
    """The text of axe-core, which MUSODDS_AXE names; skipped without, or failed."""
    where = os.environ.get("MUSODDS_AXE")
    if not where:
        why = "MUSODDS_AXE does not name axe.min.js (npm pack axe-core)"
        if os.environ.get(REQUIRED):
            pytest.fail(why)
        pytest.skip(why)
    return Path(where).read_text(encoding="utf-8").replace("</script", "<\\/script")


AXE = """
  const found = [];
  const check = async where => {
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    found.push(...violations.map(({ id, nodes }) => [where, id, nodes.map(node =>
      [node.html.slice(0, 120), node.failureSummary.slice(0, 200)])]));
  };
"""


@pytest.mark.parametrize("scheme", [0, 1])
@pytest.mark.parametrize("width", [360, 800, 1280])
def test_axe_finds_nothing(width, scheme, tmp_path):
    page = page_html().replace("<head>", f"<head><script>{axe_script()}</script>")
    script = f"""{AXE}
      document.getElementById("to-settings").click();
      document.getElementById("to-table").click();
      for (const details of document.querySelectorAll("details")) details.open = true;
      await until(() => rows("signals").length);
      for (const language of ["en", "es", "eu"]) {{
        const chosen = document.getElementById("language");
        chosen.value = language;
        chosen.dispatchEvent(new Event("change"));
        await until(() => document.getElementById("counting").hidden);
        await check(`${{language}}, look up`);
        document.getElementById("to-practise").click();
        await until(() => document.querySelectorAll("#drill-answers button").length);
        document.querySelector("#drill-answers button").click();
        await check(`${{language}}, practise`);
        document.getElementById("to-practise").click();
      }}
      key("Escape");
      await check("no hand");
      return found;
    """
    found = run_in_page(
        tmp_path, page, script, fragment="#RR7A/4/31/38-35/see:pares:2", width=width,
        options=(f"--blink-settings=preferredColorScheme={scheme}",),
    )  # fmt: skip
    assert found == []


@pytest.mark.parametrize("scheme", [0, 1])
def test_axe_finds_nothing_in_a_table(scheme, tmp_path):
    table = tmp_path / "odds.html"
    assert main(["table", "hands", "-o", str(table)]) == 0
    page = table.read_text(encoding="utf-8").replace(
        "<head>", f"<head><script>{axe_script()}</script>"
    )
    script = f"""{AXE}
      await check("as it opens");
      document.querySelectorAll("thead button")[1].click();
      document.querySelector("details").open = true;
      await check("sorted");
      return [found, texts("#count")[0], document.documentElement.scrollWidth,
        [...document.querySelectorAll("button, input, select, summary")]
          .filter(part => part.getClientRects().length
            && part.getBoundingClientRect().height < 44).length];
    """
    found = run_in_page(
        tmp_path, page, script, width=360,
        options=(f"--blink-settings=preferredColorScheme={scheme}",),
    )  # fmt: skip
    assert found == [
        [], "330 of 330 rows, the first 300 shown, sorted by pares, ascending", 360, 0,
    ]  # fmt: skip


def test_nothing_moves_for_who_wants_less_motion():
    style = (FOLDER / "page.css").read_text(encoding="utf-8")
    [moving] = re.findall(
        r"@media \(prefers-reduced-motion: no-preference\) \{.*?\n\}", style, re.DOTALL
    )
    assert not re.search("animation|transition|scroll-behavior", style.replace(moving, ""))


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_in_light_and_dark():
    style = (FOLDER / "page.css").read_text(encoding="utf-8")
    blocks = re.findall(r"(:root[^{]*)\{([^}]*)\}", style)
    light, *dark = [dict(re.findall(r"--([\w-]+): (#\w{6})", block)) for _, block in blocks]
    assert len(dark) == 2
    assert dark[0] == dark[1]
    for colours in (light, {**light, **dark[0]}):
        for ink, paper in [
            *[(ink, paper) for ink in ("ink", "soft", "accent") for paper in ("paper", "sheet")],
            *[(ink, "chosen") for ink in ("ink", "soft", "accent", "up", "down")],
            ("up", "sheet"), ("down", "sheet"), ("card-ink", "card"), ("sheet", "accent"),
            ("felt-ink", "felt"), ("felt-ink", "felt-edge"),
        ]:  # fmt: skip
            assert contrast(colours[ink], colours[paper]) >= 4.5, (ink, paper)
        assert contrast(colours["accent"], colours["bar"]) >= 3


def test_dark_follows_the_system_and_the_button(tmp_path, mus):
    script = """
      const paper = () => getComputedStyle(document.body).backgroundColor;
      const before = [paper(), document.getElementById("theme").getAttribute("aria-pressed")];
      document.getElementById("theme").click();
      return [before, [paper(), document.getElementById("theme").getAttribute("aria-pressed")]];
    """
    light, dark = ["rgb(246, 242, 232)", "false"], ["rgb(16, 21, 19)", "true"]
    scheme = "--blink-settings=preferredColorScheme="
    assert run_in_page(tmp_path, mus, script, options=(f"{scheme}1",)) == [light, dark]
    (tmp_path / "dark").mkdir()
    assert run_in_page(tmp_path / "dark", mus, script, options=(f"{scheme}0",)) == [dark, light]
