"""Learners of other libraries; the only places that import those libraries."""
