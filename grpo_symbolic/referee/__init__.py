"""The referee: check every step of a paper's own LaTeX and say, with its place, what holds and what does not."""
