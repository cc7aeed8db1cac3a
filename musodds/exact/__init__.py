"""Counting: availability × splits, in integers."""
