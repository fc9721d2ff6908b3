"""What the deciding methods are proposed: nothing here decides, and no decision imports it."""
