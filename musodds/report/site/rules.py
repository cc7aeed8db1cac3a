"""The rules, as musodds counts them.

This page is the one statement of the rules that code and tests follow. Where the written
rules are silent the reading chosen is marked **[reading]**.

# 1. Mus, four players

**Seats.** Play runs anticlockwise. Seats are numbered in speaking order:
1 = *mano* (right of the dealer), 2, 3, 4 = *postre* (the dealer). Partners sit
opposite: {1, 3} against {2, 4}.

**Deck.** The Spanish 40: suits oros, copas, espadas, bastos; ranks
A 2 3 4 5 6 7 S(ota, 10) C(aballo, 11) R(ey, 12). In the eight-king game a 3 *is*
a king and a 2 *is* an ace, in every phase: 8 R, 4 C, 4 S, 4 each of 7 6 5 4, 8 A.
Rank order R > C > S > 7 > 6 > 5 > 4 > A. Suits never matter, save where a
variant says so.

**Deal and mus.** Four cards each. From mano on, each says *mus* or *no hay mus*
(cuts). Only if all four say mus does each, from mano on, throw one to four cards
(at least one) and draw as many. Then mus may be offered again, without limit.
When the stock runs out: if more than one player still needs cards, all discards
are shuffled into a new stock; if only one does, all discards but that player's
own of this round are.

**The phases (lances)**, always in this order. Ties go to the player who comes
first from mano: a tie never splits.

| phase | best hand | taken when all pass |
|---|---|---|
| grande | cards sorted high to low, compared one by one, higher wins | 1 |
| chica | cards sorted low to high, compared one by one, lower wins | 1 |
| pares | duples > medias > par; then by rank. Duples: two pairs, four alike counts as two equal pairs; higher pair first, then lower. Medias: three alike, the fourth card is irrelevant. Par: one pair, the other two are irrelevant | the winning side scores the pares of *both* partners: par 1, medias 2, duples 3; the other side nothing |
| juego | card points (R C S 3 = 10, 7 6 5 4 = face, A 2 = 1) total 31 or more; order 31, 32, 40, 37, 36, 35, 34, 33 (38 and 39 cannot occur) | the winning side scores the juego of *both* partners: 31 → 3, any other → 2 |
| punto | only when nobody has juego: highest total, 30 down to 4 | 1 |

Before pares and before juego each player truthfully declares yes or no. Betting
there takes place only if both sides have at least one yes. If one side alone has
pares (juego), it scores at the showdown without betting. If nobody has pares,
nothing is scored for pares. If nobody has juego, punto is played instead.

C-C-5-5 beats S-S-S-S, because the higher pair is compared first.

**Betting** (the same in every phase): from mano on, pass or *envido* (bet, 2 if
no number is said, at least 2). The other side answers *no quiero* (fold),
*quiero* (see) or raises by at least 2; the side answers as one. Fold of the first
bet: bettors take 1 stone at once (*deje*); fold of a raise: the raiser takes what
was on the table before that raise, at once. Seen: the total goes to the phase's
winner at the showdown. In pares, juego and punto the side that wins the phase, by
fold or at the showdown, *also* scores at the showdown its own pares / juego (both
partners) / 1 for punto. In grande and chica there is nothing beyond the bet.
*Órdago* may be said in place of any bet or raise: folded, it counts as that bet
folded (1 if it was the first bet, else what was on the table); seen, all cards
are shown and the winner of *that phase* wins the whole game, whatever was agreed
in earlier phases.

**Score.** Showdown order: grande, chica, pares, juego/punto. The first side to
reach 40 wins at that moment, even in the middle of the count. A match is the
best of three games. Stones are kept as piedras (1) and amarracos (5).

**Worked examples**:
mano A 7-7-2-A, B 3-3-S-2, C R-R-S-A, D C-C-C-6. Grande: B (ties C, speaks
earlier). Pares: A's duples win; no bet → A and C score 3 + 1; a bet of 4 seen → 8
in all. A and C bet 4, B and D raise 6 (makes 10), A and C fold → B and D take 4 at
once and 3 (B's par 1 + D's medias 2) at the showdown.
"I bet; raise, makes 4; raise 12, makes 16; fold" → the last raiser takes 4.
R-3-4-4 beats R-C-C-C in grande *and* in chica. 7-7-4-3 ties R-C-7-7 in pares.

**Signals (señas)** are truthful and optional: ciego (eyes shut: nothing worth
signalling), two kings (bite lip; twice: four kings), two aces (tongue; twice: four
aces), medias (mouth to one side), duples (both brows), 31 (wink). Extra signals in
some circles: three kings and an ace (purse lips), does not want mus (head to the
right), punto of 30 (one shoulder), three kings, three aces.

# 2. Variants of the four-handed game

| name | what changes |
|---|---|
| four kings | 3 and 2 keep their own rank and points: R C S 7 6 5 4 3 2 A, four of each. No ciego signal |
| juego real | 31 made of three 7s and one ten-point card beats every other 31 (mano's too). Still 3 stones. Three forms: any ten-point card (in the eight-king game R, 3, C, S); only the sota of oros; three 7s and the sota of the fourth suit |
| mus visto | a card was exposed in the deal: one extra round in which each player may change any number of cards, none included, without agreement; then mus goes on as usual |
| 4-5-6-7 | a player dealt 4-5-6-7 in the *initial* deal may show it and take four new cards before mus. **[reading]** whoever may, does (it is one of the worst hands): exact odds rest on that |
| ten kings (Eibar) | the sotas of copas and oros are jokers: each stands for an R or an A, nothing else; its holder fixes the choice, one for all phases, when cards are shown. **[reading]** holders choose in order from mano, each taking what is best for its side's stones, knowing the cards on the table and that later holders will do the same; of equal namings the one with more kings. A player who declares pares or juego before the betting declares what he **will name**, so a declaration binds the naming: "yes, pares" leaves only the hands *as named* that have pares |
| six players | two sides of three, seated alternately; all rules the same; to 40, or to 50 with captains |
| two players | mano against postre, the same rules |

# 3. Encaje (Mus Francés), three or five players

No partnerships; the one who is left with stones loses. Cards and phases as in Mus.
Two deals, agreed before play: *four cards with mus* as above (all must agree), or
*five cards each*, every player throwing one face down before the betting, no mus.
Each starts with 15 to 21 stones. Out of stones: out of the game (not in the
declarations or the betting). One may never bet more than one has.

Betting: from mano on, pass or bet (at least 2); each player after speaks for
itself: fold (no more say in that phase), see, or raise by at least 2; it ends when
all others have seen or folded the last raise. **[reading]** any size of bet or raise is allowed
to whoever has a stone, and never more
than one has: so one may *see* any size with what one has, and bet or raise at most what one has.

Settlement, phase by phase:
- no bet: the best hand throws out of the game 1 stone (grande, chica, punto), its
  pares value (1/2/3), its juego value (31 → 3, other → 2 **[reading]**, as in Mus);
- one bettor, all others fold: the bettor throws 1 at once, and for pares / juego
  its own value at the showdown; **[reading]** a raise that nobody sees throws what was on the
table before it;
- a bet that is seen: every player in it puts the agreed stones in the phase's pot,
  and the pot goes to the *worst* hand among them (ties: the later from mano loses)
  **[reading]**; in pares / juego the best hand also throws its value.

The game ends when only one player has stones and no pot is open: that one loses.
"""  # noqa: E501
