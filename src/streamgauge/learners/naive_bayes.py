"""NaiveBayes: the same predictions as MOA's, digit for digit (semantics §13)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from streamgauge._support.jit import lean_inner, lean_kernel
from streamgauge._support.types import LEARN, Floats, Longs, Schema
from streamgauge.learners._probabilities import normalise_votes
from streamgauge.learners.base import CompiledLearner, Events, state_bytes

_ROOT_TWO_PI = math.sqrt(2 * math.pi)
_HALF_LOG_PI = 0.5 * math.log(math.pi)
# A product whose logarithm is larger never leaves the range of doubles on the way: `tame` keeps it
# within a factor of 1e100, and the factors that all classes share are above 1e-50.
_IN_RANGE = -300.0


class _NaiveBayesState(NamedTuple):
    prior: Floats  # [class]: weight seen
    seen: Floats  # [class, feature]: weight of the values that are not missing
    mean: Floats
    spread: Floats  # Welford's sum of squared deviations
    narrowness: Floats  # 1 / (2 variance), for the shortcut
    base: Floats  # [class]: log of prior and densities at the mean; NaN = no shortcut
    constant: Longs  # [class]: numeric features of which only one value was seen
    only: Floats  # [class, feature]: 1 if it is one of them
    counts: Floats  # [class, nominal value of any feature]
    values_seen: Floats  # [class, feature]: highest value code seen + 1
    offset: Longs  # [feature]: where its nominal values begin in counts, -1 = numeric


class NaiveBayes(CompiledLearner):
    """Naive Bayes: Gaussian for numeric features, Laplace-smoothed counts for nominal ones.

    Missing values are skipped. The likelihoods are a plain product of doubles, so they may
    underflow, as in MOA. Abstains before any label.

    References
    ----------
    john1995 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> run = sg.evaluate(sg.SEA(1000, seed=1), sg.NaiveBayes())
    >>> print(f"accuracy {run.summary['accuracy']:.3f}")
    accuracy 0.927
    """

    random = False

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        k, d = len(schema.classes), len(schema.features)
        sizes = np.array(schema.cardinality, np.int64)
        offset = np.where(sizes > 0, np.cumsum(sizes) - sizes, -1)
        per_class, per_feature = np.zeros(k), np.zeros((k, d))
        self._state = _NaiveBayesState(
            prior=per_class,
            seen=per_feature,
            mean=per_feature.copy(),
            spread=per_feature.copy(),
            narrowness=per_feature.copy(),
            base=np.full(k, -np.inf),
            constant=np.zeros(k, np.int64),
            only=per_feature.copy(),
            counts=np.zeros((k, int(sizes.sum()))),
            values_seen=per_feature.copy(),
            offset=offset.astype(np.int64),
        )

    @property
    def nbytes(self) -> int:
        return state_bytes(self._state)

    def play(self, events: Events) -> None:
        nominal = np.flatnonzero(self._state.offset >= 0)
        _play(events, self._state, nominal, np.empty(len(self._state.prior)))


@lean_kernel
def _play(events: Events, state: _NaiveBayesState, nominal: Longs, products: Floats) -> None:
    """Process events; `nominal` are the nominal features, `products` is room for a class each."""
    X, y, ops, slots, _, weight, label, proba = events
    # Unpacked once: reading the tuple's fields in the loop costs four times the arithmetic.
    prior, seen, mean, spread, narrowness, base, constant, only, counts, values_seen, offset = state
    k, d = mean.shape
    constants = 0
    for c in range(k):
        constants += constant[c]
    for e in range(len(ops)):
        row = np.uint64(slots[e])  # unsigned: numba need not ask whether it counts from the end
        if ops[e] == LEARN:
            own, w = np.uint64(y[row]), weight[e]
            if w == 0:
                continue
            prior[own] += w
            large, small, one_value = 1.0, 1.0, 0
            for j in range(d):
                value, n, narrow = X[row, j], seen[own, j], narrowness[own, j]
                if offset[j] >= 0:
                    if not np.isnan(value):
                        seen[own, j] += w
                        counts[own, offset[j] + int(value)] += w
                        values_seen[own, j] = max(values_seen[own, j], value + 1.0)
                    continue
                if np.isnan(value):
                    pass
                elif n == 0:
                    n = w
                    seen[own, j] = n
                    mean[own, j] = value
                else:
                    n += w
                    seen[own, j] = n
                    off = value - mean[own, j]
                    new_mean = mean[own, j] + w * off / n
                    new_spread = spread[own, j] + w * off * (value - new_mean)
                    mean[own, j], spread[own, j] = new_mean, new_spread
                    if n > 1 and new_spread > 0:
                        narrow = (n - 1) / (2 * new_spread)
                        narrowness[own, j] = narrow
                        only[own, j] = 0.0
                if narrow > 1:
                    large *= narrow
                elif narrow > 0 or spread[own, j] != 0 or n == 0:
                    small *= narrow
                else:
                    one_value += 1
                    only[own, j] = 1.0
            tame = d <= 128 and large < 1e200 and small > 1e-200
            square = large * small * prior[own] * prior[own]
            # A constant feature has the factor 1; of the others, each factor lacks 1/√π.
            base[own] = 0.5 * math.log(square) + one_value * _HALF_LOG_PI if tame else np.nan
            constants += one_value - constant[own]
            constant[own] = one_value
            continue

        # The shortcut: compare logarithms, without an exp. It is taken only where the products of
        # _multiply_likelihoods are certain to be in the same order: none can overflow, the highest
        # cannot leave the range of doubles on the way, and the best two are further apart than
        # rounding could move them. The others may underflow, which only makes them smaller.
        # Probabilities need all of them; they then differ by rounding at most.
        sure, exact, best, highest, second = True, True, 0, -np.inf, -np.inf
        for c in range(k):
            exponent, strays = 0.0, 0.0
            for j in range(d):
                off = X[row, j] - mean[c, j]
                exponent += off * off * narrowness[c, j]
                strays += only[c, j] if off != 0 else 0.0
            score = base[c] - exponent  # of a nominal or constant feature narrowness is 0
            if len(nominal) and sure and prior[c] > 0 and not np.isnan(score):
                factor = _nominal_likelihood(
                    X, int(row), c, seen, counts, values_seen, offset, nominal
                )
                sure = factor <= 1
                exact = exact and factor > 1e-20
                score += math.log(factor)
            sure = sure and not np.isnan(score)
            exact = exact and exponent < 300 and strays == 0.0
            score = score if strays == 0.0 else -np.inf  # another value than the only one: 0
            products[c] = score
            # Without branches: which class is best is hard to foresee.
            better = score > highest
            other = highest if better else score
            second = other if other > second else second
            highest = score if better else highest
            best = c if better else best
        # Probabilities keep their last digit where a feature is constant.
        in_range = exact and constants == 0 if len(proba) else highest > _IN_RANGE
        sure = sure and in_range and highest > second + 1e-9
        if sure:
            label[e] = best
            if len(proba):
                total = 0.0
                for c in range(k):
                    proba[e, c] = math.exp(products[c] - products[best])
                    total += proba[e, c]
                for c in range(k):
                    proba[e, c] /= total
            continue

        total = 0.0
        for c in range(k):
            total += prior[c]
        if total == 0:
            label[e] = -1
            if len(proba):
                for c in range(k):
                    proba[e, c] = np.nan
            continue
        _multiply_likelihoods(
            X, int(row), total, prior, seen, mean, spread, counts, values_seen, offset, products
        )
        best = 0  # by comparison, not argmax: that would prefer NaN, an overflow times 0
        for c in range(1, k):
            if products[c] > products[best]:
                best = c
        label[e] = best
        if len(proba):
            normalise_votes(products, False, proba, e)


@lean_inner
def _nominal_likelihood(
    X: Floats, row: int, c: int, seen: Floats, counts: Floats, values_seen: Floats, offset: Longs,
    nominal: Longs,
) -> float:  # fmt: skip
    """The likelihood of a row's nominal values in a class."""
    factor = 1.0
    for n in nominal:
        among = seen[c, n] + values_seen[c, n]  # 0: never observed, the factor is infinite
        factor *= (counts[c, offset[n] + int(X[row, n])] + 1) / among
    return factor


@lean_inner
def _multiply_likelihoods(
    X: Floats,
    row: int,
    total: float,
    prior: Floats,
    seen: Floats,
    mean: Floats,
    spread: Floats,
    counts: Floats,
    values_seen: Floats,
    offset: Longs,
    products: Floats,
) -> None:
    """Write each class's prior times the likelihoods to `products`, factor by factor as in MOA."""
    for c in range(len(prior)):
        product = prior[c] / total
        for j in range(X.shape[1]):
            value, n = X[row, j], seen[c, j]
            if np.isnan(value):
                continue
            if n == 0:
                product *= 0.0  # not = 0: an overflow times 0 is NaN, in MOA too
            elif offset[j] >= 0:
                product *= (counts[c, offset[j] + int(value)] + 1) / (n + values_seen[c, j])
            else:
                off = value - mean[c, j]
                sd = math.sqrt(spread[c, j] / (n - 1)) if n > 1 else 0.0
                if sd > 0:
                    product *= 1 / (_ROOT_TWO_PI * sd) * math.exp(-(off * off / (2 * sd * sd)))
                elif off != 0:
                    product *= 0.0
        products[c] = product
