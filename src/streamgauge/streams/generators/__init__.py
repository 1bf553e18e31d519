"""Synthetic streams: seeded, vectorised, the same rows for every block size."""
