"""Reproduction of ziffer2024 (TENET): Tables I to III, Figures 3 to 5, and the paper's claims."""
