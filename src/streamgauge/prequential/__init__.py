"""When labels are revealed, in which order events happen, and the one loop that plays them."""
