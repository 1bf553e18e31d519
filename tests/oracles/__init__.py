"""Slow, literal oracles: every rule of docs/semantics.md implemented again, as plainly as possible.

They share no code with the package, so that tests compare two independent readings of the text.
"""
