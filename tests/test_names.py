"""Public names: those that were called otherwise still answer, and say what they are called."""

import pytest

import musodds as mo


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("losers", "encaje_losers"),
        ("read", "read_others"),
        ("settle", "encaje_settle"),
        ("throw_advice", "encaje_throw_advice"),
        ("throws", "encaje_throws"),
    ],
)
def test_old_names_warn_and_are_the_new_ones(old, new):
    with pytest.warns(DeprecationWarning, match=f"mo.{old} is called mo.{new}"):
        found = getattr(mo, old)
    assert found is getattr(mo, new)
    assert old not in mo.__all__
    assert new in mo.__all__


def test_there_is_no_other_name():
    with pytest.raises(AttributeError, match="nonsense"):
        _ = mo.nonsense


def test_equity_takes_a_score():
    table = mo.equity("mus", kind="paso")
    assert mo.equity((32, 35), kind="paso") == table.chance(32, 35)
    assert mo.equity("32-35", kind="paso", mano="them") == table.chance(32, 35, "them")
    assert mo.equity([0, 0], game="mus4", kind="paso") == mo.equity("mus4", kind="paso").chance(
        0, 0
    )
    assert mo.equity(game="mus", kind="paso") == table
    with pytest.raises(mo.InputError, match="give a score"):
        mo.equity("mus", mano="us")
    with pytest.raises(mo.InputError, match="score"):
        mo.equity((40, 0))
