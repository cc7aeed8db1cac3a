"""What Mus is: cards, games, hands and their levels, who takes a phase."""
