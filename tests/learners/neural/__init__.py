"""Tests of learners.neural."""
