"""Tests of papers run again."""
