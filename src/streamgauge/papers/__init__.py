"""Reproductions of published experiments, one folder per paper; `paper.py` in it is its entry."""
