"""Whole games with given players: what each may know, who comes with the package, the results."""
