"""From scored rows to numbers: additive sums, how they are forgotten, metrics, the verdict."""
