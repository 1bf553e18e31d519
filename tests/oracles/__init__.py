"""Slow, literal oracles: each rule of semantics.md written once more, as plainly as possible.

They share no code with the package, so that a test comparing the two compares two readings of
the text. Nothing here is meant to be fast.
"""
