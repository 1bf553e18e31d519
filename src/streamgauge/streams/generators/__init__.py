"""Generators, one a file: seeded, vectorised, the same rows however they are cut into blocks."""
