"""Tests of streamgauge.reports."""
