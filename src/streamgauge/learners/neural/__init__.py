"""Neural networks; they require PyTorch."""
