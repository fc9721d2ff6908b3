"""GRPO's own objects: its definitions, and groups by brute force."""
