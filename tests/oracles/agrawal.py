"""The ten functions of agrawal1993."""

from __future__ import annotations

_K = 1000


def in_group_a(function: int, person: dict[str, float]) -> bool:
    """Whether the paper's function + 1 puts a person into group A."""
    salary, loan, level = person["salary"], person["loan"], person["elevel"]
    age = 0 if person["age"] < 40 else 1 if person["age"] < 60 else 2
    earned = salary + person["commission"]
    equity = person["hvalue"] * max(person["hyears"] - 20, 0) / 10
    salary_range = ((50, 100), (75, 125), (25, 75))[age]
    level_fits = level in ((0, 1), (1, 2, 3), (2, 3, 4))[age]

    def between(value: float, limits: tuple[int, int]) -> bool:
        return limits[0] * _K <= value <= limits[1] * _K

    rich = between(salary, salary_range)
    loans = (((100, 300), (200, 400)), ((200, 400), (300, 500)), ((300, 500), (100, 300)))[age]
    return [
        age != 1,
        rich,
        level_fits,
        between(salary, ((25, 75), (50, 100), (50, 100))[age] if level_fits else salary_range),
        between(loan, loans[0] if rich else loans[1]),
        between(earned, salary_range),
        2 / 3 * earned - 0.2 * loan - 20_000 > 0,
        2 / 3 * earned - 5_000 * level - 20_000 > 0,
        2 / 3 * earned - 5_000 * level - 0.2 * loan - 10_000 > 0,
        2 / 3 * earned - 5_000 * level + 0.2 * equity - 10_000 > 0,
    ][function]
