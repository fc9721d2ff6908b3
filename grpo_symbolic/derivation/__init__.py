"""What an author writes with: chains of steps, claims, quotes, figures, and the algebra that proposes lines."""
