"""All phases together: what a deal comes to."""
