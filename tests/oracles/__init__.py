"""Slow, literal oracles: each rule of semantics.md written a second time, as plainly as possible.

They share no code with the package, so that a test compares two independent readings of the text.
Nothing here is meant to be fast.
"""
