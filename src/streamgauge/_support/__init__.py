"""What every room uses: types, errors, kernels, random numbers, parsers. It knows no other room."""
