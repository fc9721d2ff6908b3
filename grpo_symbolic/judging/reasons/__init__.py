"""Reasons that a person can follow for what was decided: searched for, then checked by exact arithmetic alone."""
