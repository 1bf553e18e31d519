"""Speeds as ratios to the peers, in one run: `make bench`."""
