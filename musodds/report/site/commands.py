"""The help of every command; put here when the site is built."""
