"""Simulation: random numbers, dealing kernels, and the runner of blocks."""
