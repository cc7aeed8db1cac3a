"""The README; put here when the site is built."""
