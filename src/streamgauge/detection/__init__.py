"""Drift detectors over the errors of a run, and how good their alarms are."""
