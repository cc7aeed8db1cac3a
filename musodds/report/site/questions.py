"""The Python functions by question. All are reached as ``mo.name`` after ``import musodds as mo``.

# How strong is this hand?

- `musodds.chances.odds.odds`: phase by phase and seat by seat, whatever is known
- `musodds.chances.odds_table.odds_table`: the same for all hands
- `musodds.chances.joint.joint`: the phases together, the distribution of a deal's stones
- `musodds.chances.duel.duel`: hands or ranges that meet

# What do I know, what do they hold?

- `musodds.knowledge.knowledge.know`: signs, declarations, ranges, dead cards
- `musodds.knowledge.language.parse_range`: the language of ranges
- `musodds.chances.reading.read_others`: what the others hold, most likely

# What should I throw? Mus or cut?

- `musodds.strategy.discard.discard`: every keep of a hand, and mus against cutting
- `musodds.exact.draws.draws.draw`: what a draw may bring
- `musodds.chances.throws.encaje_throws`: which of five
- `musodds.strategy.throw_advice.encaje_throw_advice`: the same, against players who do so too
- `musodds.simulation.simulate.simulate`: deals with mus and discards
- `musodds.simulation.named_policies.get_policy`, `musodds.strategy.solve.solve`: policies

# What should I bet? See or fold?

- `musodds.stakes.bet.bet`: what each action is worth at the score
- `musodds.stakes.thresholds.thresholds`: which hands see an órdago
- `musodds.solver.betting.solve_betting`: betting solved, with a measured gap
- `musodds.solver.strategy_file.read_strategy`: a solved strategy from its file

# What is the score worth?

- `musodds.stakes.equity_kinds.equity`: the chance of winning the game and the match
- `musodds.stakes.losers.encaje_losers`: who loses at Encaje

# How was it played? How would it be?

- `musodds.players.play.play`: whole games with players of your own
- `musodds.players.view.View`: what a player may know
- `musodds.playing.mus_deal.Deal`, `musodds.playing.encaje_deal.EncajeDeal`: a deal, step by step
- `musodds.playing.record.read_record`, `musodds.playing.written.write_record`: records
- `musodds.strategy.review.review`: a game gone through decision by decision
"""
