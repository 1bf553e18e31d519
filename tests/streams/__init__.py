"""Tests of streamgauge.streams."""
