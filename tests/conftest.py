"""Settings of the whole suite."""

from hypothesis import settings

# Class tables and compiled kernels load on first use, inside whichever example is first.
settings.register_profile("musodds", deadline=None)
settings.load_profile("musodds")
