"""Oracle for every metric, computed from the list of scored rows, semantics §3."""

import math
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Scored:
    """A scored row: label, prediction and predictions of the references; -1 is an abstention."""

    y: int
    pred: int
    majority: int
    persistent: int
    transition: int
    seasonal: int
    proba: list[float] | None = None  # with a nan: the learner abstained


Weighted = list[tuple[Scored, float]]


def metric(
    name: str,
    rows: list[Scored],
    weights: list[float],
    k: int,
    cost: list[list[float]] | None = None,
) -> float:
    """The metric over the rows of non-zero weight; nan where it is undefined."""
    data = [(row, w) for row, w in zip(rows, weights, strict=True) if w != 0]
    if name == "error_autocorrelation":
        return _error_autocorrelation(rows, weights) if data else math.nan
    if name == "cost_loss":
        return _cost_loss(data, cost) if data else math.nan
    if name in SIMPLE:
        return SIMPLE[name](data, k) if data else math.nan
    start, _, label = name.rpartition("_")
    if start in PER_CLASS and label.isdigit():
        return PER_CLASS[start](data, int(label)) if data else math.nan
    raise ValueError(f"unknown metric {name!r}")


def _mean(data: Weighted, value: Callable[[Scored], float]) -> float:
    """The weighted mean of a value over the rows."""
    return math.fsum(w * value(row) for row, w in data) / math.fsum(w for _, w in data)


def _plain_mean(values: list[float]) -> float:
    """The mean of the defined values; nan without any."""
    defined = [v for v in values if not math.isnan(v)]
    return math.fsum(defined) / len(defined) if defined else math.nan


def _ratio(a: float, b: float) -> float:
    return a / b if b != 0 else math.nan


# Fractions of the rows.


def _true(data: Weighted, i: int) -> float:
    return _mean(data, lambda r: r.y == i)


def _not_true(data: Weighted, i: int) -> float:
    return _mean(data, lambda r: r.y != i)


def _predicted(data: Weighted, i: int) -> float:
    return _mean(data, lambda r: r.pred == i)


def _not_predicted(data: Weighted, i: int) -> float:
    return _mean(data, lambda r: r.pred != i)


def _hits(data: Weighted, i: int) -> float:
    return _mean(data, lambda r: r.y == i and r.pred == i)


def _accuracy(data: Weighted, k: int) -> float:
    return _mean(data, lambda r: r.pred == r.y)


def _error(data: Weighted, k: int) -> float:
    return _mean(data, lambda r: r.pred != r.y)


def _coverage(data: Weighted, k: int) -> float:
    return _mean(data, lambda r: r.pred != -1)


# The kappas. (p - p_ref) / (1 - p_ref) is written as 1 - (1 - p) / (1 - p_ref), which is equal;
# 1 - p and 1 - p_ref are fractions of wrong rows, so that p_ref = 1 is recognised exactly.


def _p_ran(data: Weighted, k: int) -> float:
    return math.fsum(_true(data, i) * _predicted(data, i) for i in range(k))


def _one_minus_p_ran(data: Weighted, k: int) -> float:
    return math.fsum(_true(data, i) * _not_predicted(data, i) for i in range(k))


def _kappa(data: Weighted, k: int) -> float:
    return 1 - _ratio(_error(data, k), _one_minus_p_ran(data, k))


def _effective_size(data: Weighted) -> float:
    return math.fsum(w for _, w in data) ** 2 / math.fsum(w * w for _, w in data)


def _kappa_se(data: Weighted, k: int) -> float:
    p_times_1_minus_p = _accuracy(data, k) * _error(data, k)
    n = _effective_size(data)
    return math.sqrt(_ratio(p_times_1_minus_p, n * _one_minus_p_ran(data, k) ** 2))


def _kappa_z(data: Weighted, k: int) -> float:
    delta0 = math.sqrt(_ratio(_p_ran(data, k), _effective_size(data) * _one_minus_p_ran(data, k)))
    return _ratio(_kappa(data, k), delta0)


def _kappa_temporal(data: Weighted, k: int) -> float:
    return 1 - _ratio(_error(data, k), _mean(data, lambda r: r.persistent != r.y))


def _kappa_majority(data: Weighted, k: int) -> float:
    return 1 - _ratio(_error(data, k), _mean(data, lambda r: r.majority != r.y))


def _kappa_transition(data: Weighted, k: int) -> float:
    return 1 - _ratio(_error(data, k), _mean(data, lambda r: r.transition != r.y))


def _kappa_seasonal(data: Weighted, k: int) -> float:
    return 1 - _ratio(_error(data, k), _mean(data, lambda r: r.seasonal != r.y))


def _kappa_plus(data: Weighted, k: int) -> float:
    kappa, temporal = _kappa(data, k), _kappa_temporal(data, k)
    if math.isnan(kappa) or math.isnan(temporal):
        return math.nan
    return math.sqrt(max(0.0, kappa) * max(0.0, temporal))


# Per class.


def _recall(data: Weighted, i: int) -> float:
    return _ratio(_hits(data, i), _true(data, i))


def _precision(data: Weighted, i: int) -> float:
    return _ratio(_hits(data, i), _predicted(data, i))


def _f1(data: Weighted, i: int) -> float:
    return _ratio(2 * _hits(data, i), _true(data, i) + _predicted(data, i))


def _macro_recall(data: Weighted, k: int) -> float:
    return _plain_mean([_recall(data, i) for i in range(k)])


def _macro_precision(data: Weighted, k: int) -> float:
    return _plain_mean([_precision(data, i) for i in range(k)])


def _macro_f1(data: Weighted, k: int) -> float:
    return _plain_mean([_f1(data, i) for i in range(k)])


def _g_mean(data: Weighted, k: int) -> float:
    recalls = [_recall(data, i) for i in range(k) if any(row.y == i for row, _ in data)]
    return math.prod(recalls) ** (1 / len(recalls))


def _mcc(data: Weighted, k: int) -> float:
    """Gorodkin's R_K: covariances of the class indicators, summed over classes, -1 included."""
    classes = range(-1, k)
    together = math.fsum(_hits(data, i) - _true(data, i) * _predicted(data, i) for i in classes)
    true = math.fsum(_true(data, i) * _not_true(data, i) for i in classes)
    predicted = math.fsum(_predicted(data, i) * _not_predicted(data, i) for i in classes)
    return _ratio(together, math.sqrt(true) * math.sqrt(predicted))


# Losses.


def _cost_loss(data: Weighted, cost: list[list[float]] | None) -> float:
    if cost is None:
        raise ValueError("cost_loss needs a cost matrix")
    return _mean(data, lambda r: max(cost[r.y]) if r.pred == -1 else cost[r.y][r.pred])


def _probabilities(row: Scored, k: int) -> list[float]:
    """The row's probabilities: uniform for an abstention, nan when the learner gives none."""
    if row.pred == -1:
        return [1 / k] * k
    if row.proba is None:
        return [math.nan] * k
    if any(math.isnan(p) for p in row.proba):
        return [1 / k] * k
    return row.proba


def _log_loss(data: Weighted, k: int) -> float:
    def loss(row: Scored) -> float:
        p = _probabilities(row, k)[row.y]
        return -math.log(1e-15 if p < 1e-15 else p)

    return _mean(data, loss)


def _brier(data: Weighted, k: int) -> float:
    def loss(row: Scored) -> float:
        p = _probabilities(row, k)
        return math.fsum((p[i] - (1 if row.y == i else 0)) ** 2 for i in range(k))

    return _mean(data, loss)


def _auc(data: Weighted, k: int) -> float:
    if k == 2:
        return _one_against_rest(data, 1, k)
    return _plain_mean([_one_against_rest(data, i, k) for i in range(k)])


def _one_against_rest(data: Weighted, i: int, k: int) -> float:
    """Fraction of pairs (a row of class i, another row) in which the former's bin is higher."""
    scores = [(_probabilities(row, k)[i], row.y == i, w) for row, w in data]
    if any(math.isnan(score) for score, _, _ in scores):
        return math.nan
    bins = [(min(255, math.floor(score * 256)), is_i, w) for score, is_i, w in scores]
    won, pairs = [], []
    for bin_a, a_is_i, w_a in bins:
        for bin_b, b_is_i, w_b in bins:
            if a_is_i and not b_is_i:
                pairs.append(w_a * w_b)
                won.append(w_a * w_b * (1.0 if bin_a > bin_b else 0.5 if bin_a == bin_b else 0.0))
    return _ratio(math.fsum(won), math.fsum(pairs))


# The order of errors: here rows of weight 0 matter, as predecessors.


def _error_autocorrelation(rows: list[Scored], weights: list[float]) -> float:
    wrong = [1 if row.pred != row.y else 0 for row in rows]
    before = [0, *wrong[:-1]]
    total = math.fsum(weights)
    m = math.fsum(w * e for w, e in zip(weights, wrong, strict=True)) / total
    right = math.fsum(w * (1 - e) for w, e in zip(weights, wrong, strict=True)) / total
    both = math.fsum(w * e * b for w, e, b in zip(weights, wrong, before, strict=True)) / total
    return _ratio(both - m * m, m * right)


SIMPLE: dict[str, Callable[[Weighted, int], float]] = {
    "accuracy": _accuracy,
    "error": _error,
    "coverage": _coverage,
    "kappa": _kappa,
    "kappa_se": _kappa_se,
    "kappa_z": _kappa_z,
    "kappa_temporal": _kappa_temporal,
    "kappa_majority": _kappa_majority,
    "kappa_transition": _kappa_transition,
    "kappa_seasonal": _kappa_seasonal,
    "kappa_plus": _kappa_plus,
    "balanced_accuracy": _macro_recall,  # recall is defined for classes that occur
    "macro_precision": _macro_precision,
    "macro_recall": _macro_recall,
    "macro_f1": _macro_f1,
    "g_mean": _g_mean,
    "mcc": _mcc,
    "log_loss": _log_loss,
    "brier": _brier,
    "auc": _auc,
}

PER_CLASS: dict[str, Callable[[Weighted, int], float]] = {
    "precision": _precision,
    "recall": _recall,
    "f1": _f1,
}


def regression(name: str, rows: list[tuple[float, float]], weights: list[float]) -> float:
    """mae, rmse, r2 or coverage of rows (y, prediction); a nan prediction is an abstention."""
    data = [(y, p, w) for (y, p), w in zip(rows, weights, strict=True) if w != 0]
    made = [(y, p, w) for y, p, w in data if not math.isnan(p)]
    total = math.fsum(w for _, _, w in made)
    if name == "coverage":
        return _ratio(total, math.fsum(w for _, _, w in data))
    if name == "mae":
        return _ratio(math.fsum(w * abs(y - p) for y, p, w in made), total)
    squares = math.fsum(w * (y - p) ** 2 for y, p, w in made)
    if name == "rmse":
        return math.sqrt(_ratio(squares, total))
    if name == "r2":
        if len({y for y, _, _ in made}) < 2:  # no variance
            return math.nan
        mean = math.fsum(w * y for y, _, w in made) / total
        return 1 - _ratio(squares, math.fsum(w * (y - mean) ** 2 for y, _, w in made))
    raise ValueError(f"unknown metric {name!r}")
