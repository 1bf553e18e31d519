"""Shared foundations: types, errors, kernels, random numbers, parsers. Imports no other folder."""
