"""Tables as text, Markdown, LaTeX or CSV: a table in, a string out."""
