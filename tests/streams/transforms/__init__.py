"""Tests of streams.transforms."""
