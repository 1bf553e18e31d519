"""Streams: from files, frames and generators, and the catalog of named data sets."""
