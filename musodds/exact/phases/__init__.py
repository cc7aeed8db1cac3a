"""One phase at a time: the deals of every column."""
