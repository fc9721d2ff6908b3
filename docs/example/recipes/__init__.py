"""What five members of the GRPO family do with a group, for rewards that are 0 or 1."""
