"""When labels arrive, in which order things happen, and the one loop that plays them."""
