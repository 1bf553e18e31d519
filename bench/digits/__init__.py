"""Digits: records every number that streamgauge computes, and compares two recordings exactly."""
