"""The page: what it shows, in a real browser, against the exact table and the policies."""

import json
import re

import numpy as np
import pytest

from musodds.chances.odds_table import table_columns
from musodds.cli import main
from musodds.cli.parts.output import percent, signed
from musodds.exact.phases.columns import COLUMNS
from musodds.exact.phases.pairs import count_by_group, count_by_partner
from musodds.report.page import FOLDER, NONE, page_data, page_html, signal_effects
from musodds.report.tables.meetings import signals_data
from musodds.report.tables.throws import discards_data
from musodds.rules.game import PHASES
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.simulation.named_policies import get_policy
from tests.browser import run_in_page
from tests.small_games import FOUR

WORDS = json.loads((FOLDER / "words.json").read_text(encoding="utf-8"))
ENGLISH = WORDS["en"]


@pytest.fixture(scope="module")
def mus():
    return page_html("mus")


def shown(text):
    return text.replace("−", "-")


READ = """
  const read = () => ({
    hand: texts("#plays-title")[0], odds: rows("odds"), detail: rows("detail"),
    discards: [...document.querySelectorAll("#discards tbody tr")].map(row =>
      [...texts(".say", row), ...texts(".unseen", row), ...texts(".worth", row)]),
    signs: texts("#signals tbody th").slice(1), signals: rows("signals").slice(1),
  });
"""


def look_up_all(folder, page, all_hands, seats_of):
    """What the page shows for every hand, typed card by card, in the seats given for it."""
    asked = [[text, list(seats_of(i))] for i, text in enumerate(all_hands.texts)]
    script = f"""{READ}
      const radios = document.querySelectorAll("#seats input");
      return {json.dumps(asked)}.map(([text, seats]) => {{
        for (const card of text) key(card.toLowerCase());
        return seats.map(seat => {{ radios[seat - 1].click(); return read(); }});
      }});
    """
    return run_in_page(folder, page, script)


def expected_discards(game):
    """Rows of the discards section, as hand × seat lists of text."""

    def said(text, keep):
        left, thrown = list(keep.replace("-", "")), []
        for card in text:
            if card in left:
                left.remove(card)
            else:
                thrown.append(card)
        kept = " ".join(keep.replace("-", "")) or "nothing"
        return f"keep {kept}, throw {' '.join(thrown) or 'nothing'}"

    best = get_policy("best", game) if page_data(game)["discards"] else None
    solo = discards_data(game, "solo").rows()
    found = []
    for row in solo:
        text, seat, cells = row["hand"], row["seat"], []
        if best:
            cells = ["mus" if best.says_mus(seat, text) else "cut"]
            cells.append(said(text, best.keep_text(seat, text)))
        found.append([*cells, said(text, row["keep"]), signed(row["net"])])
    return [found[i : i + game.seats] for i in range(0, len(found), game.seats)]


@pytest.mark.parametrize("name", ["mus", "mus4"])
def test_every_hand_shows_the_numbers_of_the_exact_table(name, tmp_path):
    game = get_game(name)
    all_hands = hands(game)
    # Every seat of a small game; in a large one the seats take turns.
    small = len(all_hands) < 400
    found = look_up_all(
        tmp_path,
        page_html(game),
        all_hands,
        lambda i: range(1, game.seats + 1) if small else [i % game.seats + 1],
    )
    table = table_columns(game)
    shape = len(all_hands), game.seats, len(PHASES)
    column = {name: table[name].reshape(shape) for name in (*COLUMNS, "net")}
    discards = expected_discards(game)
    effects = signal_effects(game)
    signs = [ENGLISH["signals"][name] for name in effects.names]

    def chance(value):
        return percent(None if np.isnan(value) else float(value))

    for h, looks in enumerate(found):
        seats = range(game.seats) if small else [h % game.seats]
        for seat, look in zip(seats, looks, strict=True):
            assert look["hand"].replace(" ", "") == all_hands.texts[h]
            *odds, net = look["odds"]
            assert odds == [[chance(v) for v in column["win"][h, :, p]] for p in range(5)]
            assert [shown(t) for t in net] == [signed(float(v)) for v in column["net"][h, :, 0]]
            assert look["detail"] == [
                [
                    f"{v:.2f}" if name.startswith("stones") else chance(v)
                    for v in column[name][h, seat]
                ]
                for name in COLUMNS
            ]
            assert [[shown(t) for t in row] for row in look["discards"]] == discards[h]
            possible = np.flatnonzero(effects.chance[h] != 0)
            assert [re.sub("held .*", "", text) for text in look["signs"]] == [
                signs[s] for s in possible
            ]
            for s, row in zip(possible, look["signals"], strict=True):
                *wins, after = (shown(cell.strip("▲▼")) for cell in row)
                assert wins == [code_text(code) for code in effects.win[h, s, seat]]
                assert after == signed(effects.net[h, s, seat] / 100)


def code_text(code):
    return {1001: "<0.1", 1002: ">99.9", 1000: "100", 0: "0"}.get(int(code), f"{code / 10:.1f}")


@pytest.mark.parametrize(
    ("name", "text", "seat"),
    [("mus", "RR7A", "all"), ("mus", "AAAA", "all"), ("mus", "RCS7", "all"), ("mus4", "R432", "1")],
)
def test_signals_are_those_of_the_exact_table(name, text, seat):
    game = get_game(name)
    effects = signal_effects(game)
    h = hands(game).index(text)
    rows = [row for row in signals_data(game, text, seat).rows() if row["signal"] in effects.names]
    assert {row["signal"] for row in rows} == {
        name for name, code in zip(effects.names, effects.chance[h], strict=True) if code
    }
    for row in rows:
        s, i, p = effects.names.index(row["signal"]), row["seat"] - 1, PHASES.index(row["phase"])
        assert code_text(effects.win[h, s, i, p]) == percent(row["win"]).rstrip("%")
        assert signed(effects.net[h, s, i] / 100) == signed(row["net"])
        assert code_text(effects.chance[h, s]) == percent(row["chance"]).rstrip("%")


def test_a_sign_the_partner_cannot_make_has_no_numbers():
    game = get_game("mus4")
    effects, h = signal_effects(game), hands(game).index("RRRR")
    s = effects.names.index("dos-reyes")
    assert effects.chance[h, s] == 0
    assert (effects.win[h, s] == NONE).all()


def test_counts_by_group_are_sums_over_the_partners_hands():
    group = np.arange(len(hands(FOUR))) % 3
    counts = count_by_group(FOUR, (1, 2), group)
    for me in range(len(group)):
        each = count_by_partner(FOUR, me, (1, 2))
        for g in range(3):
            assert (counts[me, g] == each[group == g].sum(axis=0)).all()


def test_keyboard_alone(tmp_path, mus):
    script = """
      const held = () => texts("#slots strong").join("");
      const steps = {};
      steps.example = held();
      key("3"); key("2"); key("k");
      steps.folded = held();
      steps.told = texts("#status")[0];
      key("Backspace"); key("c"); key("7");
      steps.partial = held();
      steps.hidden = document.getElementById("results").hidden;
      steps.waiting = texts("#waiting")[0];
      key("4");
      steps.sorted = held();
      steps.said = texts("#status")[0];
      steps.hash = location.hash;
      key("ArrowRight"); key("ArrowRight");
      steps.focus = document.activeElement.getAttribute("aria-label");
      key("s");
      steps.changed = held();
      key("Escape");
      steps.cleared = held();
      document.querySelector("#cards button").focus();
      key("ArrowDown"); key("ArrowRight");
      steps.card = document.activeElement.getAttribute("aria-label");
      document.activeElement.click();
      steps.clicked = held();
      key("c", document.getElementById("language"));
      steps.select = held();
      return steps;
    """
    steps = run_in_page(tmp_path, mus, script, fragment="#4a-rr")
    assert steps["example"] == "RR4A"
    assert steps["folded"] == "RA"
    assert steps["told"] == "K is not a card of this game"
    assert steps["partial"] == "RC7"
    assert steps["hidden"]
    assert steps["waiting"] == "One card to go"
    assert steps["sorted"] == "RC74"
    assert steps["said"].startswith("king caballo seven four: no pares, juego of 31 · 3 stones")
    assert steps["hash"] == "#RC74"
    assert steps["focus"] == "Card 2: caballo"
    assert steps["changed"] == "RS74"
    assert steps["cleared"] == ""
    assert steps["card"] == "five"
    assert steps["clicked"] == steps["select"] == "5"


def test_taps_replace_a_card_and_begin_a_new_hand(tmp_path, mus):
    script = """
      const held = () => texts("#slots strong").join("");
      const tap = name => [...document.querySelectorAll("#cards button")]
        .find(button => button.textContent.startsWith(name)).click();
      document.querySelectorAll("#slots button")[3].click();
      tap("7");
      const replaced = held();
      tap("C");
      const begun = held();
      document.getElementById("deal").click();
      return { replaced, begun, dealt: held() };
    """
    found = run_in_page(tmp_path, mus, script, fragment="#RR7A")
    assert (found["replaced"], found["begun"]) == ("RR77", "C")
    assert found["dealt"] in hands(get_game("mus")).texts


@pytest.mark.parametrize(
    ("fragment", "held"),
    [("", "RR7A"), ("#a-7,c%20s", "CS7A"), ("#3721", "R7AA"), ("#%", "RR7A"), ("#RR7", "RR7A"),
     ("#RRKA", "RR7A")],
)  # fmt: skip
def test_the_address_names_the_hand(fragment, held, tmp_path, mus):
    script = 'return [texts("#slots strong").join(""), location.hash];'
    assert run_in_page(tmp_path, mus, script, fragment=fragment) == [held, f"#{held}"]


def test_languages(tmp_path, mus):
    script = """
      const found = {};
      for (const language of ["en", "es", "eu"]) {
        const chosen = document.getElementById("language");
        chosen.value = language;
        chosen.dispatchEvent(new Event("change"));
        found[language] = {
          lang: document.documentElement.lang, phases: texts("#detail thead th"),
          win: rows("odds")[0][0], net: rows("odds")[5][0], all: document.body.innerText,
        };
      }
      return found;
    """
    found = run_in_page(tmp_path, mus, script, fragment="#RR7A")
    assert found["es"]["phases"] == list(PHASES)
    assert found["eu"]["phases"] == ["handia", "txikia", "pareak", "jokoa", "puntua"]
    assert [found[lang]["win"] for lang in WORDS] == ["86.0%", "86,0\u202f%", "%\u202f86,0"]
    assert [found[lang]["net"] for lang in WORDS] == ["+1.16", "+1,16", "+1,16"]
    for language, seen in found.items():
        assert seen["lang"] == language
        assert "undefined" not in seen["all"]
        assert not re.search(r"[{}]", seen["all"])


@pytest.mark.parametrize("width", [320, 346, 360, 1200])
def test_nothing_is_wider_than_the_screen(width, tmp_path, mus):
    script = """
      const widths = {};
      for (const language of ["en", "es", "eu"]) {
        const chosen = document.getElementById("language");
        chosen.value = language;
        chosen.dispatchEvent(new Event("change"));
        for (const hand of ["rr7a", "aaaa", "rrrr", "7654"]) {
          for (const card of hand) key(card);
          const wide = [...document.querySelectorAll("body *:not(.unseen):not(caption)")]
            .filter(part => part.getBoundingClientRect().right > innerWidth + 0.5);
          const tables = [...document.querySelectorAll("table")].filter(table =>
            table.getBoundingClientRect().width > table.closest("section")
              .firstElementChild.getBoundingClientRect().width + 0.5);
          const spilt = [...document.querySelectorAll("td, section, button, #seats span")]
            .filter(part => part.scrollWidth > part.clientWidth + 1 && part.clientWidth);
          widths[language + hand] = [document.documentElement.scrollWidth,
            ...[...wide, ...tables, ...spilt].map(part => part.outerHTML.slice(0, 80))];
        }
      }
      return widths;
    """
    found = run_in_page(tmp_path, mus, script, width=width)
    assert {case: seen for case, seen in found.items() if seen != [width]} == {}


def test_a_screen_reader_finds_names_and_tables(tmp_path, mus):
    script = """
      const name = part => part.getAttribute("aria-label") || part.textContent.trim()
        || part.labels?.[0]?.textContent.trim();
      const all = selector => [...document.querySelectorAll(selector)];
      return {
        nameless: all("button, input, select").filter(part => !name(part)).length,
        groups: all("[role=group]").map(name),
        captions: all("table").map(table => table.caption.textContent),
        unscoped: all("th:not([scope])").length,
        titles: all("section").map(section =>
          document.getElementById(section.getAttribute("aria-labelledby")).textContent),
        small: all("#cards button, .tools button, #seats span").map(part =>
          part.getBoundingClientRect().height).filter(height => height < 44).length,
        live: document.getElementById("status").getAttribute("aria-live"),
        discards: texts("#discards .unseen"),
      };
    """
    found = run_in_page(tmp_path, mus, script, width=360)
    assert found["nameless"] == found["unscoped"] == found["small"] == 0
    assert found["groups"] == ["Your hand", "Cards"]
    assert len(found["captions"]) == 4
    assert all(found["captions"])
    assert all(found["titles"])
    assert found["live"] == "polite"
    assert found["discards"][0] == "keep R R A, throw 7"


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


@pytest.mark.parametrize("name", ["mus", "mus4"])
def test_the_page_is_one_small_file_without_a_network(name):
    page = page_html(name)
    assert len(page.encode()) < 3_000_000
    assert page == page_html(name)
    assert not re.search(r"https?:|//[a-z]|\bsrc=|@import|url\(", re.sub(r"// .*", "", page))
    assert not re.search(r"@(game|style|data|words|script)@", page)


def test_the_words_are_the_same_in_every_language():
    shapes = []
    for language in WORDS.values():
        shapes.append(
            {key: sorted(v) if isinstance(v, dict) else type(v) for key, v in language.items()}
        )
        for name in ("mus", "mus4"):
            assert set(signal_effects(get_game(name)).names) <= set(language["signals"])
        assert set(language["columns"]) == set(COLUMNS)
    assert shapes[0] == shapes[1] == shapes[2]


def test_command(tmp_path, capsys, mus):
    target = tmp_path / "mus.html"
    assert main(["page", "-o", str(target)]) == 0
    assert target.read_text(encoding="utf-8") == mus
    assert main(["page", "--game", "mus2p", "-o", str(target)]) == 2
    message = "musodds: error: there is no page for mus2p: there is one for mus, mus4\n"
    assert capsys.readouterr().err == message
