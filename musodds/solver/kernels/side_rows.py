"""Comparisons of both hands of a side with both of the other, over all ways to hold them."""

from __future__ import annotations

from musodds.compiled import kernel

FAST = {"reassoc", "contract", "nsz"}


@kernel(fastmath=FAST, allocates=True)
def below(cards, part, group, weight, code, place, mine, got, rows):  # type: ignore[no-untyped-def]
    """Add what the other side's holdings below each of mine weigh, group by group.

    Parameters
    ----------
    cards : float32 (parts, columns)
        Ways to hold the eight cards of a part beside those of each of some of my parts.
    part, group : int64 (theirs,)
        Of the other side's holdings, from the lowest code up.
    weight : float32 (theirs,)
    code : int64 (theirs,)
    place : int64 (mine,)
        The column of each of my holdings, from the lowest code up.
    mine : int64 (mine,)
        Their codes.
    got : float32 (groups, columns)
        Scratch.
    rows : float32 (mine, groups)
        Set: Σ of ways times weight over the holdings of a group with lower codes.
    """
    got[:] = 0
    j = 0
    for i in range(len(mine)):
        while j < len(code) and code[j] < mine[i]:
            to, of, w = got[group[j]], cards[part[j]], weight[j]
            for k in range(cards.shape[1]):
                to[k] += w * of[k]
            j += 1
        at = place[i]
        for g in range(len(got)):
            rows[i, g] = got[g, at]
