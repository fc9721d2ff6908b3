"""Integrals, series, sums and limits replaced by closed forms, each with statements that justify it."""
