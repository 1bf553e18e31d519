"""Data sets by name: the catalog, a card for each, and how they are fetched."""
