"""From characters to the tree of a formula: tokens, macros, brackets, scripts, still without meaning."""
