"""Runs: their contents, how they are scored, saved and shown."""
