"""musodds: exact odds, simulation and advice for Mus."""

__version__ = "0.1.0"
