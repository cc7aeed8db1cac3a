"""Deals, mus and discards, simulated: :func:`simulate` and its :class:`Simulation`.

A run is cut into blocks of deals. The random numbers of a block depend on the seed and
the block's number alone, and what is counted is added up as integers, so a result is the
same to the last digit whoever plays the blocks: threads, processes or machines.

Modules, from the bottom: `rng` draws, `packing` turns a game and a policy into arrays,
`dealing` moves cards, `tally` counts a deal, `known_deals` draws the hands as dealt where
something is known, `blocks` plays a block, `estimates` reads the counts, `runner`,
`checkpoint` and `distributed` run blocks, `simulation` is the front.
"""

from musodds.montecarlo.estimates import Estimate, Simulation
from musodds.montecarlo.simulation import SimulationError, simulate

__all__ = ["Estimate", "Simulation", "SimulationError", "simulate"]
