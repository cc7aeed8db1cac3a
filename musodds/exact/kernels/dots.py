"""The compiled inner loop of counting: many dot products of gathered rows."""

from __future__ import annotations

import numpy as np

from musodds.compiled import kernel


# The summands are integers below 2**53, so any order of summation gives the same sum.
@kernel(allocates=True, fastmath={"reassoc", "contract"})
def gathered_dots(available, values, rows, levels):  # type: ignore[no-untyped-def]
    """Σ_s available[rows[q], s] · values[levels[q], s] for each question q."""
    products = np.empty(len(rows), dtype=np.float64)
    for q in range(len(rows)):
        row, value = available[rows[q]], values[levels[q]]
        total = 0.0
        for s in range(len(row)):
            total += row[s] * value[s]
        products[q] = total
    return products


@kernel(allocates=True)
def gathered_whole_dots(available, values, rows, levels):  # type: ignore[no-untyped-def]
    """The same in int32, several times as fast, where no sum passes 2**31."""
    products = np.empty(len(rows), dtype=np.int32)
    for q in range(len(rows)):
        row, value = available[rows[q]], values[levels[q]]
        total = np.int32(0)
        for s in range(len(row)):
            total = np.int32(total + np.int32(row[s] * np.int32(value[s])))
        products[q] = total
    return products


@kernel
def gathered_products(one, one_row, one_part, other, other_row, other_part, out):  # type: ignore[no-untyped-def]
    """``out[r, p]`` = one[one_row[r], one_part[p]] · other[other_row[r], other_part[p]]."""
    for row in range(len(out)):
        left, right, found = one[one_row[row]], other[other_row[row]], out[row]
        for part in range(len(found)):
            found[part] = left[one_part[part]] * right[other_part[part]]
