"""What of a paper was seen, and what settles it."""
