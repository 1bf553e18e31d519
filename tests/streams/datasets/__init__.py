"""Tests of streams.datasets."""
