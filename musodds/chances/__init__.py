"""The cards as dealt: odds by any engine, duel, joint, reading, which of five to throw."""
