"""The kernel: what a proof is, and what it takes to believe one. It imports nothing but the standard library."""
