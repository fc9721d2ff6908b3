"""Where hypotheses hold: seeded points, solutions of equations, and the truth of statements at a point."""
