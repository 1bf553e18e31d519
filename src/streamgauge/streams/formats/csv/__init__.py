"""Plain CSV, parsed by compiled kernels."""
