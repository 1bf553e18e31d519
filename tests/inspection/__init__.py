"""Tests of streamgauge.inspection."""
