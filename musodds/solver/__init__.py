"""Betting, solved: equilibria of a phase or of a whole deal, with a measured gap.

The game (:mod:`musodds.solver.tree`, :mod:`musodds.solver.types`,
:mod:`musodds.solver.payoffs`) is described apart from the algorithms
(:mod:`musodds.solver.discounted_cfr`, :mod:`musodds.solver.best_response`) and their
kernels. :func:`musodds.solver.betting.solve_betting` is the front door.
"""
