"""Continuous re-evaluation: waiting rows are predicted again, scored in bins (grzenda2019)."""
