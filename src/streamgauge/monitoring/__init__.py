"""Predictions and late labels, joined as they come."""
