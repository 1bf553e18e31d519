"""Which of two learners is better on one stream, where, and what past labels add."""
