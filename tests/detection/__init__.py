"""Drift detectors and their alarms."""
