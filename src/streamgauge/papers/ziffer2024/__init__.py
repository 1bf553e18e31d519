"""Reproduction of ziffer2024 (TENET)."""
