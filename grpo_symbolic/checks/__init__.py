"""The methods that can award a verdict, one a file: numeric, exact, smt, enclosure."""
