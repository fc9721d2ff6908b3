"""The report as a folder of static pages, made from the views that the LaTeX is made from."""
