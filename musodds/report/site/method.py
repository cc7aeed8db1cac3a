"""The method: the mathematics, how it is computed, and what is approximated.

# Hand classes and levels

Suits are irrelevant and many cards are alike, so a hand is a multiset of card *kinds*: 330
classes with eight kings, 715 with four. A variant that cares about a particular card (the sota of
oros, a joker) is a deck with one more kind. In each phase a class has one integer, its *level*:
the higher takes the phase, equal levels go to the seat nearest to mano, 0 takes no part.

# Availability × splits

All that is unseen is exchangeable. Let *r* be the cards known to be gone, a count per kind, and *s*
the eight cards that two unseen players hold together. They can be chosen in
A(r, s) = Π C(copies − r, s) ways, the product over kinds; of the 70 ways to deal eight cards to two
players some number K(s, event) makes an event true. So the deals of an event are Σ A(r, s) · K(s,
event), of C(40 − |r|, 8) · 70 in all: integers far inside 2^53. K does not depend on the hand that
is asked about; it is made once, and a matrix product answers for all hands. A hand at level m in
seat i takes a phase if all before it are below m and all after it at most m.

Expected stones are linear: splits weighed by the stones of the hands. Only questions about
several phases together (`musodds.chances.joint`, `musodds.stakes.equity`) need the joint
enumeration. What is known of others (signs, declarations, ranges) restricts or weighs the classes
that they may hold: the same sums over fewer terms.

# Simulation

What happens through discards is simulated: a partial Fisher–Yates shuffle, a table from cards to
class, a maximum over seats. Bounded draws are unbiased. Block *b* of a run depends on the seed and
*b* alone, so any number of workers gives the same digits. Alternatives (the keeps of a hand) are
tried on the same deals, and their differences have standard errors of their own.

# Equity

From the exact distribution of a deal's stones, phase by phase in the order of the count, the
chance of winning from a score is solved backward from the target. It is *en paso*: nobody bets
later.

# Betting

Two sides, zero-sum. What is public is a tree (grande, chica, who has pares, pares, who has juego,
juego or punto, the showdown); what is private is one type per side, and all types go through the
tree together as vectors. It is solved by discounted counterfactual regret minimization; the gap
reported is (best response of one side + of the other − the constant sum) / 2, exact for the
strategies that are stored.

# What is approximated

- *Bets and thresholds* (`musodds.stakes.bet`): the rivals hold what you say they do, whatever they
  bet; later phases and deals are en paso.
- *own*: with partners each side speaks through one player; no signs. It makes rivals look weaker
  than they are.
- *each*: all four speak, learned by sampling; what is reported is measured, no theorem stands
  behind it.
- *Sizes*: only the bets on offer exist. *One phase* solved alone is not a part of the whole
  deal's equilibrium.
- *Policies* of discards are best responses to themselves up to a measured gain, on simulated
  deals.
- *Six hands of four kings* and jokers among discards are simulated.

References
----------
N. Brown and T. Sandholm, *Solving imperfect-information games via discounted regret
minimization*, AAAI 2019.

M. Zinkevich, M. Johanson, M. Bowling and C. Piccione, *Regret minimization in games with
incomplete information*, NIPS 2007.

M. Lanctot, K. Waugh, M. Zinkevich and M. Bowling, *Monte Carlo sampling for regret minimization in
extensive games*, NIPS 2009.

R. A. Fisher and F. Yates, *Statistical tables*, 1938 (the shuffle).
"""
