"""Oracle for the temporal-dependence profile, computed from the list of labels, semantics §7."""

import math

from tests.oracles import references

Labels = list[int]  # -1: a row without a label


def known(y: Labels) -> Labels:
    """The known labels; rows without a label are skipped."""
    return [label for label in y if label >= 0]


def prior(y: Labels, i: int) -> float:
    """P(i)."""
    labels = known(y)
    return _ratio(labels.count(i), len(labels))


def pairs(y: Labels) -> list[tuple[int, int]]:
    """Each label with the one after it."""
    labels = known(y)
    return [(labels[t - 1], labels[t]) for t in range(1, len(labels))]


def p_majority(y: Labels, k: int) -> float:
    """P(M)."""
    return max(prior(y, i) for i in range(k))


def p_temporal(y: Labels) -> float:
    """P(T) = Σ P(i,i)."""
    both = pairs(y)
    return _ratio(sum(a == b for a, b in both), len(both))


def p_first_order(y: Labels, k: int) -> float:
    """Σ_j max_i P(j,i)."""
    both = pairs(y)
    return _ratio(sum(max(both.count((j, i)) for i in range(k)) for j in range(k)), len(both))


def transition(y: Labels, j: int, i: int) -> float:
    """P(i|j)."""
    after = [b for a, b in pairs(y) if a == j]
    return _ratio(after.count(i), len(after))


def given_run(y: Labels, i: int, times: int) -> float:
    """P(y_t = i | the labels of the `times` rows before are i)."""
    labels = known(y)
    reached = [t for t in range(times, len(labels)) if set(labels[t - times : t]) <= {i}]
    return _ratio(sum(labels[t] == i for t in reached), len(reached))


def given_any_run(y: Labels, k: int, times: int) -> float:
    """P(y_t = y_{t-1} | the `times` labels before are the same); for 0 by chance."""
    if times == 0:
        return math.fsum(prior(y, i) ** 2 for i in range(k))
    labels = known(y)
    reached = [t for t in range(times, len(labels)) if len(set(labels[t - times : t])) == 1]
    return _ratio(sum(labels[t] == labels[t - 1] for t in reached), len(reached))


def same_label(y: Labels, lag: int) -> float:
    """Fraction of pairs of labelled rows `lag` apart with the same label."""
    both = [(y[t], y[t - lag]) for t in range(lag, len(y)) if y[t] >= 0 and y[t - lag] >= 0]
    return _ratio(sum(a == b for a, b in both), len(both))


def autocorrelation(y: Labels, k: int, lag: int) -> float:
    """Agreement beyond chance, relative to the largest possible."""
    chance = math.fsum(prior(y, i) ** 2 for i in range(k))
    if len(set(known(y))) < 2:
        return math.nan
    return (same_label(y, lag) - chance) / (1 - chance)


def target_autocorrelation(y: list[float], lag: int) -> float:
    """Autocorrelation of regression targets; nan is unknown."""
    targets = [v for v in y if not math.isnan(v)]
    mean = math.fsum(targets) / len(targets)
    variance = math.fsum((v - mean) ** 2 for v in targets) / len(targets)
    both = [
        (y[t] - mean) * (y[t - lag] - mean)
        for t in range(lag, len(y))
        if not math.isnan(y[t]) and not math.isnan(y[t - lag])
    ]
    return _ratio(_ratio(math.fsum(both), len(both)), variance)


def regression_losses(y: list[float]) -> dict[str, float]:
    """Mean absolute errors of the mean so far and of the last value."""
    targets = [v for v in y if not math.isnan(v)]
    mean = [abs(targets[t] - math.fsum(targets[:t]) / t) for t in range(1, len(targets))]
    last = [abs(targets[t] - targets[t - 1]) for t in range(1, len(targets))]
    return {
        "Mean": _ratio(math.fsum(mean), len(mean)),
        "LastValue": _ratio(math.fsum(last), len(last)),
    }


def prior_range(y: Labels, i: int, window: int) -> tuple[float, float]:
    """Lowest and highest prior of a class in any `window` consecutive labelled rows."""
    labels = known(y)
    shares = [
        labels[start : start + window].count(i) / window
        for start in range(len(labels) - window + 1)
    ]
    return (min(shares), max(shares)) if shares else (math.nan, math.nan)


def reference_accuracy(which: str, y: Labels, k: int) -> float:
    """Accuracy of a reference, test then train; an abstention is wrong."""
    if which == "seasonal":  # its lags count rows without a label too
        rows = [[("P", row), ("L", row)] if y[row] >= 0 else [("P", row)] for row in range(len(y))]
        found = references.seasonal([event for row in rows for event in row], y)
        return _ratio(sum(y[r] >= 0 and found[r] == y[r] for r in range(len(y))), len(known(y)))
    labels = known(y)
    events = [event for row in range(len(labels)) for event in (("P", row), ("L", row))]
    answers = references.predictions(which, events, labels, k)
    return _ratio(sum(answers[row] == label for row, label in enumerate(labels)), len(labels))


def _ratio(a: float, b: float) -> float:
    return a / b if b else math.nan
