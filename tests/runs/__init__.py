"""Tests of streamgauge.runs."""
