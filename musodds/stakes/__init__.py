"""What the score makes of it: equity, bets, thresholds, who loses at Encaje."""
