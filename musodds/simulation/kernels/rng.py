"""Random numbers: one stream per (seed, block), and unbiased draws from it.

The generator is xoshiro256++ (D. Blackman and S. Vigna, *Scrambled linear
pseudorandom number generators*, ACM TOMS 47, 2021), period 2**256 - 1, 64 bits a step.
The state of block b is four steps of SplitMix64 (G. Steele, D. Lea and C. Flood, *Fast
splittable pseudorandom number generators*, OOPSLA 2014) from a start that depends on
the seed and b alone. That start is a bijection of b for a given seed, so two blocks of
a run never share it.

Draws below n are made from 64 random bits by multiplication (D. Lemire, *Fast random
integer generation in an interval*, ACM TOMACS 29, 2019), several at a time from the
same bits (N. Brackett-Rozinsky and D. Lemire, *Batched ranged random integer
generation*, 2024), with rejection: no bias at all.

**Why it is uniform.** Let B be the product of the bounds and r uniform below 2**64. The
draws are the mixed-radix digits of q = floor(r * B / 2**64). The r with a given q give
remainders r * B mod 2**64 that run from below B upwards in steps of B, so exactly L / B
of them are below L, for every q, when B divides L. Only such r are accepted, with L the
largest multiple of B up to 2**64; hence q, and so the tuple of draws, is exactly uniform.
The first card of a deal is deck[d] with d uniform below the size of the deck, whatever
order an earlier deal left the deck in: uniform over the cards; and each later card
likewise over those that are left.

The rejected remainders are the *highest* ones, so a state of zeros, which yields zeros
for ever, deals the deck from the top in its given order: how tests rig a deck.
"""

from __future__ import annotations

import numpy as np

from musodds.compiled import inlined
from musodds.simulation.kernels.intrinsics import multiply_wide

U64 = np.uint64
_0, _1, _2, _3 = U64(0), U64(1), U64(2), U64(3)
_17, _19, _23, _27, _30, _31, _41, _45 = map(U64, (17, 19, 23, 27, 30, 31, 41, 45))
GOLDEN = U64(0x9E3779B97F4A7C15)
_MIX1, _MIX2 = U64(0xBF58476D1CE4E5B9), U64(0x94D049BB133111EB)

MAX_SEED = 2**63 - 1


@inlined
def mix(z):  # type: ignore[no-untyped-def]
    """SplitMix64's output function, a bijection of 64-bit integers."""
    z = (z ^ (z >> _30)) * _MIX1
    z = (z ^ (z >> _27)) * _MIX2
    return z ^ (z >> _31)


@inlined
def seed_block(state, seed, block):  # type: ignore[no-untyped-def]
    """Set the four words of ``state`` to the start of a block's stream."""
    start = mix(mix(seed + GOLDEN) + (block + _1) * GOLDEN)
    for i in range(4):
        start += GOLDEN
        state[i] = mix(start)


@inlined
def next64(state):  # type: ignore[no-untyped-def]
    """The next 64 random bits (xoshiro256++)."""
    s0, s1, s2, s3 = state[_0], state[_1], state[_2], state[_3]
    total = s0 + s3
    bits = ((total << _23) | (total >> _41)) + s0
    shifted = s1 << _17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 << _45) | (s3 >> _19)
    state[_0], state[_1], state[_2], state[_3] = s0, s1, s2, s3
    return bits


@inlined
def accepted(state, product):  # type: ignore[no-untyped-def]
    """64 random bits that give unbiased draws for bounds with that product."""
    while True:
        bits = next64(state)
        remainder = bits * product
        # _0 - x is 2**64 - x. Nearly always far below: no division.
        if remainder < _0 - product or remainder < _0 - (_0 - product) % product:
            return bits


@inlined
def below(state, n):  # type: ignore[no-untyped-def]
    """A number drawn uniformly from 0 to n - 1."""
    return multiply_wide(accepted(state, n), n)[0]
