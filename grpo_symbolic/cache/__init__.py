"""What was found once, kept by content in a file of this user's; nothing that is kept is needed."""
