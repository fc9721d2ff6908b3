"""What people's own tools use: questions from Python, objects that print themselves in notebooks, tests for pytest."""
