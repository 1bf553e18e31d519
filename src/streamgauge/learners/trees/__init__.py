"""Decision trees, one public learner per file; the private modules hold what they share."""
