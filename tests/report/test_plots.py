"""Figures: what is drawn is what the tables say, labelled, and the same every time."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

import musodds as mo
from musodds.cli import main
from musodds.cli.plot import NAMES
from musodds.errors import InputError
from musodds.report.plots import FIGURES, figure, save, to_bytes
from musodds.report.plots.decisions import plot_discards, plot_signals
from musodds.report.plots.scores import plot_equity
from musodds.report.plots.simulated import plot_convergence, plot_stones
from musodds.report.plots.strength import plot_chart, plot_seats, plot_strength
from musodds.report.plots.style import SEAT_SHADES, minus
from musodds.rules.game import PHASES
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.stakes.equity import equity

PLOTS = {
    "strength": lambda ax: plot_strength(ax=ax),
    "chart": lambda ax: plot_chart(phase="pares", ax=ax),
    "seats": lambda ax: plot_seats(ax=ax),
    "discards": lambda ax: plot_discards(policy="solo", ax=ax),
    "signals": lambda ax: plot_signals("RRAA", ax=ax),
    "stones": lambda ax: plot_stones(ax=ax),
    "equity": lambda ax: plot_equity(ax=ax),
    "convergence": lambda ax: plot_convergence(n=1 << 12, ax=ax),
}


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


def test_strength_shows_every_win_chance():
    image = plot_strength(ax=axes()).images[0].get_array()
    frame = mo.odds_table()
    win = frame["win"].to_numpy().reshape(330, 4, 5) * 100
    for j in range(len(PHASES)):
        shown = np.asarray(image[5 * j : 5 * j + 4], dtype=float)
        assert np.allclose(shown, win[:, :, j].T)


def test_chart_shows_every_hand_once():
    ax = plot_chart(seat="postre", ax=axes())
    frame = mo.odds_table().query("seat == 4 and phase == 'grande'").set_index("hand")
    image = np.ma.filled(ax.images[0].get_array(), np.nan)
    rows = [text.get_text() for text in ax.get_yticklabels()]
    columns = [text.get_text() for text in ax.get_xticklabels()]
    shown = {
        rows[i] + columns[j]: value
        for (i, j), value in np.ndenumerate(image)
        if not np.isnan(value)
    }
    assert set(shown) == set(frame.index)
    assert all(np.isclose(value, frame.loc[hand, "net"]) for hand, value in shown.items())


def test_seats_are_averages_over_all_hands():
    ax = plot_seats(column="best", ax=axes())
    heights = [[bar.get_height() for bar in bars] for bars in ax.containers]
    frame = mo.odds_table()
    ways = hands(get_game("mus")).ways
    best = frame["best"].to_numpy().reshape(330, 4, 5)
    assert np.allclose(heights, 100 * np.average(best, axis=0, weights=ways))
    # Somebody takes grande: the four chances sum to one.
    assert sum(row[0] for row in heights) == pytest.approx(100)


def test_seats_with_a_hand_are_its_odds():
    ax = plot_seats(column="net", hand="RR7A", ax=axes())
    totals = [bars[-1].get_height() for bars in ax.containers]
    assert totals == pytest.approx([mo.odds("RR7A").net(seat) for seat in (1, 2, 3, 4)])


def test_stones_are_all_deals():
    ax = plot_stones(ax=axes())
    ours, theirs = ([bar.get_height() for bar in bars] for bars in ax.containers)
    assert sum(ours) == pytest.approx(100)
    assert sum(theirs) == pytest.approx(-100)
    frame = mo.odds_table().query("seat == 1")
    weight = np.repeat(hands(get_game("mus")).ways / 91_390, 5)
    assert np.dot(range(len(ours)), ours) / 100 == pytest.approx(
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
    assert abs(last.value - exact) < 5 * last.se


def test_equity_shows_every_score():
    image = np.asarray(plot_equity(mano="them", ax=axes()).images[0].get_array())
    assert image.shape == (40, 40)
    assert image[32, 35] == pytest.approx(100 * equity("mus").chance(32, 35, "them"))


def test_seats_can_be_told_apart_in_grey():
    grey = [np.dot(to_rgb(shade), (0.2126, 0.7152, 0.0722)) for shade in SEAT_SHADES[:4]]
    assert min(np.diff(grey)) > 0.1


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
        (["strength", "--hand", "RRRR", "-o", "x.png"], "figure strength has no hand"),
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
