"""Tests of learners.ensembles."""
