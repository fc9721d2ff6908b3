"""What can be said: expressions, domains, statements, their calculus and where they are defined."""
