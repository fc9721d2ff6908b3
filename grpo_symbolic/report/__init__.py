"""LaTeX out: frozen views, TeX-shaped templates, figures."""
