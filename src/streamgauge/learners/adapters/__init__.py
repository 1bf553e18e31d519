"""Adapters for learners of other libraries, the only modules that import them."""
