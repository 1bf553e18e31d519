"""Tests of _support."""
