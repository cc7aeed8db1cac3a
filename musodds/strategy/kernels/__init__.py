"""Compiled trials: every keep of a hand on the same deals."""
