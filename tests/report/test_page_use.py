"""The page in use: keys, taps, the address, languages, practise."""

import json
import re

import pytest

from musodds.chances.odds_table import table_columns
from musodds.cli.parts.output import percent, signed
from musodds.report.page import page_html
from musodds.report.page_data import FOLDER
from musodds.report.tables.throws import cut_data, discards_data
from musodds.rules.game import PHASES
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.stakes.bet import bet
from tests.browser import run_in_page

WORDS = json.loads((FOLDER / "words.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def mus():
    return page_html("mus")


def shown(text):
    return text.replace("−", "-")


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
