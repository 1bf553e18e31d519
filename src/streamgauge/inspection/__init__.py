"""The temporal-dependence profile: what the order of a stream's labels says (semantics §7)."""
