"""Decision trees, one public learner a file; what they share is private beside them."""
