"""Comparison of learners (over one stream or many) and of drift detectors."""
