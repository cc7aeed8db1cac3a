"""Whole tables, figures, the page, results, and making again what comes with the package."""
