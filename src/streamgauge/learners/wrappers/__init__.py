"""Wrappers around learners: past labels, corrected probabilities, resets on alarms."""
