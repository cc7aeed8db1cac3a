"""What to throw, mus or cut: keeps tried on the same deals, best responses, solving."""
