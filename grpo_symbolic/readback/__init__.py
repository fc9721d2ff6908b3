"""Formulas that we print or quote, read back with our own reader and compared with the objects they stand for."""
