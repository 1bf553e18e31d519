"""Tests of learners.rules."""
