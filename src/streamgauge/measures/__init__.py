"""Measures of scored rows: additive sums, forgetting, metrics, curves, and the verdict."""
