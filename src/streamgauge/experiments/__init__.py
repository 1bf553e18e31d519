"""Experiments: grids of streams, learners, label policies and seeds, run so they can resume."""
