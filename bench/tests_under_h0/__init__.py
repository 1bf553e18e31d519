"""How often the comparison tests err: `python -m bench.tests_under_h0` writes docs/compare.md.

Two learners over many simulated streams; on a fifth of the rows exactly one of the two is wrong. A
test that calls equally good learners different makes a false decision.
"""
