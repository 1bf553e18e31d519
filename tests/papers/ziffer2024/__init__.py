"""Tests of ziffer2024 (TENET)."""
