"""LaTeX in: from the text of a paper to displayed chains of formulas, and from those to statements."""
