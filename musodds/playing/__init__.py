"""A deal as people play it: actions, a state machine, records, the score sheet."""
