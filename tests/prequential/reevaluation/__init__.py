"""Tests of prequential.reevaluation."""
