"""Drift detectors: they watch errors and say when something has changed."""
