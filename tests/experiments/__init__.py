"""Experiments: specs, runs that survive, results, tables."""
