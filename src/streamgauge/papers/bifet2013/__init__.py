"""bifet2013: pitfalls in benchmarking data stream classification."""
