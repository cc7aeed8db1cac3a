"""The page: what it shows, in a real browser, against the exact table and the policies."""

import json
import sys
from base64 import b64encode
from functools import lru_cache

import numpy as np
import pytest

from musodds.chances.odds import known_odds
from musodds.chances.odds_table import table_columns
from musodds.cli.parts.output import percent, signed
from musodds.errors import InputError
from musodds.exact.phases.columns import COLUMNS
from musodds.knowledge.knowledge import know
from musodds.report import page_betting
from musodds.report.page import GAMES, page_html
from musodds.report.page_data import FOLDER, page_data, signal_hands, telling_signals
from musodds.report.tables.meetings import signals_data
from musodds.report.tables.throws import cut_data, discards_data, stored_keeps
from musodds.rules.game import PHASES
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.solver.betting import solve_betting
from musodds.solver.lines import follow
from musodds.stakes.bet import bet
from tests.browser import Browser, run_in_page

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

    best = stored_keeps(game, "best") is not None
    says = cut_data(game).rows() if best else []
    keeps = discards_data(game).rows() if best else []
    solo = discards_data(game, "solo").rows()
    found = []
    for i, row in enumerate(solo):
        text, cells = row["hand"], []
        if best:
            cells = [says[i]["say"], said(text, keeps[i]["keep"])]
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
            assert look["verdicts"] == (discards[h][seat][:-2] or discards[h][seat][:1])


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
        # Four kings take seconds where nothing is known of the partner.
        if not sign and (not said or len(texts) > 400):
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


@pytest.mark.parametrize(
    ("name", "number", "seed"),
    [*[("mus", 80, seed) for seed in range(5)], ("mus-real", 80, 5), ("mus4", 20, 6)],
)
def test_questions_of_all_at_once_are_answered_as_the_package_does(name, number, seed, tmp_path):
    game = get_game(name)
    asked = questions(game, number, seed)
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
        if decision.point is None:
            continue
        offer, on_table = question["offer"], question["on_table"]
        if offer != "ordago" and np.ptp(decision.situation.seen(offer + on_table)) < 1e-9:
            # The game goes on the same whoever wins the phase: any chance is enough.
            assert "Seeing is right from 0 on." in answer["lead"], address
            continue
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


def test_solved_rivals_are_shown_where_the_page_holds_them(tmp_path, monkeypatch):
    # Not how anybody bets: rivals who bet with the hands that have duples, and no others.
    game = get_game("mus")
    weights = np.where(hands(game).pares_type == 3, 255, 0).astype(np.uint8)
    point = {"phase": "grande", "score": [38, 35], "side": 1, "action": "bet",
             "weights": b64encode(weights.tobytes()).decode()}  # fmt: skip
    far = {**point, "score": [10, 10], "weights": b64encode(weights[::-1].tobytes()).decode()}
    betting = {"model": "a test", "points": [far, point]}
    monkeypatch.setattr(sys.modules[page_data.__module__], "solved_betting", lambda game: betting)
    page_data.cache_clear()
    page = page_html(game)
    page_data.cache_clear()
    script = """
      await until(() => !document.getElementById("solved").hidden, 300);
      return [texts("#solved")[0], document.getElementById("solved").hidden];
    """
    said, hidden = run_in_page(tmp_path, page, script, fragment="#RR7A/1/38-36/see:grande:2")
    known = know(game, next="duples")
    decision = bet("RR7A", seat=1, phase="grande", score=(38, 36), offer=2, knowledge=known)
    assert not hidden
    assert said == (
        "Against rivals whose betting is solved (model a test, this phase alone, at 38–35) and "
        f"who say this: they have us beaten in "
        f"{percent(1 - decision.win)}; fold {percent(decision.choice('fold').equity)}, "
        f"see {percent(decision.choice('see').equity)}."
    )
    for other in (
        "#RR7A/2/38-35/see:grande:2",
        "#RR7A/1/38-35/see:grande:ordago",
        "#RR7A/1/38-35/bet:grande",
    ):
        folder = tmp_path / other[-9:].replace(":", "").replace("/", "")
        folder.mkdir()
        assert run_in_page(folder, page, script, fragment=other)[1]


def test_the_rivals_of_the_page_are_those_of_the_solved_phase(monkeypatch):
    game = get_game("mus")
    found = page_betting.solved_betting(game)
    assert found["gap"] <= page_betting.GAP
    number = len(page_betting.SCORES) * len(PHASES) * len(page_betting.POINTS)
    assert len(found["points"]) == number
    assert page_betting.solved_betting(get_game("mus4")) is None
    # Equilibria differ from one processor to another: made again here, and compared here.
    monkeypatch.setattr(page_betting, "SCORES", ((38, 38),))
    monkeypatch.setattr(page_betting, "PHASES", ("juego",))
    solves = []

    def remembered(*asked, **given):
        solves.append((asked, given, solve_betting(*asked, **given)))
        return solves[-1][-1]

    monkeypatch.setattr("musodds.solver.betting.solve_betting", remembered)
    made = page_betting.solve_page_betting(game)
    assert made.gap.max() <= page_betting.GAP
    [(asked, given, solved)] = solves
    assert asked == ("juego",)
    assert given == {"game": game, "score": (38, 38), "model": "own", "gap": page_betting.GAP}
    for weights, (side, _, said) in zip(made.weights[0, 0], page_betting.POINTS, strict=True):
        reach = solved.reach(follow(solved.tree, f"juego: {said}"), side)
        assert np.abs(weights / 255 - reach).max() < 0.003
