"""Inspection of a stream: the temporal dependence of its labels (semantics §7)."""
