"""Learners, one per file with its kernels, and adapters for those of other libraries."""
