"""The tables and figures of papers, run again: a recipe a paper."""
