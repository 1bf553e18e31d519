"""ziffer2024 (TENET) run again: Tables I to III, Figures 3 to 5, and the paper's claims."""
