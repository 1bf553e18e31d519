"""Tests of streamgauge.comparison."""
