"""What is asked and what is known, in text: ranges, signals, declarations, a hand as typed."""
