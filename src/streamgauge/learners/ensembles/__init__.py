"""Ensembles, one public learner a file."""
