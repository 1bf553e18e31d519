"""Streams: files, frames, arrays, rows, generators, the catalog, and input that cannot be right."""
