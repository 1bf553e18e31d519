"""Tests of streams.formats."""
