"""Compiled loops of the solver."""
