"""The methods that find evidence, one a file: numeric, oracle, ranges, exact, smt, enclosure."""
