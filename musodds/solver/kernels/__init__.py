"""Compiled inner loops of the solver."""
