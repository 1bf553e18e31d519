"""Parity: our learners against CapyMOA's and River's on the same streams (`make parity`)."""
