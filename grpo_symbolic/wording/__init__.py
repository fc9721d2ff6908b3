"""What titles, introductions, captions and notes say in words, held against the statements that they speak of."""
