"""Which files of tests go first."""

FIRST = (
    "tests/test_benchmarks.py",
    "tests/report/test_one_answer.py",
    "tests/cli/test_hostile.py",
    "tests/knowledge/test_many.py",
    "tests/solver/test_betting.py",
    "tests/report/test_notebooks.py",
    "tests/report/test_page.py",
    "tests/cli/test_interrupted.py",
    "tests/solver/test_each.py",
    "tests/solver/test_scores.py",
    "tests/solver/test_sides.py",
    "tests/solver/test_speakers.py",
    "tests/strategy/test_discard.py",
    "tests/report/test_page_use.py",
    "tests/report/test_page_looks.py",
)
"""What takes long: begun last, such a file would keep one core busy after all others.

The first benchmark counts the outcomes of all pairs of partners, which takes longer than any
other count and is kept for the run; the next files do without, those after them find it there.
"""


def place(nodeid: str) -> int:
    """Where the file of a test stands: the lower, the earlier."""
    file = nodeid.split("::")[0]
    return FIRST.index(file) if file in FIRST else len(FIRST)
