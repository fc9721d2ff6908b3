"""Every process that this package starts: none outlives the one that started it."""
