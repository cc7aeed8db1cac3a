"""What a discard may bring, counted."""
