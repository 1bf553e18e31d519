"""Reference learners: baselines that use labels only (semantics §5)."""
