"""Tests of streamgauge.detectors."""
