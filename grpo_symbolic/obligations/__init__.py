"""What has to be shown for a statement: elementary obligations, and how statements expand into them."""
