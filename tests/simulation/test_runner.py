"""The runner: blocks added up in order, whoever plays them, to a goal or to Ctrl-C."""

import threading
import time

import pytest

from musodds.chances.simulated_odds import simulate_known
from musodds.errors import InputError
from musodds.simulation.given import given
from musodds.simulation.runner import Goal, is_power_of_two, run, until
from musodds.stakes.deal_stones import deal_stones
from musodds.stakes.losers import encaje_losers as losers
from musodds.strategy.throw_advice import encaje_throw_advice as throw_advice


def play(first, deals):
    """Blocks of ten deals, the first ones the slowest; sums that tell the order."""
    assert deals <= 10
    if not deals:
        return []
    time.sleep(0.002 * (3 - first % 4))
    return [f"{first}:{deals} "]


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_blocks_are_added_in_order_and_the_last_is_cut(workers):
    total = run(play, 10, Goal(95), workers)
    expected = "".join(f"{block}:10 " for block in range(9)) + "9:5 "
    assert (total.sums, total.deals, total.blocks) == (expected, 95, 9)


@pytest.mark.parametrize("workers", [1, 3])
def test_the_goal_is_looked_at_after_certain_blocks_only(workers):
    seen = []

    def enough(sums):
        seen.append(sums.count(":"))
        return sums.count(":") >= 5

    total = run(play, 10, Goal(10**6, until(enough, is_power_of_two)), workers)
    assert seen == [1, 2, 4, 8]
    assert total.blocks == 8


def test_sums_since_the_last_look_are_added_up_by_themselves():
    """Of floating-point numbers the digits depend on it: 1 + (e + e) is not (1 + e) + e."""
    e = 2.0**-53
    numbers = [1.0, e, e]
    look = until(lambda sums: sums > 1, lambda blocks: blocks in (1, 3))
    total = run(lambda first, deals: numbers[first : first + deals], 1, Goal(9, look), 1)
    assert total.sums == 1 + 2 * e != 1


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_gives_the_first_blocks(workers):
    def watch(done, expected):
        assert expected == 1000
        if done == 30:
            raise KeyboardInterrupt

    total = run(play, 10, Goal(1000), workers, watch=watch)
    assert total.interrupted
    assert total.sums == "0:10 1:10 2:10 "


def test_many_workers_play_at_the_same_time_and_one_compiles():
    barrier, compiled = threading.Barrier(3, timeout=20), []

    def together(first, deals):
        if not deals:
            compiled.append(threading.current_thread() is threading.main_thread())
            return []
        barrier.wait()
        return [1]

    assert run(together, 1, Goal(6), 3).sums == 6
    assert compiled == [True]


ASKED = {
    "losers": lambda **options: losers((2, 2, 3, 2, 1), simulate=True, n=9000, **options),
    "throws": lambda **options: throw_advice("RR7AA", seat=1, n=40_000, **options),
    "stones": lambda **options: deal_stones(
        "mus2p", policy="kings", n=140_000, **options
    ).deals.tolist(),
    "odds": lambda **options: simulate_known("RRAA", n=9000, **options).rows(),
}


@pytest.mark.parametrize("name", ASKED)
def test_the_digits_do_not_depend_on_the_workers(name):
    def rows(found):
        return found.rows() if hasattr(found, "rows") else found

    found = [rows(ASKED[name](workers=workers, seed=3)) for workers in (1, 2, None)]
    assert found[0] == found[1] == found[2]
    assert rows(ASKED[name](workers=1, seed=4)) != found[0]


@pytest.mark.parametrize("name", ASKED)
def test_ctrl_c_is_answered_with_what_is_known(name):
    def watch(done, expected):
        raise KeyboardInterrupt

    if name in ("losers", "throws"):
        found = ASKED[name](watch=watch)
        assert found.interrupted
        assert found.n == {"losers": 4096, "throws": 1 << 14}[name]
    elif name == "stones":
        found = deal_stones("mus2p", policy="kings", n=140_000, watch=watch)
        assert (found.interrupted, found.n, found.total) == (True, 1 << 16, 1 << 16)
    else:
        found = simulate_known("RRAA", n=9000, watch=watch)
        assert (found.interrupted, found.n) == (True, 4096)
        assert found.rows() == simulate_known("RRAA", n=4096).rows()


@pytest.mark.parametrize(
    "value", [1.5, True, "many", None, 10**5000, -(10**5000), float("inf")], ids=range(7)
)
def test_what_is_no_seed_is_told_in_one_sentence(value):
    with pytest.raises(InputError, match=r"^seed is .{1,60}: it must be a whole number from 0"):
        given(seed=value)
