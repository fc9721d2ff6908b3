"""Translations of our expression tree, one target a file."""
