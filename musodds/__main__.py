"""``python -m musodds``: the same as the command ``musodds``."""

from musodds.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
