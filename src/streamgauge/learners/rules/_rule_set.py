"""The rules of AMRules in arrays: conditions, statistics, models, and how the set changes."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from streamgauge._support.index import as_index
from streamgauge._support.jit import inlined, inner, lean_inner
from streamgauge._support.rng import Rng, new_rng
from streamgauge._support.types import Codes, Flags, Floats, Longs, Schema
from streamgauge.learners._rows import copy_row
from streamgauge.learners.trees._target_bins import (
    BIN_SQUARES,
    BIN_SUM,
    BIN_UPPER,
    BIN_WEIGHT,
    add_to_bin,
    add_value,
    best_threshold,
    best_value,
    clear_bins,
    empty_bins,
    new_scratch,
    slots_for,
    sort_bins,
)

_MAX_BINS: Final = 51  # of a numeric feature in a rule, as in MOA
_MAX_CONDITIONS: Final = 64  # a rule with this many is not expanded further
_BUFFER_ROWS: Final = 64  # a rule buffers this many rows and bins them together
_MIN_FRACTION: Final = 0.05  # of a rule's weight, on either side of a cut

# Kinds of conditions. A missing value meets none.
AT_MOST: Final = 0
ABOVE: Final = 1
IS: Final = 2
IS_NOT: Final = 3

# Columns of Rules.stats. Targets are relative to the first one.
WEIGHT: Final = 0  # since the rule was last expanded: weight, sum and squares of targets
SUM: Final = 1
SQUARES: Final = 2
LAST_ATTEMPT: Final = 3  # WEIGHT when an expansion was last attempted
MEAN_WEIGHT: Final = 4  # of the mean model
MEAN_SUM: Final = 5
LINEAR_WEIGHT: Final = 6  # of the perceptron: weight, sum and squares of its targets
LINEAR_SUM: Final = 7
LINEAR_SQUARES: Final = 8
MEAN_ERROR: Final = 9  # faded absolute errors of the two models
LINEAR_ERROR: Final = 10
PH_COUNT: Final = 11  # Page–Hinkley test
PH_MEAN: Final = 12
PH_SUM: Final = 13
PH_MIN: Final = 14
NORMAL_WEIGHT: Final = 15  # of the rows that were not anomalies
_N_STATS: Final = 16
_SINCE_EXPANSION: Final = (
    WEIGHT, SUM, SQUARES, LAST_ATTEMPT, PH_COUNT, PH_MEAN, PH_SUM, PH_MIN, NORMAL_WEIGHT,
)  # fmt: skip

# Quantities of a feature. Values are relative to the first one.
OF_WEIGHT: Final = 0
OF_SUM: Final = 1
OF_SQUARES: Final = 2
OF_MEAN: Final = 3
OF_UNIT: Final = 4  # standard deviation, or 1 if it is almost 0
_N_QUANTITIES: Final = 5

# Entries of Rules.counters.
N_RULES: Final = 0  # rules in the set
DEFAULT: Final = 1  # the default rule
N_FREE: Final = 2  # rules not in use


class Rules(NamedTuple):
    """An ordered set of rules and the default rule, which covers the rows no other covers."""

    order: Longs  # the rules of the set
    free: Longs  # a stack of rules not in use
    counters: Longs
    n_conditions: Codes  # [rule]
    condition_feature: Codes  # [rule, condition]
    condition_kind: Flags  # [rule, condition]
    condition_value: Floats  # [rule, condition]
    stats: Floats  # [rule, column]
    perceptron: Floats  # [rule, feature and intercept]: weights
    feature_sums: Floats  # [rule, quantity, feature]: of the perceptron's rows
    normal_sums: Floats  # [rule, quantity, feature]: of rows that were not anomalies, first three
    bins: Floats  # [quantity, slot]: the bins of all rules; each has room for all its features
    n_bins: Codes  # [rule, feature]
    buffer: Floats  # [rule, row, column]: feature values, weight, target
    buffered: Codes  # [rule]: rows in the buffer
    bin_offset: Longs  # [feature]: its first bin in a rule; the last entry is their total
    cardinality: Longs  # [feature]: number of nominal values, 0 if numeric
    first_values: Floats  # [feature and target]: the first value seen; sums are relative to it
    scratch: Floats  # [quantity, slot]: a run of bins that is being sorted
    rng: Rng


def new_rules(schema: Schema, seed: int) -> Rules:
    """Return an empty set and an empty default rule."""
    cardinality = np.array(schema.cardinality, np.int64)
    d = len(cardinality)
    sizes = np.where(cardinality > 0, cardinality, slots_for(_MAX_BINS))
    bin_offset = np.concatenate([[0], np.cumsum(sizes)])
    rules = _arrays(4, cardinality, bin_offset.astype(np.int64))
    rules.counters[:] = 0, 0, 3
    rules.free[:3] = 3, 2, 1
    return rules._replace(first_values=np.full(d + 1, np.nan), rng=new_rng(seed))


def _arrays(n: int, cardinality: Longs, bin_offset: Longs) -> Rules:
    """Return arrays for n rules."""
    d, bins_per_rule = len(cardinality), int(bin_offset[-1])
    conditions = n, _MAX_CONDITIONS
    return Rules(
        order=np.zeros(n, np.int64),
        free=np.zeros(n, np.int64),
        counters=np.zeros(3, np.int64),
        n_conditions=np.zeros(n, np.int32),
        condition_feature=np.zeros(conditions, np.int32),
        condition_kind=np.zeros(conditions, np.uint8),
        condition_value=np.zeros(conditions),
        stats=np.zeros((n, _N_STATS)),
        perceptron=np.zeros((n, d + 1)),
        feature_sums=np.zeros((n, _N_QUANTITIES, d)),
        normal_sums=np.zeros((n, OF_SQUARES + 1, d)),
        bins=_no_bins(n * bins_per_rule),
        n_bins=np.zeros((n, d), np.int32),
        buffer=np.zeros((n, _BUFFER_ROWS, d + 2)),
        buffered=np.zeros(n, np.int32),
        bin_offset=bin_offset,
        cardinality=cardinality,
        first_values=np.empty(0),
        scratch=new_scratch(_MAX_BINS),
        rng=np.zeros(1, np.uint64),
    )


def _no_bins(slots: int) -> Floats:
    """Return a table of empty slots."""
    table = np.zeros((BIN_SQUARES + 1, slots))
    table[BIN_UPPER] = np.nan
    return table


def doubled(rules: Rules) -> Rules:
    """Return the same rules with room for twice as many."""
    n = len(rules.order)
    more = _arrays(n, rules.cardinality, rules.bin_offset)
    counters = rules.counters.copy()
    others = "counters", "bins", "bin_offset", "cardinality", "first_values", "scratch", "rng"
    columns: dict[str, Any] = {
        name: _joined(getattr(rules, name), getattr(more, name))
        for name in Rules._fields
        if name not in others
    }
    n_free = counters[N_FREE]
    columns["free"][n_free : n_free + n] = np.arange(2 * n - 1, n - 1, -1)
    counters[N_FREE] += n
    columns["bins"] = np.concatenate([rules.bins, more.bins], axis=1)
    return rules._replace(counters=counters, **columns)


def _joined(first: npt.NDArray[Any], second: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.concatenate([first, second])


@inlined
def covers(rules: Rules, rule: int, X: Floats, row: int) -> bool:
    """Return whether a row meets all conditions of a rule."""
    rule = as_index(rule)
    for i in range(rules.n_conditions[rule]):
        feature, value = rules.condition_feature[rule, i], rules.condition_value[rule, i]
        x = X[row, as_index(int(feature))]
        kind = rules.condition_kind[rule, i]
        if kind == AT_MOST:
            holds = x <= value
        elif kind == ABOVE:
            holds = x > value
        elif kind == IS:
            holds = x == value
        else:
            holds = x != value and not np.isnan(x)
        if not holds:
            return False
    return True


@lean_inner
def flush_buffer(rules: Rules, rule: int) -> None:
    """Move a rule's buffered rows into its bins."""
    bins, n_bins, cardinality = rules.bins, rules.n_bins, rules.cardinality
    buffer, base, d = rules.buffer, rule * rules.bin_offset[-1], len(rules.cardinality)
    for r in range(rules.buffered[rule]):  # features inside, as in a leaf
        weight, target = buffer[rule, r, d], buffer[rule, r, d + 1]
        for j in range(d):
            value, start = buffer[rule, r, j], base + rules.bin_offset[j]
            if np.isnan(value):
                continue
            if cardinality[j] > 0:
                add_to_bin(bins, start + int(value), weight, target)
            else:
                n_bins[rule, j] = add_value(
                    bins, start, n_bins[rule, j], _MAX_BINS, value, weight, target, rules.scratch
                )
    rules.buffered[rule] = 0


@inner
def attempt_expansion(rules: Rules, rule: int, bound: float, tau: float) -> None:
    """Add the best condition to a rule if it is clear which one is best.

    Of the two sides of the best cut the rule keeps the one whose targets vary less. The default
    rule joins the set; a copy without the condition becomes the new default.
    """
    stats, cardinality = rules.stats, rules.cardinality
    total = stats[rule, SQUARES] - stats[rule, SUM] * stats[rule, SUM] / stats[rule, WEIGHT]
    if not total > 0 or rules.n_conditions[rule] == _MAX_CONDITIONS:
        return
    best, second, feature, threshold = 0.0, 0.0, -1, 0.0
    min_weight, base = _MIN_FRACTION * stats[rule, WEIGHT], rule * rules.bin_offset[-1]
    for j in range(len(cardinality)):
        start = base + rules.bin_offset[j]
        if cardinality[j] > 0:
            cut = best_value(rules.bins, start, cardinality[j], True, min_weight)
        else:
            sort_bins(rules.bins, start, rules.n_bins[rule, j], rules.scratch)
            cut = best_threshold(rules.bins, start, rules.n_bins[rule, j], min_weight)
        if cut.gain / total >= best:
            second, best, feature, threshold = best, cut.gain / total, j, cut.threshold
        elif cut.gain / total > second:
            second = cut.gain / total
    if best <= 0 or not (best - second > bound or bound < tau):
        return
    inside = _varies_less_inside(rules, rule, feature, threshold)
    if rule == rules.counters[DEFAULT]:
        _replace_default(rules, rule)
    if cardinality[feature] > 0:
        _add_condition(rules, rule, feature, IS if inside else IS_NOT, threshold)
    else:
        _add_condition(rules, rule, feature, AT_MOST if inside else ABOVE, threshold)
    _reset_statistics(rules, rule)
    stats[rule, MEAN_ERROR] = 0.0
    stats[rule, LINEAR_ERROR] = 0.0
    stats[rule, MEAN_SUM] /= stats[rule, MEAN_WEIGHT]  # keep the mean, with the weight of one row
    stats[rule, MEAN_WEIGHT] = 1.0


@inner
def _variance(
    bins: Floats, start: int, n: int, nominal: bool, threshold: float, inside: bool
) -> float:
    """Return the variance of the targets on one side of a cut."""
    weight, total, squares = 0.0, 0.0, 0.0
    for r in range(n):
        holds = r == threshold if nominal else bins[BIN_UPPER, start + r] <= threshold
        if holds == inside:
            weight += bins[BIN_WEIGHT, start + r]
            total += bins[BIN_SUM, start + r]
            squares += bins[BIN_SQUARES, start + r]
    return squares / weight - (total / weight) * (total / weight)


@inner
def _varies_less_inside(rules: Rules, rule: int, feature: int, threshold: float) -> bool:
    """Return whether targets vary less where a cut's condition holds than elsewhere."""
    start = rule * rules.bin_offset[-1] + rules.bin_offset[feature]
    nominal = rules.cardinality[feature] > 0
    n = rules.cardinality[feature] if nominal else rules.n_bins[rule, feature]
    inside = _variance(rules.bins, start, n, nominal, threshold, True)
    return bool(inside <= _variance(rules.bins, start, n, nominal, threshold, False))


@inner
def _replace_default(rules: Rules, rule: int) -> None:
    """Append the default rule to the set; a copy with its models becomes the new default."""
    counters = rules.counters
    rules.order[counters[N_RULES]] = rule
    counters[N_RULES] += 1
    counters[N_FREE] -= 1
    new = rules.free[counters[N_FREE]]
    counters[DEFAULT] = new
    rules.n_conditions[new] = 0
    copy_row(rules.stats, rule, rules.stats, new)
    copy_row(rules.perceptron, rule, rules.perceptron, new)
    for quantity in range(rules.feature_sums.shape[1]):
        for j in range(len(rules.cardinality)):
            rules.feature_sums[new, quantity, j] = rules.feature_sums[rule, quantity, j]
    _reset_statistics(rules, new)


@inner
def _add_condition(rules: Rules, rule: int, feature: int, kind: int, value: float) -> None:
    """Add a condition; it replaces one of its kind on the same feature, except for `IS_NOT`."""
    n = rules.n_conditions[rule]
    place = n
    for i in range(n):
        same_feature = rules.condition_feature[rule, i] == feature
        if same_feature and rules.condition_kind[rule, i] == kind and kind != IS_NOT:
            place = i
    rules.condition_feature[rule, place] = feature
    rules.condition_kind[rule, place] = kind
    rules.condition_value[rule, place] = value
    rules.n_conditions[rule] = max(n, place + 1)


@inner
def _reset_statistics(rules: Rules, rule: int) -> None:
    """Reset everything but a rule's conditions and models."""
    for column in _SINCE_EXPANSION:
        rules.stats[rule, column] = 0.0
    base = rule * rules.bin_offset[-1]
    for j in range(len(rules.cardinality)):
        start, slots = base + rules.bin_offset[j], rules.bin_offset[j + 1] - rules.bin_offset[j]
        if rules.cardinality[j] > 0:
            clear_bins(rules.bins, start, slots)
        else:
            empty_bins(rules.bins, start, 0, slots)
        rules.n_bins[rule, j] = 0
        for quantity in range(rules.normal_sums.shape[1]):
            rules.normal_sums[rule, quantity, j] = 0.0
    rules.buffered[rule] = 0


@inner
def remove(rules: Rules, position: int) -> None:
    """Remove a rule from the set."""
    counters, order = rules.counters, rules.order
    rules.free[counters[N_FREE]] = order[position]
    counters[N_FREE] += 1
    counters[N_RULES] -= 1
    for i in range(position, counters[N_RULES]):
        order[i] = order[i + 1]
