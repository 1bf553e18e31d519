"""Data sets by name: the catalog, one card per data set, and the downloads."""
