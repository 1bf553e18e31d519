"""Tables as text, Markdown or LaTeX: a table in, a string out. Knows no run and no stream."""
