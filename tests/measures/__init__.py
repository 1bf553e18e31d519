"""Tests of streamgauge.measures."""
