"""Tests of learners.references."""
