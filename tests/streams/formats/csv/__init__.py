"""Tests of streams.formats.csv."""
