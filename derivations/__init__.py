"""The mathematics: one package per paper, one module per result."""
