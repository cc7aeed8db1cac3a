"""Tables filled in between nodes."""

import numpy as np
import pytest

from musodds.stakes.score_grid import filled, monotone


def test_monotone_cubics_are_those_of_scipy() -> None:
    interpolate = pytest.importorskip("scipy.interpolate")
    rng = np.random.default_rng(5)
    for number in (2, 3, 7, 12):
        places = np.cumsum(rng.uniform(0.1, 2, number))
        values = rng.normal(size=(number, 9)) + np.linspace(0, 5, 9) * places[:, None]
        wanted = np.linspace(places[0], places[-1], 50)
        assert np.allclose(
            monotone(places, values, wanted),
            interpolate.PchipInterpolator(places, values, axis=0)(wanted),
        )


def test_values_that_are_known_stand_and_a_shift_of_the_base_is_found() -> None:
    rng = np.random.default_rng(1)
    base = np.sort(np.sort(rng.uniform(0.05, 0.95, (12, 12)), axis=0), axis=1)
    shifted = 1 / (1 + (1 - base) / base * np.exp(-0.7))
    lines = (11, 9, 5, 0)
    known = {(a, b): float(shifted[a, b]) for a in lines for b in lines}
    assert np.allclose(filled(lines, known, base), shifted)
    one = filled(lines, {**known, (5, 5): 0.5, (3, 4): 0.25}, base)
    assert one[5, 5] == pytest.approx(0.5)
    assert one[3, 4] == 0.25


def test_nodes_that_are_not_known_go_on_as_those_after_them() -> None:
    base = np.full((6, 6), 0.5)
    known = {(5, 5): 0.5, (3, 5): 0.4, (5, 3): 0.6}
    found = filled((5, 3, 0), known, base)
    assert found[3, 3] == pytest.approx(0.5)
    assert found[0, 5] == pytest.approx(0.4)
    assert np.allclose(found[:, ::1] + found.T, 1)
