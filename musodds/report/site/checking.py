"""How each published number can be checked.

# Exact numbers

- *By hand*: ``mo.odds("RR7A", seat=1).fraction(1, "grande", "win")`` is a ratio of integers; its
  denominator is the number of deals of the other cards.
- *By brute force*: ``tests/brute.py`` deals and compares card by card, knows nothing of the engine,
  and must agree in games that are small enough.
- *By the other engine*: ``mo.odds("RR7A", n=1_000_000)`` simulates what is counted; the difference
  should be a few standard errors at most.

# Simulated numbers

The same seed gives the same digits, whatever the number of workers. Every estimate `x` has its
standard error `x_se`; another seed should differ by a few of them.

# Solved strategies

The gap is computed by an exact best response against the strategy as it is stored (``musodds
strategy FILE`` prints it), so it does not rest on how the strategy was found. In the model *each*
it is what any one player gains by changing alone, measured on fresh deals.

# What is published

- ``musodds publish results --check`` makes the tables and figures of ``results`` again and compares
  them; each file says which command made it.
- ``musodds publish package --check`` does so for the numbers that come with the package; ``--only
  "odds/mus2p-*"`` for some of them.
- The notebooks are run by the tests, and must print what is stored in them.
- The table of what is counted in which game (README) is compared with the engine by a test.
"""
