"""Tests of streamgauge.prequential."""
