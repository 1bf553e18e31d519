"""`evaluate` and `score`: from a stream and learners, or from predictions, to runs."""
