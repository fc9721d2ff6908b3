"""Where a statement fails: points that are found by search and certified by balls."""
