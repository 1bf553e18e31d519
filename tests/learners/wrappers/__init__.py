"""Tests of learners.wrappers."""
