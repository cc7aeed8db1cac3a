"""Deals played by policies: blocks, one runner, estimates."""

from __future__ import annotations
