"""Parity with CapyMOA, River and published results; mostly in the long tier."""
