"""Figures: what is drawn is what the tables say, labelled, and the same every time."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

import musodds as mo
from musodds.cli import main
from musodds.cli.plot import NAMES
from musodds.errors import InputError
from musodds.report.plots import FIGURES, figure, figure_data, save, to_bytes
from musodds.report.plots.chart import plot_chart
from musodds.report.plots.convergence import plot_convergence
from musodds.report.plots.discards import plot_discards
from musodds.report.plots.interactive import interactive
from musodds.report.plots.kinds import plot_kinds
from musodds.report.plots.prices import ALL, plot_prices
from musodds.report.plots.scores import plot_equity
from musodds.report.plots.seats import plot_seats
from musodds.report.plots.signals import plot_signals
from musodds.report.plots.stones import plot_stones
from musodds.report.plots.strategy import plot_strategy
from musodds.report.plots.strength import plot_strength
from musodds.report.plots.style import THEMES, changes, drawn_in, minus
from musodds.rules.game import PHASES
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.stakes.equity_kinds import equity

PLOTS = {
    "strength": lambda ax: plot_strength(ax=ax),
    "chart": lambda ax: plot_chart(phase="pares", ax=ax),
    "seats": lambda ax: plot_seats(ax=ax),
    "discards": lambda ax: plot_discards(policy="solo", ax=ax),
    "signals": lambda ax: plot_signals("RRAA", ax=ax),
    "stones": lambda ax: plot_stones(ax=ax),
    "strategy": lambda ax: plot_strategy("mus2p", score="38-38", ax=ax),
    "equity": lambda ax: plot_equity(ax=ax),
    "kinds": lambda ax: plot_kinds(ax=ax),
    "prices": lambda ax: plot_prices(phase="grande", ax=ax),
    "convergence": lambda ax: plot_convergence(n=1 << 12, ax=ax),
}


SMALL = {
    "prices": ({"phase": "grande"}, ["--phase", "grande"]),
    "convergence": ({"n": 1 << 10}, ["-n", "1024"]),
    "strategy": (
        {"game": "mus2p", "score": "38-38"}, ["--game", "mus2p", "--score", "38-38"],
    ),
}  # fmt: skip
"""What keeps a figure small that would be large by default."""


def axes():
    return Figure().add_subplot()


@pytest.mark.parametrize("name", PLOTS)
def test_draws_on_the_axes_given_and_labels_them(name):
    ax = axes()
    assert PLOTS[name](ax) is ax
    assert ax.get_title(loc="left") or ax.get_title()
    assert ax.get_ylabel() or [text.get_text() for text in ax.get_yticklabels()]
    assert ax.get_xlabel() or name == "seats"  # its bars are named by their phases


def test_every_figure_has_a_function_and_a_name_in_the_command():
    assert set(PLOTS) == set(FIGURES) == set(NAMES)


@pytest.mark.parametrize(
    ("name", "rows", "told"),
    [("prices", "price", {"sign", "meaning", "chance", "phase", "price"}),
     ("kinds", "change", {"ours", "theirs", "paso", "solved", "change"})],
)  # fmt: skip
def test_solved_figures_are_to_point_at_too(name, rows, told, tmp_path):
    options, more = SMALL.get(name, ({}, []))
    file = tmp_path / "figure.html"
    assert main(["plot", name, "-o", str(file), *more]) == 0
    assert "vega" in file.read_text(encoding="utf-8")
    chart = interactive(name, **options).to_dict()
    [drawn] = chart["datasets"].values()
    table = figure_data(name, **options)
    columns = [column for column in table if column in PHASES] or [rows]
    assert sorted(row[rows] for row in drawn) == sorted(table[columns].stack().dropna())
    assert {one["field"] for one in chart["encoding"]["tooltip"]} == told


@pytest.mark.parametrize("name", FIGURES)
def test_the_numbers_of_a_figure_are_a_table(name, tmp_path):
    options, more = SMALL.get(name, ({}, []))
    table = figure_data(name, **options)
    assert len(table) > 2
    file = tmp_path / "numbers.csv"
    assert main(["plot", name, "-o", str(file), *more]) == 0
    assert file.read_text() == table.to_csv(index=False)


def test_strength_shows_every_hand_in_every_phase():
    data = figure_data("strength")
    frame = mo.odds_table().set_index(["phase", "hand", "seat"])["win"]
    assert len(data) == 330 * len(PHASES)
    for seat in (1, 4):
        wanted = [frame[phase, hand, seat] for phase, hand in data[["phase", "hand"]].to_numpy()]
        assert np.allclose(data[f"win_{seat}"], wanted)
    levels = hands(get_game("mus")).level
    for phase, rows in data.groupby("phase"):
        order = [levels[phase][hands(get_game("mus")).index(hand)] for hand in rows["hand"]]
        assert order == sorted(order)
        assert rows["dealt"].sum() == pytest.approx(1)


def test_strength_marks_a_hand_where_it_stands():
    ax = plot_strength(hand="a7rr", ax=axes())
    words = [text.get_text() for strip in ax.child_axes for text in strip.texts]
    odds = mo.odds("RR7A")
    wins = [[float(odds.fraction(seat, phase, "win")) for seat in range(1, 5)] for phase in PHASES]
    for of_seats, shown in zip(wins, words, strict=True):
        assert shown == f"{100 * max(of_seats):.0f} to {100 * min(of_seats):.0f}"


def test_chart_shows_every_hand_once_in_each_seat():
    ax = plot_chart(seat="postre", other=2, ax=axes())
    frame = mo.odds_table().query("phase == 'grande'").set_index(["seat", "hand"])["net"]
    image = np.ma.filled(ax.images[0].get_array(), np.nan)
    pairs = [text.get_text() for text in ax.get_yticklabels()]
    shown = {}
    for (row, column), value in np.ndenumerate(image):
        if not np.isnan(value):
            seat, high, low = (4, row, column - 1) if column > row else (2, column, row - 1)
            shown[seat, pairs[high] + pairs[low]] = value
    assert set(shown) == {(seat, hand) for seat in (2, 4) for hand in frame[1].index}
    assert all(np.isclose(value, frame[key]) for key, value in shown.items())


def test_the_chart_is_of_two_seats():
    assert set(figure_data("chart", seat="postre")["seat"]) == {4, 1}
    assert set(figure_data("chart", seat=2)["seat"]) == {2, 4}
    with pytest.raises(InputError, match="other 1: it is the seat itself"):
        figure_data("chart", seat="mano", other=1)


@pytest.mark.parametrize("theme", THEMES)
def test_what_has_a_sign_is_colourless_at_zero(theme):
    with drawn_in(theme):
        middle = changes()(0.5)
    assert max(middle[:3]) - min(middle[:3]) < 0.06
    low, high = (np.dot(to_rgb(end), (0.2126, 0.7152, 0.0722)) for end in THEMES[theme].ends)
    assert abs(low - high) < 0.2  # neither sign looks stronger than the other


def test_seats_are_averages_over_all_hands():
    data = figure_data("seats").query("phase != 'all'")
    frame = mo.odds_table()
    ways = hands(get_game("mus")).ways
    best = frame["best"].to_numpy().reshape(330, 4, 5)
    assert np.allclose(
        data["best"].to_numpy().reshape(4, 5), np.average(best, axis=0, weights=ways)
    )
    # Somebody takes grande: the four chances sum to one.
    assert data.query("phase == 'grande'")["best"].sum() == pytest.approx(1)


def test_seats_with_a_hand_are_its_odds():
    ax = plot_seats(column="net", hand="RR7A", ax=axes())
    last = np.asarray(ax.collections[-1].get_offsets())
    totals = mo.odds("RR7A")
    assert last[:, 1] == pytest.approx([totals.net(seat) for seat in (1, 2, 3, 4)])


@pytest.mark.parametrize("column", ["best", "win", "net"])
@pytest.mark.parametrize("hand", ["7654", "RR7A", "RRRA"])
def test_no_number_of_a_seat_stands_on_another(column, hand):
    ax = plot_seats(column=column, hand=hand, ax=Figure(figsize=(4.5, 4.9)).subplots())
    ax.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts]
    assert boxes
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))


def test_discards_draw_every_deal_once():
    data = figure_data("discards")
    assert data["dealt"].sum() == pytest.approx(1)
    ax = plot_discards(ax=axes())
    shares = [
        text.get_text().splitlines()[-1] for text in ax.texts if "hands dealt" in text.get_text()
    ]
    gains = data.loc[data["after"] > data["before"], "dealt"].sum()
    assert shares == [f"{gains:.0%} of hands dealt", f"{1 - gains:.0%} of hands dealt"]


def test_signals_come_from_the_best_news_to_the_worst():
    data = figure_data("signals", hand="RR7A", system="federation")
    assert data["net"].is_monotonic_decreasing
    row = data.set_index("signal").loc["31"]
    known = mo.odds("RR7A", seat=1, knowledge=mo.know(partner="seña:federation:31"))
    assert row["net"] == pytest.approx(known.net(1) - mo.odds("RR7A", seat=1).net(1))
    assert row["meaning"] == "juego of 31"


def test_stones_are_all_deals():
    data = figure_data("stones")
    assert data["mano"].sum() == pytest.approx(1)
    assert data["other"].sum() == pytest.approx(1)
    frame = mo.odds_table().query("seat == 1")
    weight = np.repeat(hands(get_game("mus")).ways / 91_390, 5)
    assert data["stones"] @ data["mano"] == pytest.approx(
        float((frame["stones_for"] * weight).sum())
    )


def test_convergence_is_the_simulation_beside_the_exact_value():
    ax = plot_convergence("RR7A", n=1 << 14, seed=3, ax=axes())
    line = ax.containers[0].lines[0]
    sizes = line.get_xdata()
    assert sizes.tolist() == [256 << i for i in range(7)]
    found = mo.simulate(n=1 << 14, seed=3, rounds=0, hand="RR7A", seat=1)
    exact = float(mo.odds("RR7A", seat=1).fraction(1, "grande", "win"))
    last = found.estimate(1, "grande", "win")
    assert line.get_ydata()[-1] == pytest.approx(100 * (last.value - exact))
    assert abs(last.value - exact) < 4 * last.se


def test_equity_shows_every_score():
    image = np.asarray(plot_equity(mano="them", ax=axes()).images[0].get_array())
    assert image.shape == (40, 40)
    assert image[32, 35] == pytest.approx(100 * equity("mus").chance(32, 35, "them"))


def test_betting_well_is_beside_en_paso():
    data = figure_data("kinds", game="mus2p", mano="them").set_index(["ours", "theirs"])
    assert len(data) == 1600
    for kind in ("paso", "solved"):
        chance = mo.equity("28-33", game="mus2p", mano="them", kind=kind)
        assert data.loc[(28, 33), kind] == pytest.approx(chance)
    assert np.allclose(data["solved"] - data["paso"], data["change"])
    image = np.asarray(plot_kinds("mus2p", mano="them", ax=axes()).images[0].get_array())
    assert image[28, 33] == pytest.approx(100 * data.loc[(28, 33), "change"])


def test_games_without_solved_equity_have_no_beside(tmp_path, capsys):
    assert main(["plot", "kinds", "--game", "mus4", "-o", str(tmp_path / "x.png")]) == 2
    assert "no solved equity" in capsys.readouterr().err


def test_prices_come_from_the_dearest_and_end_with_all():
    data = figure_data("prices", phase="grande")
    assert data["grande"][:-1].is_monotonic_decreasing
    last = data.iloc[-1]
    assert last["sign"] == ALL
    assert last["grande"] == pytest.approx(data["chance"][:-1] @ data["grande"][:-1])
    assert data["chance"][:-1].sum() == pytest.approx(1)


@pytest.mark.parametrize("theme", THEMES)
def test_seats_can_be_told_apart_in_grey(theme):
    seats = THEMES[theme].seats[:4]
    grey = [np.dot(to_rgb(shade), (0.2126, 0.7152, 0.0722)) for shade in seats]
    assert min(np.abs(np.diff(grey))) > 0.1


def test_the_text_of_an_svg_is_text():
    drawn, _ = figure("stones", theme="dark")
    content = to_bytes(drawn, "svg").decode()
    assert "stones that a side scores in a deal</text>" in content
    assert THEMES["dark"].paper in content


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_the_same_figure_has_the_same_bytes(suffix):
    one, other = (to_bytes(figure("seats", "mus")[0], suffix) for _ in range(2))
    assert one == other
    assert len(one) > 5_000


def test_minus_signs():
    assert [minus(text) for text in ("-0.5", "+0.0", "-0", "+12")] == ["−0.5", "0.0", "0", "+12"]


def test_save_writes_what_the_name_says(tmp_path):
    drawn, head = figure("stones", "mus")
    assert head == {"game": "mus", "method": "exact"}
    for suffix, start in ((".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")):
        save(drawn, str(tmp_path / f"stones{suffix}"))
        assert (tmp_path / f"stones{suffix}").read_bytes().startswith(start)
    with pytest.raises(InputError, match=r"\.png, \.svg or \.pdf"):
        save(drawn, str(tmp_path / "stones.gif"))


def test_simulated_figures_say_how():
    _, head = figure("convergence", "mus", n=1024, seed=9)
    assert head == {"game": "mus", "method": "monte-carlo", "n": 1024, "seed": 9}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chart", "-o", "x.gif"], "ends in .png, .svg or .pdf"),
        (["nothing", "-o", "x.png"], "no figure 'nothing'"),
        (["stones", "--hand", "RRRR", "-o", "x.png"], "figure stones has no hand"),
        (["equity", "--mano", "me", "-o", "x.png"], "'me'"),
        (["signals", "--system", "mine", "-o", "x.csv"], "'mine'"),
        (["chart", "--seat", "7", "-o", "x.png"], "no seat '7'"),
        (["chart", "--phase", "envido", "-o", "x.png"], "no phase 'envido'"),
        (["signals", "--hand", "RRR", "-o", "x.png"], "3 cards"),
        (["stones", "-o", "nowhere/x.png"], "nowhere"),
        (["stones"], "'-o'"),
    ],
)
def test_bad_input_is_one_line_and_no_file(arguments, words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["plot", *arguments]) == 2
    found = capsys.readouterr()
    assert words in found.err
    assert found.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_game_of_one_stone_has_a_map_without_lines(tmp_path) -> None:
    assert main(["plot", "equity", "--target", "1", "-o", str(tmp_path / "a.png")]) == 0
