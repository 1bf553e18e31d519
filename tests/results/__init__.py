"""Tests of streamgauge.results."""
