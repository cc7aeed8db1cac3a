"""Numbers that take long: with the package, kept on this computer, or counted."""
