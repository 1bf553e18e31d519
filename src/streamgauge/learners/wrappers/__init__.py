"""Learners around other learners: past labels added, probabilities corrected, resets on alarms."""
