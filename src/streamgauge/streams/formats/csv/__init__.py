"""CSV files: simple ones are parsed by compiled kernels, the rest by Arrow."""
