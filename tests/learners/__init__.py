"""Tests of streamgauge.learners."""
