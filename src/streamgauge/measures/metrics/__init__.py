"""The metrics, a family a file; the registry lists them."""
