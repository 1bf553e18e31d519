"""Parity with the peers, prediction by prediction: the long tier, `make test-all`."""
