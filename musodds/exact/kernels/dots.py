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
