"""The page: what it shows, in a real browser, against the exact table and the policies."""

import json
import os
import re
import struct
from base64 import b64encode
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from musodds.betting import bet
from musodds.cli import main
from musodds.cli.output import percent, signed
from musodds.errors import InputError
from musodds.games import PHASES, get_game
from musodds.hands import hands
from musodds.knowledge import know
from musodds.known_odds import known_odds
from musodds.odds import COLUMNS, count_by_group, count_by_partner, table_columns
from musodds.page import GAMES, page_html, page_site
from musodds.page_data import FOLDER, page_data, signal_hands, telling_signals
from musodds.policies import get_policy
from musodds.tables.meetings import signals_data
from musodds.tables.throws import cut_data, discards_data
from tests.browser import REQUIRED, Browser, offline, run_in_page
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
    # A browser refuses more than some hundred new addresses in a row.
    if len(addresses) > 80:
        rest = answers_to(folder, page, addresses[80:])
        return answers_to(folder, page, addresses[:80]) + rest
    script = f"""
      const part = id => document.getElementById(id), found = [];
      for (const address of {json.dumps(addresses)}) {{
        const turned = new Promise(resolve =>
          addEventListener("hashchange", resolve, {{ once: true }}));
        location.hash = address;
        await turned;
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


@pytest.mark.parametrize(("name", "number"), [("mus", 400), ("mus4", 20), ("mus-real", 80)])
def test_questions_of_all_at_once_are_answered_as_the_package_does(name, number, tmp_path):
    game = get_game(name)
    asked = questions(game, number, seed=17)
    found = answers_to(tmp_path, page_html(game), [address for address, *_ in asked])
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
            # A ratio of differences: its last bits, and so 100 % or >99.9 %, may differ.
            points = [float(np.clip(decision.point + bits, 0, 1)) for bits in (-1e-12, 0, 1e-12)]
            said = [f"from {percent(point)} on" in answer["lead"] for point in points]
            assert any(said), address
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
      const named = () => document.activeElement.textContent;
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
      document.querySelector("#slots button").focus();
      key("ArrowRight");
      steps.focus = named();
      document.activeElement.click();
      key("s");
      steps.changed = held();
      key("Escape");
      steps.cleared = held();
      document.querySelector("#cards button").focus();
      key("ArrowDown"); key("ArrowRight");
      steps.card = named();
      document.activeElement.click();
      steps.clicked = held();
      key("c", document.getElementById("sign"));
      key("7", document.getElementById("ours"));
      steps.fields = held();
      document.getElementById("shortcuts").click();
      key("r");
      steps.off = held();
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
    assert steps["focus"] == "C caballo, Card 2"
    assert steps["changed"] == "RS74"
    assert steps["cleared"] == ""
    assert steps["card"] == "5 five"
    assert steps["clicked"] == steps["fields"] == steps["off"] == "5"


def test_taps_replace_a_card_and_begin_a_new_hand(tmp_path, mus):
    script = """
      const held = () => texts("#slots strong").join("");
      const tap = name => document.querySelector(`#cards [data-card="${name}"]`).click();
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
    ("fragment", "address"),
    [
        ("", "#RR7A"), ("#a-7,c%20s", "#CS7A"), ("#3721", "#R7AA"), ("#RR7A/4/31", "#RR7A/4/31"),
        ("#rr7a/1/dos-reyes", "#RR7A/1/dos-reyes"), ("#R432/mus4", "#R432/mus4"),
        ("#RR7A/3/pares:yn-y/juego:--n-/38-35/grande:5/chica:them/see:pares:2+ordago",
         "#RR7A/3/pares:yn-y/juego:--n-/38-35/grande:5/chica:them/see:pares:2+ordago"),
        # What cannot be is left out: no seat 7, no such sign, a score that is over, a later phase.
        ("#RR7A/7/nosign/40-3/juego:5/bet:chica", "#RR7A/bet:chica"),
    ],
)  # fmt: skip
def test_the_address_is_the_question(fragment, address, tmp_path):
    script = 'return [texts("#slots strong").join(""), location.hash];'
    found = run_in_page(tmp_path, page_html(), script, fragment=fragment)
    assert found == [address[1:5], address]


@pytest.mark.parametrize("fragment", ["#RRRRR", "#RR7", "#RRKA", "#%", "#RRRX/4"])
def test_an_address_that_is_no_hand_is_said_to_be_none(fragment, tmp_path, mus):
    script = """return [texts("#slots strong").join(""), texts("#waiting")[0],
      document.getElementById("results").hidden, document.getElementById("waiting").hidden];"""
    held, said, hidden, unsaid = run_in_page(tmp_path, mus, script, fragment=fragment)
    assert (held, hidden, unsaid) == ("", True, False)
    text = fragment[1:].split("/")[0]
    assert said == f"{text} is no hand: a hand is four cards of R C S 7 6 5 4 A, of those there are"


def test_what_was_said_is_chosen_by_hand(tmp_path, mus):
    script = """
      const part = id => document.getElementById(id);
      const choose = (field, value) => {
        field.value = value;
        field.dispatchEvent(new Event("change"));
      };
      part("to-table").click();
      choose(part("sign"), "31");
      choose(part("phase"), "pares");
      choose(part("offer"), "5");
      choose(part("ours"), "32");
      choose(part("theirs"), "99");
      choose(document.querySelector("#earlier [data-phase=grande]"), "them");
      choose(document.querySelector("#declared [data-phase=pares][data-seat='2']"), "n");
      const found = [location.hash, texts("#table-state")[0], document.activeElement.dataset.seat];
      part("forget").click();
      return [...found, location.hash, part("table").hidden];
    """
    found = run_in_page(tmp_path, mus, script, fragment="#RR7A")
    assert found == [
        "#RR7A/1/31/pares:-n--/32-39/grande:them/see:pares:5",
        "pares 5 · 32–39 · said: pares", "2", "#RR7A", False,
    ]  # fmt: skip


def test_what_contradicts_itself_is_said(tmp_path, mus):
    script = """
      await until(() => document.getElementById("counting").hidden);
      return [texts("#problem")[0], texts("#now")[0]];
    """
    said, numbers = run_in_page(tmp_path, mus, script, fragment="#RR7A/pares:n---")
    assert said == "Your own hand says otherwise: look at pares in what was said."
    assert numbers == ""
    (tmp_path / "none").mkdir()
    fragment = "#RRRR/1/cuatro-reyes/pares:--n-"
    said, numbers = run_in_page(tmp_path / "none", mus, script, fragment=fragment)
    assert (said, numbers) == ("No deal fits all that was said.", "")


def test_a_game_is_chosen_in_the_page(tmp_path):
    script = """
      const game = document.getElementById("game"), found = [];
      for (const name of ["mus4", "mus-real", "mus"]) {
        game.value = name;
        game.dispatchEvent(new Event("change"));
        found.push([location.hash, texts("#cards strong").join(""), rows("now")[3][1]]);
      }
      return found;
    """
    found = run_in_page(tmp_path, page_html(), script, fragment="#7773/2")
    assert [hash for hash, *_ in found] == ["#R777/mus4/2", "#R777/mus-real/2", "#R777/2"]
    for name, (_, cards, juego) in zip(("mus4", "mus-real", "mus"), found, strict=True):
        game = get_game(name)
        assert cards == "".join(kind.symbol for kind in game.deck.kinds)
        row = hands(game).index("R777") * 20 + 5 + PHASES.index("juego")
        assert juego == percent(float(table_columns(game)["win"][row]))


def test_languages(tmp_path, mus):
    script = """
      const found = {};
      document.getElementById("to-settings").click();
      document.getElementById("to-table").click();
      for (const details of document.querySelectorAll("details")) details.open = true;
      await until(() => rows("signals").length);
      for (const language of ["en", "es", "eu"]) {
        const chosen = document.getElementById("language");
        chosen.value = language;
        chosen.dispatchEvent(new Event("change"));
        await until(() => document.getElementById("counting").hidden);
        found[language] = {
          lang: document.documentElement.lang, phases: texts("#detail thead th"),
          win: rows("odds")[0][0], net: rows("odds")[5][0], all: document.body.innerText,
          title: document.title, status: texts("#status")[0],
        };
        key("Escape");
        found[language].cleared = texts("#status")[0];
        for (const card of "rr7a") key(card);
      }
      return found;
    """
    found = run_in_page(tmp_path, mus, script, fragment="#RR7A")
    assert found["es"]["phases"] == list(PHASES)
    assert found["eu"]["phases"] == ["handia", "txikia", "pareak", "jokoa", "puntua"]
    assert [found[lang]["win"] for lang in WORDS] == ["86.0%", "86,0\u202f%", "%\u202f86,0"]
    assert [found[lang]["net"] for lang in WORDS] == ["+1.16", "+1,16", "+1,16"]
    assert [found[lang]["title"] for lang in WORDS] == [
        "RR7A, 1 mano: grande 86.0% – musodds mus",
        "RR7A, 1 mano: grande 86,0\u202f% – musodds mus",
        "RR7A, 1 esku: handia %\u202f86,0 – musodds mus",
    ]  # fmt: skip
    for language, seen in found.items():
        assert seen["lang"] == language
        assert seen["status"] == ""  # what was said in another language is gone
        assert seen["cleared"] == WORDS[language]["to_go"][4]
        assert "undefined" not in seen["all"]
        assert not re.search(r"[{}]", seen["all"])


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
        nameless: all("button, input, select").filter(part => !name(part)).length,
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


def test_workers_count_the_same_as_the_page_itself(tmp_path, mus):
    read = """[rows("now"), rows("bets"), texts("#bets-lead")]"""
    script = f"""
      await until(() => document.getElementById("counting").hidden && rows("bets").length);
      return {read};
    """
    file = tmp_path / "mus.html"
    file.write_text(mus, encoding="utf-8")
    # All hands are open in the first, so that it is shared out among the workers.
    for fragment in ("#CS65/2/38-35/see:grande:2", "#RR7A/4/31/38-35/see:pares:2"):
        itself = run_in_page(tmp_path, mus, script, fragment=fragment)
        page = Browser()
        try:
            page.open(file)
            found = page.value(f"""new Promise(resolve => {{
              const texts = (selector, root = document) =>
                [...root.querySelectorAll(selector)].map(part => part.textContent);
              const rows = id => [...document.querySelectorAll(`#${{id}} tbody tr`)]
                .map(row => texts("td", row));
              location.hash = "{fragment}";
              const look = () => document.getElementById("counting").hidden && rows("bets").length
                ? resolve({read}) : setTimeout(look, 20);
              look();
            }})""")
        finally:
            page.close()
        assert found == itself
        assert len(found[0]) == 6


def test_nothing_moves_for_who_wants_less_motion():
    style = (FOLDER / "page.css").read_text(encoding="utf-8")
    [moving] = re.findall(
        r"@media \(prefers-reduced-motion: no-preference\) \{.*?\n\}", style, re.DOTALL
    )
    assert not re.search("animation|transition|scroll-behavior", style.replace(moving, ""))


@pytest.mark.parametrize("kind", ["say", "throw", "see"])
def test_practise_asks_and_keeps_a_tally(kind, tmp_path, mus):
    script = f"""
      const part = id => document.getElementById(id);
      part("to-practise").click();
      part("drill-kind").value = "{kind}";
      part("drill-kind").dispatchEvent(new Event("change"));
      const found = [];
      for (let i = 0; i < 6; i++) {{
        await until(() => document.querySelectorAll("#drill-answers button:enabled").length);
        const question = texts("#drill-question")[0], hand = texts("#drill-hand strong").join("");
        const buttons = [...document.querySelectorAll("#drill-answers button")];
        const choices = buttons.map(button => button.querySelector(".unseen")?.textContent
          ?? button.textContent);
        buttons[i % buttons.length].click();
        found.push({{ question, hand, choices, chosen: choices[i % buttons.length],
          told: texts("#drill-worth .lead")[0], worths: texts("#drill-worth li") }});
        part("drill-next").click();
      }}
      return [found, rows("tally"), part("lookup").hidden, localStorage.getItem("musodds-tally")];
    """
    game = get_game("mus")
    asked, tally, hidden, kept = run_in_page(tmp_path, mus, script)
    assert hidden
    right = 0
    for one in asked:
        seat = int(re.search(r"As (\d)", one["question"])[1])
        worth = dict(shown(line).rsplit(": ", 1) for line in one["worths"])
        assert sorted(worth) == sorted(one["choices"])
        best = one["worths"][0].rsplit(": ", 1)[0]
        right += one["chosen"] == best
        assert one["told"] == "Right." or one["told"].startswith(f"Better: {best}. Yours costs ")
        assert (one["told"] == "Right.") == (one["chosen"] == best)
        if kind == "say":
            [row] = [
                r for r in cut_data(game).rows() if (r["hand"], r["seat"]) == (one["hand"], seat)
            ]
            assert worth == {"mus": signed(row["net_mus"]), "cut": signed(row["net_cut"])}
            assert 0.09 <= abs(row["gain"]) <= 0.91
        elif kind == "throw":
            row = next(
                r for r in discards_data(game, "solo").rows()
                if (r["hand"], r["seat"]) == (one["hand"], seat)
            )  # fmt: skip
            assert best.startswith(f"keep {' '.join(row['keep'].replace('-', '')) or 'nothing'}, ")
            assert worth[best] == signed(row["net"])
            assert 0.03 <= row["margin"] <= 0.51
        else:
            said = re.search(r"at (\d+)–(\d+) .* say (envido )?(\w+) in (\w+);", one["question"])
            decision = bet(
                one["hand"], seat=seat, phase=said[5], score=(int(said[1]), int(said[2])),
                offer=said[4],
            )  # fmt: skip
            assert worth == {c: percent(decision.choice(c).equity) for c in ("fold", "see")}
            assert 0.009 <= abs(decision.choices[0].equity - decision.choices[1].equity) <= 0.121
    place = ["say", "throw", "see"].index(kind)
    assert tally[place][0] == f"{right} / 6"
    assert json.loads(kept)[kind][:2] == [right, 6]
    assert [row for i, row in enumerate(tally) if i != place] == [["0 / 0", "-"]] * 2


def test_solved_rivals_are_shown_where_the_page_holds_them(tmp_path, monkeypatch):
    # Not how anybody bets: rivals who bet with the hands that have duples, and no others.
    game = get_game("mus")
    weights = np.where(hands(game).pares_type == 3, 255, 0).astype(np.uint8)
    point = {"phase": "grande", "score": [38, 35], "side": 1, "action": "bet",
             "weights": b64encode(weights.tobytes()).decode()}  # fmt: skip
    data = {**page_data(game), "betting": {"model": "a test", "points": [point]}}
    page = page_html(game).replace('"betting":null', json.dumps({"betting": data["betting"]})[1:-1])
    script = """
      await until(() => !document.getElementById("solved").hidden, 300);
      return [texts("#solved")[0], document.getElementById("solved").hidden];
    """
    said, hidden = run_in_page(tmp_path, page, script, fragment="#RR7A/1/38-35/see:grande:2")
    known = know(game, next="duples")
    decision = bet("RR7A", seat=1, phase="grande", score=(38, 35), offer=2, knowledge=known)
    assert not hidden
    assert said == (
        f"Against solved rivals (a test) who say this: they have us beaten in "
        f"{percent(1 - decision.win)}; fold {percent(decision.choice('fold').equity)}, "
        f"see {percent(decision.choice('see').equity)}."
    )
    for other in (
        "#RR7A/1/38-36/see:grande:2",
        "#RR7A/1/38-35/see:grande:ordago",
        "#RR7A/1/38-35/bet:grande",
    ):
        folder = tmp_path / other[-9:].replace(":", "").replace("/", "")
        folder.mkdir()
        assert run_in_page(folder, page, script, fragment=other)[1]


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


def test_the_page_is_one_small_file_without_a_network():
    page = page_html()
    assert len(page.encode()) < 4_000_000
    assert page == page_html()
    assert not re.search(r"https?:|[\"'(]//|\bsrc=|@import|url\(", page)
    assert not re.search(r"@(served|style|data|words|script)@", page)


def test_the_words_are_the_same_in_every_language():
    shapes = []
    for language in WORDS.values():
        shapes.append(
            {key: sorted(v) if isinstance(v, dict) else type(v) for key, v in language.items()}
        )
        for name in GAMES:
            assert {s.name for s in telling_signals(get_game(name))} <= set(language["signals"])
        assert set(language["columns"]) == set(COLUMNS)
    assert shapes[0] == shapes[1] == shapes[2]


def test_every_word_is_used():
    source = page_html()
    for key in ENGLISH:
        used = re.search(rf"""["'`.]{key}["'`]|say\("{key}"\)|names\.{key}\b""", source)
        built = re.match(r"(ask|why|kind|say)_(say|throw|see|mixed|mus|cut)$", key)
        assert used or built, key


def test_command(tmp_path, capsys, mus):
    target = tmp_path / "mus.html"
    assert main(["page", "-o", str(target)]) == 0
    assert target.read_text(encoding="utf-8") == page_html()
    assert main(["page", "--game", "mus", "-o", str(target)]) == 0
    assert target.read_text(encoding="utf-8") == mus
    capsys.readouterr()
    assert main(["page", "--game", "mus2p", "-o", str(target)]) == 2
    message = "musodds: error: there is no page for mus2p: there is one for mus, mus4, mus-real\n"
    assert capsys.readouterr().err == message
    assert main(["page", "--dir", str(tmp_path / "site"), "-o", str(target)]) == 2
    assert "give one of them" in capsys.readouterr().err
    assert not (tmp_path / "site").exists()
    assert main(["page", "--dir", str(target)]) == 2
    assert "that is a file" in capsys.readouterr().err


def test_a_site_has_all_that_a_phone_installs(tmp_path):
    files = {path.name: path for path in page_site(tmp_path / "site")}
    manifest = json.loads(files["manifest.webmanifest"].read_text(encoding="utf-8"))
    for icon in manifest["icons"]:
        content = files[icon["src"]].read_bytes()
        if icon["type"] == "image/png":
            assert content.startswith(b"\x89PNG")
            width, height = struct.unpack(">II", content[16:24])
            assert icon["sizes"] == f"{width}x{height}"
    worker = files["worker.js"].read_text(encoding="utf-8")
    kept = json.loads(re.search(r"FILES = (\[.*?\]);", worker)[1])
    assert set(kept) == {"./", *files} - {"worker.js"}
    page = files["index.html"].read_text(encoding="utf-8")
    assert page == page_html(served=True)
    assert '<link rel="manifest" href="manifest.webmanifest">' in page


def test_a_served_page_opens_again_without_a_network(tmp_path):
    page_site(tmp_path / "site", "mus")
    found = offline(tmp_path, tmp_path / "site")
    assert found["first"] == found["again"] == "RR7A"
    assert found["asked_again"] == 0
