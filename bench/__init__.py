"""Benchmarks: speeds as ratios to River, CapyMOA and pandas, all in one run (`make bench`)."""
