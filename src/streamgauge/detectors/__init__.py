"""Drift detectors: alarms when the errors of a learner change."""
