"""Generators: one family a file."""
