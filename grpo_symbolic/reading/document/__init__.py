"""From the files of a paper to what it displays: formulas, their rows, chains and steps, and the symbols in them."""
