"""Compiled deals: no Python objects, no allocation inside the loop."""
