"""Tests of learners.adapters."""
