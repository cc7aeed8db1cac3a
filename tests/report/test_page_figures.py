"""The figures of the page to point at: their numbers, and that every way to point leads to them."""

import re
from base64 import urlsafe_b64decode

import numpy as np
import pytest

from musodds.cli.parts.output import percent, signed
from musodds.report.page import page_html
from musodds.report.page_betting import solved_betting
from musodds.report.page_data import FOLDER
from musodds.report.plots.chart import chart_data
from musodds.report.plots.scores import equity_data
from musodds.report.tables.throws import cut_data
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.stakes.equity_kinds import equity_by
from tests.browser import run_in_page
from tests.report.test_page_looks import contrast


@pytest.fixture(scope="module")
def mus():
    return page_html("mus")


OPENED = """
  const part = id => document.getElementById(id);
  const cells = id => [...part(id).querySelectorAll("[role=gridcell]")];
  const named = id => cells(id).map(cell => cell.getAttribute("aria-label"));
  const choose = (id, value) => {
    part(id).value = value;
    part(id).dispatchEvent(new Event("change"));
  };
  for (const id of ["chart", "scores"]) part(`${id}-part`).open = true;
  await until(() => cells("chart").length && cells("scores").length);
"""


def told(names):
    """The numbers of cells by their names, such as ``R R 7 A, 1 mano: +1.16``."""
    pairs = [re.fullmatch(r"(.+): (.+)", name.replace("−", "-")).groups() for name in names]
    assert len(dict(pairs)) == len(pairs)
    return dict(pairs)


@pytest.mark.parametrize(
    ("name", "seat", "seats"),
    [("mus", 1, ("1 mano", "4 postre")), ("mus4", 2, ("2", "4 postre")),
     ("mus-real", 4, ("4 postre", "1 mano"))],
)  # fmt: skip
def test_every_hand_has_the_numbers_of_the_printed_chart(name, seat, seats, tmp_path):
    script = f"""{OPENED}
      const found = {{}};
      for (const shows of ["net", "grande", "chica", "pares", "juego", "punto"]) {{
        choose("chart-shows", shows);
        found[shows] = named("chart");
      }}
      return found;
    """
    found = run_in_page(tmp_path, page_html(name), script, fragment=f"#RR7A/{seat}")
    for shows, names in found.items():
        phase = None if shows == "net" else shows
        data = chart_data(name, seat=seat, phase=phase)
        words = dict(zip(dict.fromkeys(data["seat"]), seats, strict=True))
        wanted = {
            f"{' '.join(hand)}, {words[place]}": percent(value / 100) if phase else signed(value)
            for hand, place, value in data[["hand", "seat", "value"]].itertuples(index=False)
        }
        assert told(names) == wanted


def test_what_mus_gains_is_what_the_table_says(tmp_path, mus):
    script = f"""{OPENED} choose("chart-shows", "mus"); return named("chart");"""
    found = told(run_in_page(tmp_path, mus, script))
    for row in cut_data(get_game("mus")).rows():
        seat = {1: "1 mano", 4: "4 postre"}.get(row["seat"])
        if seat is None:
            continue
        shown = float(found[f"{' '.join(row['hand'])}, {seat}"])
        # Two numbers that the page has in hundredths.
        assert shown == pytest.approx(row["gain"], abs=0.0101)


def test_who_bets_is_what_the_solved_strategy_says(tmp_path, mus):
    script = f"""{OPENED} choose("chart-shows", "bets-pares");
      return [named("chart"), part("chart-note").textContent];"""
    names, note = run_in_page(tmp_path, mus, script, fragment="#RR7A/38-38")
    assert "at 38–38" in note
    points = {
        (point["side"], point["action"]): np.frombuffer(
            urlsafe_b64decode(point["weights"]), dtype=np.uint8
        ).astype(int)
        for point in solved_betting(get_game("mus"))["points"]
        if point["phase"] == "pares" and point["score"] == [38, 38]
    }
    texts = hands(get_game("mus")).texts
    paired = [h for h, text in enumerate(texts) if len(set(text)) < len(text)]
    # Hands without pares are not asked.
    assert told(names) == {
        f"{' '.join(texts[h])}, {who}": percent(
            (points[side, "bet"] + points[side, "ordago"])[h] / 255
        )
        for side, who in enumerate(("mano's side, first to speak", "the other side, after a pass"))
        for h in paired
    }


@pytest.mark.parametrize("seat", [1, 2])
def test_every_score_has_the_chance_of_the_table(seat, tmp_path, mus):
    script = f"""{OPENED} return named("scores");"""
    found = told(run_in_page(tmp_path, mus, script, fragment=f"#RR7A/{seat}"))
    kind = equity_by(get_game("mus")).kind
    data = equity_data("mus", mano="us" if seat == 1 else "them", kind=kind)
    assert found == {
        f"{int(ours)}–{int(theirs)}": percent(chance)
        for ours, theirs, chance in data.itertuples(index=False)
    }


def test_hover_focus_and_tap_name_a_hand_and_a_tap_asks_about_it(tmp_path, mus):
    script = f"""{OPENED}
      const at = (id, name) => cells(id).find(cell =>
        cell.getAttribute("aria-label").startsWith(name));
      const held = () => texts("#slots strong").join("");
      const point = (type, cell) => {{
        const {{ left, top, width, height }} = cell.getBoundingClientRect();
        part(cell.ownerSVGElement.id).dispatchEvent(new MouseEvent(type, {{ bubbles: true,
          clientX: left + width / 2, clientY: top + height / 2 }}));
      }};
      const steps = [[held(), texts("#chart-told")[0], texts("#chart-take")[0]]];
      const note = () => steps.push([held(), texts("#chart-told")[0], texts("#chart-take")[0]]);
      point("pointermove", at("chart", "C S 7 A, 4"));
      note();
      point("click", at("chart", "S 7 7 7, 1"));
      note();
      part("chart-take").click();
      note();
      at("chart", "R R R A, 1").focus();
      note();
      key("ArrowDown"); key("ArrowLeft");
      note();
      key("Enter");
      note();
      key("End");
      note();
      point("click", at("scores", "38–35"));
      steps.push([location.hash, texts("#scores-told")[0], texts("#table-state")[0]]);
      const stops = id => cells(id).filter(cell => cell.getAttribute("tabindex") === "0").length;
      steps.push([stops("chart"), stops("scores"), document.activeElement.getAttribute("role")]);
      return steps;
    """
    net = chart_data("mus").set_index(["hand", "seat"])["value"]

    def pointed(held, hand, seat):
        words = {1: "1 mano", 4: "4 postre"}
        value = signed(net[hand, seat]).replace("-", "−")
        return [held, f"{' '.join(hand)}, {words[seat]}: {value}", f"Ask about {hand}"]

    chance = equity_data("mus", kind=equity_by(get_game("mus")).kind)
    [level] = chance.query("ours == 38 and theirs == 35")["chance"]
    assert run_in_page(tmp_path, mus, script, fragment="#RR7A") == [
        pointed("RR7A", "RR7A", 1),
        pointed("RR7A", "CS7A", 4),
        pointed("S777", "S777", 1),
        pointed("S777", "S777", 1),
        pointed("S777", "RRRA", 1),
        # Down over the diagonal to CC with CC, to the left to RC with CC; the row ends as mano.
        pointed("S777", "RCCC", 4),
        pointed("RCCC", "RCCC", 4),
        pointed("RCCC", "CSAA", 1),
        ["#RCCC/38-35", f"38–35: {percent(level)}", "38–35"],
        [1, 1, "gridcell"],
    ]


def test_the_figures_speak_the_language_and_remember_what_was_chosen(tmp_path, mus):
    script = f"""{OPENED}
      choose("chart-shows", "grande");
      const found = [];
      for (const language of ["en", "es", "eu"]) {{
        choose("language", language);
        found.push([texts("#chart-told")[0], texts("#scores-told")[0],
          part("chart").getAttribute("aria-label"), part("chart-shows").value]);
      }}
      return found;
    """
    assert run_in_page(tmp_path, mus, script, fragment="#RR7A") == [
        ["R R 7 A, 1 mano: 86.0%", "0–0: 50.2%", "our chance of grande", "grande"],
        ["R R 7 A, 1 mano: 86,0\u202f%", "0–0: 50,2\u202f%",
         "probabilidad de ganar grande", "grande"],
        ["R R 7 A, 1 esku: %\u202f86,0", "0–0: %\u202f50,2", "irabazteko aukera: handia", "grande"],
    ]  # fmt: skip


@pytest.mark.parametrize("width", [360, 1280])
def test_larger_cells_have_their_numbers_in_them(width, tmp_path, mus):
    script = f"""{OPENED}
      const before = [part("chart").clientWidth <= part("chart-figure").clientWidth,
        cells("chart")[0].querySelectorAll("text").length];
      part("chart-larger").click();
      part("scores-larger").click();
      const written = (id, name) => cells(id).find(cell =>
        cell.getAttribute("aria-label").startsWith(name)).textContent;
      return [...before, written("chart", "R R 7 A, 1"), written("chart", "7 6 5 4, 1"),
        written("scores", "20–20"), document.documentElement.scrollWidth];
    """
    found = run_in_page(tmp_path, mus, script, fragment="#RR7A", width=width)
    net = chart_data("mus").set_index(["hand", "seat"])["value"]
    chance = equity_data("mus", kind=equity_by(get_game("mus")).kind)
    [level] = chance.query("ours == 20 and theirs == 20")["chance"]
    assert found == [
        True, 0, f"{net['RR7A', 1]:.1f}", f"{net['7654', 1]:.1f}".replace("-", "−"),
        f"{level * 100:.0f}", width,
    ]  # fmt: skip


def test_nothing_is_drawn_until_it_is_opened(tmp_path, mus):
    script = 'return [document.querySelectorAll("[role=gridcell]").length];'
    assert run_in_page(tmp_path, mus, script) == [0]


def test_numbers_are_legible_on_every_colour():
    style = (FOLDER / "page.css").read_text(encoding="utf-8")
    source = (FOLDER / "square.js").read_text(encoding="utf-8")
    limits = {
        end: [float(one) for one in two]
        for end, *two in re.findall(r"(low|high): \[([\d.]+), ([\d.]+)\]", source)
    }
    blocks = [
        dict(re.findall(r"--([\w-]+): (#\w{6})", block))
        for block in re.findall(r":root[^{]*\{([^}]*)\}", style)
    ]
    assert [set(limits), len(blocks)] == [{"low", "high"}, 3]
    for colours in blocks:
        parts = {
            name: np.array([int(colours[name][i : i + 2], 16) for i in (1, 3, 5)])
            for name in ("low", "zero", "high")
        }
        for end, marks in limits.items():
            for share in np.linspace(0, 1, 101):
                mixed = share * parts[end] + (1 - share) * parts["zero"]
                paper = "#" + "".join(f"{round(c):02x}" for c in mixed)
                inks = colours["weak"], "#000000", colours["strong"]
                ink = inks[sum(share > mark for mark in marks)]
                assert contrast(ink, paper) >= 4.5, (end, share)
