"""Tests of learners.trees."""
