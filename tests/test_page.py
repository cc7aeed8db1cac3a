"""The page: what it shows, in a real browser, against the exact table and the policies."""

import json
import re
from functools import lru_cache

import numpy as np
import pytest

from musodds.betting import bet
from musodds.cli import main
from musodds.cli.output import percent, signed
from musodds.errors import InputError
from musodds.games import PHASES, get_game
from musodds.hands import hands
from musodds.odds import COLUMNS, count_by_group, count_by_partner, table_columns
from musodds.known_odds import known_odds
from musodds.knowledge import know
from musodds.page import GAMES, page_html, page_site
from musodds.page_data import FOLDER, page_data, signal_hands, telling_signals
from musodds.policies import get_policy
from musodds.tables.meetings import signals_data
from musodds.tables.throws import discards_data
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
    now: rows("now").map(row => row[1]),
    discards: [...document.querySelectorAll("#discards tbody tr")].map(row =>
      [...texts(".say", row), ...texts(".unseen", row), ...texts(".worth", row)]),
    verdicts: [...texts("#verdicts .say"), ...texts("#verdicts .unseen")],
  });
"""


def look_up_all(folder, page, all_hands):
    """What the page shows for every hand, typed card by card, in every seat."""
    script = f"""{READ}
      const radios = document.querySelectorAll("#seats input");
      return {json.dumps(all_hands.texts)}.map(text => {{
        for (const card of text) key(card.toLowerCase());
        return [...radios].map(radio => {{ radio.click(); return read(); }});
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


@pytest.mark.parametrize("name", GAMES)
def test_every_hand_and_seat_shows_the_numbers_of_the_exact_table(name, tmp_path):
    game = get_game(name)
    all_hands = hands(game)
    found = look_up_all(tmp_path, page_html(game), all_hands)
    table = table_columns(game)
    shape = len(all_hands), game.seats, len(PHASES)
    column = {name: table[name].reshape(shape) for name in (*COLUMNS, "net")}
    discards = expected_discards(game)

    def chance(value):
        return percent(None if np.isnan(value) else float(value))

    for h, looks in enumerate(found):
        for seat, look in enumerate(looks):
            assert look["hand"].replace(" ", "") == all_hands.texts[h]
            *odds, net = look["odds"]
            assert odds == [[chance(v) for v in column["win"][h, :, p]] for p in range(5)]
            assert [shown(t) for t in net] == [signed(float(v)) for v in column["net"][h, :, 0]]
            assert [shown(t) for t in look["now"]] == [
                *[chance(v) for v in column["win"][h, seat]],
                signed(float(column["net"][h, seat, 0])),
            ]
            assert look["detail"] == [
                [
                    f"{v:.2f}" if name.startswith("stones") else chance(v)
                    for v in column[name][h, seat]
                ]
                for name in COLUMNS
            ]
            assert [[shown(t) for t in row] for row in look["discards"]] == discards[h]
            assert look["verdicts"] == discards[h][seat][:2]


def questions(game, number, seed):
    """Random questions about all at once: text of the address and what the package is asked."""
    rng, all_hands = np.random.default_rng(seed), hands(game)
    texts, stones = all_hands.texts, all_hands.stones
    signs = [signal.name for signal in telling_signals(game)]
    deck = np.repeat(np.arange(len(game.deck.kinds)), game.deck.copies)
    found = []
    while len(found) < number:
        # Of a real deal, so that what is said can be.
        cards = rng.permutation(deck)[:16].reshape(4, 4)
        dealt = [all_hands.index(game.deck.text(sorted(row.tolist()))) for row in cards]
        seat = int(rng.integers(1, 5))
        mate = dealt[(seat + 1) % 4]
        true = [s for s in signs if signal_hands_of(game)[s][mate]]
        sign = str(rng.choice(true)) if true and rng.random() < 0.6 else None
        said = {}
        for phase in ("pares", "juego"):
            if rng.random() < 0.5:
                hidden = rng.random(4) < 0.3
                answers = ["y" if stones[phase][h] else "n" for h in dealt]
                said[phase] = ["-" if hide else a for hide, a in zip(hidden, answers, strict=True)]
        if not said and not sign:
            continue
        phase = str(rng.choice(PHASES))
        score = tuple(rng.integers(20, 40, 2).tolist())
        earlier = [p for p in PHASES[:3] if PHASES.index(p) < PHASES.index(phase)]
        agreed = [f"{p}:{rng.choice(['2', '5', 'us', 'them'])}" for p in earlier]
        agreed = [text for text in agreed if rng.random() < 0.3]
        offer = [None, 2, 5, "ordago"][rng.integers(4)]
        on_table = int(rng.choice([0, 0, 2, 4])) if offer else 0
        bet = f"bet:{phase}" if offer is None else (
            f"see:{phase}:{f'{on_table}+' if on_table else ''}{offer}"
        )  # fmt: skip
        declared = [f"{p}:{''.join(answers)}" for p, answers in said.items()]
        parts = [texts[dealt[seat - 1]], game.name, str(seat), sign, *declared]
        parts += [f"{score[0]}-{score[1]}", *agreed, bet]
        knowledge = know(
            game,
            partner=f"seña:{sign}" if sign else None,
            **{p: ",".join({"y": "yes", "n": "no", "-": "?"}[a] for a in said[p]) for p in said},
        )
        found.append(
            ("#" + "/".join(filter(None, parts)), knowledge,
             {"hand": texts[dealt[seat - 1]], "seat": seat, "phase": phase, "score": score,
              "offer": offer, "on_table": on_table, "agreed": agreed})
        )  # fmt: skip
    return found


@lru_cache(maxsize=4)
def signal_hands_of(game):
    return {signal.name: signal_hands(signal, game) for signal in telling_signals(game)}


def answers_to(folder, page, addresses):
    """What the page counts for each address: chances of phases, net stones, choices."""
    script = f"""
      const part = id => document.getElementById(id), found = [];
      for (const address of {json.dumps(addresses)}) {{
        location.hash = address;
        await until(() => location.hash === address);
        await new Promise(resolve => setTimeout(resolve));
        await until(() => part("counting").hidden);
        found.push({{
          now: rows("now").map(row => row[1]), problem: !part("problem").hidden,
          heads: texts("#bets tbody th"), bets: part("bets").hidden ? null : rows("bets"),
          lead: texts("#bets-lead")[0], address: location.hash,
        }});
      }}
      return found;
    """
    return run_in_page(folder, page, script)


@pytest.mark.parametrize(("name", "number"), [("mus", 380), ("mus4", 40), ("mus-real", 80)])
def test_questions_of_all_at_once_are_answered_as_the_package_does(name, number, tmp_path):
    game = get_game(name)
    asked = questions(game, number, seed=17)
    found = answers_to(tmp_path, page_html(game), [address.replace(f"/{name}", "") for address, *_ in asked])
    bets = 0
    for (address, knowledge, question), answer in zip(asked, found, strict=True):
        hand, seat = question["hand"], question["seat"]
        odds = known_odds(hand, seat=seat, knowledge=knowledge)
        win = {row["phase"]: row["win"] for row in odds.rows()}
        expected = [*[percent(win[phase]) for phase in PHASES], signed(odds.net(seat))]
        assert [shown(text) for text in answer["now"]] == expected, address
        try:
            decision = bet(**question, knowledge=knowledge)
        except InputError:
            assert answer["bets"] is None, address
            continue
        bets += 1
        assert answer["bets"] == [
            [
                "" if choice.equity is None else percent(choice.equity),
                "" if choice.if_seen is None else percent(choice.if_seen),
                "" if choice.if_folded is None else percent(choice.if_folded),
                "" if choice.equity is not None
                else "never" if choice.folds is None else percent(choice.folds),
            ]
            for choice in decision.choices
        ], address  # fmt: skip
        assert f"Ours is the best hand in {percent(decision.win)}." in answer["lead"]
        if decision.point is not None:
            assert f"from {percent(decision.point)} on" in answer["lead"], address
    assert bets > number / 2


@pytest.mark.parametrize(("name", "text"), [("mus", "RR7A"), ("mus", "RCS7"), ("mus4", "R432")])
def test_the_table_of_signs_is_that_of_the_exact_table(name, text, tmp_path):
    script = """
      document.getElementById("signals-part").open = true;
      await until(() => rows("signals").length);
      return [texts("#signals tbody th"), rows("signals")];
    """
    heads, lines = run_in_page(tmp_path, page_html(name), script, fragment=f"#{text}/2")
    game = get_game(name)
    shown_signs = [signal.name for signal in telling_signals(game)]
    rows = {}
    for row in signals_data(game, text, "2").rows():
        if row["signal"] in shown_signs:
            rows.setdefault(row["signal"], []).append(row)
    expected = [
        (f"{ENGLISH['signals'][name]} held {percent(some[0]['chance'])}",
         [*[percent(row["win"]).rstrip("%") for row in some], signed(some[0]["net"])])
        for name, some in rows.items()
    ]  # fmt: skip
    found = [
        (head, [shown(cell.strip("▲▼")) for cell in line])
        for head, line in zip(heads[1:], lines[1:], strict=True)
    ]
    assert sorted(found) == sorted(expected)


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
