"""Neural networks; they need PyTorch."""
