"""Scores by how long a row has waited for its label: bins, their log, figures and text."""
