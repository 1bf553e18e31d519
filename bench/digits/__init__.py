"""Digits: record every number that streamgauge gives, and compare two recordings exactly."""
