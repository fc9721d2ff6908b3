"""Proofs: found by everything that only finds, written down in the kernel's language, and kept beside derivations."""
