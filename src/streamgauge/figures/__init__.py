"""Figures, one per file: plain numbers in, a chart out."""
