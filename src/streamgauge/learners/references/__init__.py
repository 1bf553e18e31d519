"""Baselines that every learner is measured against; they look at labels only (semantics §5)."""
