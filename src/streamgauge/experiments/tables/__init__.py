"""Tables of results: the values of cells, a table of one metric or of several, its text."""
