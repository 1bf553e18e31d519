"""Rules of AMRules in arrays: conditions, what each rule has seen, its two models, its watchers."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from streamgauge._support.jit import inlined, inner
from streamgauge._support.rng import Rng, new_rng
from streamgauge._support.types import Codes, Flags, Floats, Longs, Schema
from streamgauge.learners._rows import clear_row, copy_row
from streamgauge.learners.trees._target_bins import (
    CUT,
    MASS,
    SQUARES,
    WEIGHT,
    best_cut,
    best_value,
    note,
    note_nominal,
)

MOST_CUTS: Final = 51  # of a number in a rule, as in MOA
_MOST_CONDITIONS: Final = 64  # a rule with so many is not expanded further
_WAITING: Final = 64  # rows a rule keeps before it sorts them into bins
_LEAST_SHARE: Final = 0.05  # of a rule's weight, on either side of a cut

# A condition; a missing value fulfils none.
AT_MOST: Final = 0
ABOVE: Final = 1
IS: Final = 2
IS_NOT: Final = 3

# Columns of Rules.stats. Targets are counted from the first one.
SEEN: Final = 0  # since the rule was last expanded: weight, sum, squares
SUM: Final = 1
SQUARE: Final = 2
JUDGED: Final = 3  # SEEN when an expansion was last considered
MEAN_WEIGHT: Final = 4  # the mean's
MEAN_SUM: Final = 5
LESSONS: Final = 6  # the perceptron's: weight, and sum and squares of the target
LINE_SUM: Final = 7
LINE_SQUARE: Final = 8
MEAN_ERROR: Final = 9  # faded
LINE_ERROR: Final = 10
PH_COUNT: Final = 11  # Page–Hinkley's
PH_MEAN: Final = 12
PH_SUM: Final = 13
PH_LOW: Final = 14
USUAL: Final = 15  # weight of the rows that were no anomalies
_STATS: Final = 16
_SINCE_EXPANSION: Final = (SEEN, SUM, SQUARE, JUDGED, PH_COUNT, PH_MEAN, PH_SUM, PH_LOW, USUAL)

# Places of Rules.used.
COUNT: Final = 0  # rules in the set
DEFAULT: Final = 1  # the rule of all rows that no other covers
FREE: Final = 2  # rules that may be taken


class Rules(NamedTuple):
    """The set, in order, and the default rule."""

    order: Longs  # the rules of the set
    free: Longs  # a stack of rules not in use
    used: Longs
    conditions: Codes  # [rule]: how many
    feature: Codes  # [rule, condition]
    kind: Flags
    value: Floats
    stats: Floats  # [rule, column]
    linear: Floats  # [rule, feature and one more]: the perceptron's weights
    spans: Floats  # [rule, feature, 3]: what the perceptron saw: weight, sum, squares
    usual: Floats  # [rule, feature, 3]: the same of the rows that were no anomalies
    record: Floats  # [place, column]: bins, of each rule all its features'
    filled: Codes  # [rule, feature]
    waiting: Floats  # [rule, row, feature and two more]
    waits: Codes  # [rule]
    begin: Longs  # [feature]: where its bins begin among a rule's; last, how many there are
    sizes: Longs  # [feature]: how many nominal values, 0 = a number
    origin: Floats  # [feature and one more]: the first value seen, and the first target
    rng: Rng


def new_rules(schema: Schema, seed: int) -> Rules:
    """An empty set and a default rule that has seen nothing."""
    sizes = np.array(schema.cardinality, np.int64)
    d = len(sizes)
    begin = np.concatenate([[0], np.cumsum(np.where(sizes > 0, sizes, MOST_CUTS))])
    rules = _arrays(4, sizes, begin.astype(np.int64))
    rules.used[:] = 0, 0, 3
    rules.free[:3] = 3, 2, 1
    return rules._replace(origin=np.full(d + 1, np.nan), rng=new_rng(seed))


def _arrays(n: int, sizes: Longs, begin: Longs) -> Rules:
    d, places = len(sizes), int(begin[-1])
    conditions = n, _MOST_CONDITIONS
    return Rules(
        order=np.zeros(n, np.int64),
        free=np.zeros(n, np.int64),
        used=np.zeros(3, np.int64),
        conditions=np.zeros(n, np.int32),
        feature=np.zeros(conditions, np.int32),
        kind=np.zeros(conditions, np.uint8),
        value=np.zeros(conditions),
        stats=np.zeros((n, _STATS)),
        linear=np.zeros((n, d + 1)),
        spans=np.zeros((n, d, 3)),
        usual=np.zeros((n, d, 3)),
        record=np.zeros((n * places, SQUARES + 1)),
        filled=np.zeros((n, d), np.int32),
        waiting=np.zeros((n, _WAITING, d + 2)),
        waits=np.zeros(n, np.int32),
        begin=begin,
        sizes=sizes,
        origin=np.empty(0),
        rng=np.zeros(1, np.uint64),
    )


def doubled(rules: Rules) -> Rules:
    """The same rules with room for twice as many."""
    n = len(rules.order)
    more = _arrays(n, rules.sizes, rules.begin)
    used = rules.used.copy()
    columns: dict[str, Any] = {
        name: _joined(getattr(rules, name), getattr(more, name))
        for name in Rules._fields
        if name not in ("used", "begin", "sizes", "origin", "rng")
    }
    columns["free"][used[FREE] : used[FREE] + n] = np.arange(2 * n - 1, n - 1, -1)
    used[FREE] += n
    return rules._replace(used=used, **columns)


def _joined(first: npt.NDArray[Any], second: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.concatenate([first, second])


@inlined
def covers(
    X: Floats, row: int, rule: int, conditions: Codes, feature: Codes, kind: Flags, value: Floats
) -> bool:
    """Does a row fulfil all conditions of a rule?"""
    for i in range(conditions[rule]):
        x, v = X[row, feature[rule, i]], value[rule, i]
        if kind[rule, i] == AT_MOST:
            holds = x <= v
        elif kind[rule, i] == ABOVE:
            holds = x > v
        elif kind[rule, i] == IS:
            holds = x == v
        else:
            holds = x != v and not np.isnan(x)
        if not holds:
            return False
    return True


@inner
def sort_in(rules: Rules, rule: int) -> None:
    """The rows that wait get into the bins."""
    record, sizes, begin = rules.record, rules.sizes, rules.begin
    rows, base = rules.waiting[rule, : rules.waits[rule]], rule * begin[-1]
    news = np.empty((len(rows), record.shape[1]))
    for j in range(len(sizes)):
        start, n = base + begin[j], rules.filled[rule, j]
        if sizes[j] > 0:
            note_nominal(record, start, rows, j)
        else:
            rules.filled[rule, j] = note(record, start, n, MOST_CUTS, rows, j, news)
    rules.waits[rule] = 0


@inner
def expand(rules: Rules, rule: int, bound: float, tie: float) -> None:
    """Add the condition that a rule's rows ask for, if they have settled on it.

    Of the two sides of the best cut the rule keeps the one whose targets vary less. A default rule
    leaves a copy of itself, without the condition, as the new default.
    """
    stats, sizes = rules.stats, rules.sizes
    total = stats[rule, SQUARE] - stats[rule, SUM] * stats[rule, SUM] / stats[rule, SEEN]
    if not total > 0 or rules.conditions[rule] == _MOST_CONDITIONS:
        return
    best, second, feature, at = 0.0, 0.0, -1, 0.0
    least, base = _LEAST_SHARE * stats[rule, SEEN], rule * rules.begin[-1]
    for j in range(len(sizes)):
        start = base + rules.begin[j]
        if sizes[j] > 0:
            cut = best_value(rules.record, start, sizes[j], least)
        else:
            cut = best_cut(rules.record, start, rules.filled[rule, j], least)
        if cut.gain / total >= best:
            second, best, feature, at = best, cut.gain / total, j, cut.at
        elif cut.gain / total > second:
            second = cut.gain / total
    if best <= 0 or not (best - second > bound or bound < tie):
        return
    inside = _varies_less_inside(rules, rule, feature, at)
    if rule == rules.used[DEFAULT]:
        _leave_default(rules, rule)
    if sizes[feature] > 0:
        _add(rules, rule, feature, IS if inside else IS_NOT, at)
    else:
        _add(rules, rule, feature, AT_MOST if inside else ABOVE, at)
    _start_afresh(rules, rule)
    stats[rule, MEAN_ERROR] = 0.0
    stats[rule, LINE_ERROR] = 0.0
    stats[rule, MEAN_SUM] /= stats[rule, MEAN_WEIGHT]  # the mean stays, as if of one row
    stats[rule, MEAN_WEIGHT] = 1.0


@inner
def _variance(record: Floats, start: int, n: int, nominal: bool, at: float, inside: bool) -> float:
    """Of the targets on one side of a cut."""
    weight, mass, squares = 0.0, 0.0, 0.0
    for r in range(n):
        holds = r == at if nominal else record[start + r, CUT] <= at
        if holds == inside:
            weight += record[start + r, WEIGHT]
            mass += record[start + r, MASS]
            squares += record[start + r, SQUARES]
    return squares / weight - (mass / weight) * (mass / weight)


@inner
def _varies_less_inside(rules: Rules, rule: int, feature: int, at: float) -> bool:
    """Of the two sides of a cut: do targets vary less where it holds?"""
    start = rule * rules.begin[-1] + rules.begin[feature]
    nominal = rules.sizes[feature] > 0
    n = rules.sizes[feature] if nominal else rules.filled[rule, feature]
    within = _variance(rules.record, start, n, nominal, at, True)
    return bool(within <= _variance(rules.record, start, n, nominal, at, False))


@inner
def _leave_default(rules: Rules, rule: int) -> None:
    """A default rule joins the set; a copy, models and all, takes its place."""
    used = rules.used
    rules.order[used[COUNT]] = rule
    used[COUNT] += 1
    used[FREE] -= 1
    new = rules.free[used[FREE]]
    used[DEFAULT] = new
    rules.conditions[new] = 0
    copy_row(rules.stats, rule, rules.stats, new)
    copy_row(rules.linear, rule, rules.linear, new)
    for j in range(len(rules.sizes)):
        for column in range(rules.spans.shape[2]):
            rules.spans[new, j, column] = rules.spans[rule, j, column]
    _start_afresh(rules, new)


@inner
def _add(rules: Rules, rule: int, feature: int, kind: int, value: float) -> None:
    """Another condition; one of a number replaces the wider one of its kind."""
    n = rules.conditions[rule]
    place = n
    for i in range(n):
        same = rules.feature[rule, i] == feature and rules.kind[rule, i] == kind
        if same and kind != IS_NOT:
            place = i
    rules.feature[rule, place] = feature
    rules.kind[rule, place] = kind
    rules.value[rule, place] = value
    rules.conditions[rule] = max(n, place + 1)


@inner
def _start_afresh(rules: Rules, rule: int) -> None:
    """Forget everything but conditions and models."""
    for column in _SINCE_EXPANSION:
        rules.stats[rule, column] = 0.0
    places = rules.begin[-1]
    for r in range(rule * places, (rule + 1) * places):
        clear_row(rules.record, r)
    for j in range(len(rules.sizes)):
        rules.filled[rule, j] = 0
        for column in range(rules.usual.shape[2]):
            rules.usual[rule, j, column] = 0.0
    rules.waits[rule] = 0


@inner
def remove(rules: Rules, position: int) -> None:
    """Take a rule out of the set."""
    used, order = rules.used, rules.order
    rules.free[used[FREE]] = order[position]
    used[FREE] += 1
    used[COUNT] -= 1
    for i in range(position, used[COUNT]):
        order[i] = order[i + 1]
