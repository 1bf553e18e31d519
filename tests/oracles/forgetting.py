"""Oracle for forgetting: the current weight of each scored row, semantics §2."""


def weights(kind: str, parameter: float, n: int) -> list[float]:
    """The weight of each of n scored rows, oldest first, just after the n-th was scored."""
    ages = [n - 1 - i for i in range(n)]  # the newest row has age 0
    if kind == "cumulative":
        return [1.0 for _ in ages]
    if kind == "window":
        return [1.0 if age < parameter else 0.0 for age in ages]
    if kind == "fading":
        return [float(parameter) ** age for age in ages]
    raise ValueError(f"unknown forgetting {kind!r}")
