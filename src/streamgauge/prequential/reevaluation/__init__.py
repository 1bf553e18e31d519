"""Rows predicted again while they wait for labels, in bins of the wait (grzenda2019)."""
