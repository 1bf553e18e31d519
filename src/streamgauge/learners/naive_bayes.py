"""Naive Bayes, to the digit as in MOA (semantics §13)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from streamgauge.compiled import kernel
from streamgauge.learners.base import Answers, CompiledLearner, state_bytes
from streamgauge.types import Codes, Flags, Floats, Longs, Schema

_ROOT_TWO_PI = math.sqrt(2 * math.pi)


class _State(NamedTuple):
    prior: Floats  # [class]: weight seen
    weight: Floats  # [class, feature]: weight of the values not missing
    mean: Floats
    spread: Floats  # Welford's sum of squared deviations
    height: Floats  # 1 / (√2π sd), kept ready because asking is more frequent than sqrt is cheap
    double_variance: Floats  # 2 sd²; 0 = no spread, the density is 1 at the mean and 0 elsewhere
    counts: Floats  # [class, nominal value of any feature]
    values_seen: Floats  # [class, feature]: highest value code seen + 1
    offset: Longs  # [feature]: where its nominal values begin in counts, -1 = numeric


class NaiveBayes(CompiledLearner):
    """Gaussian for numbers, Laplace-smoothed counts for nominal values, missing values skipped.

    A plain product in doubles: underflow counts, as in MOA. Abstains only before any label.
    """

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        k, d = len(schema.classes), len(schema.features)
        sizes = np.array(schema.cardinality, np.int64)
        offset = np.where(sizes > 0, np.cumsum(sizes) - sizes, -1)
        self._state = _State(
            np.zeros(k),
            *(np.zeros((k, d)) for _ in range(5)),
            np.zeros((k, int(sizes.sum()))),
            np.zeros((k, d)),
            offset.astype(np.int64),
        )

    @property
    def nbytes(self) -> int:
        return state_bytes(self._state)

    def play(
        self,
        X: Floats,
        y: Codes | Floats,
        ops: Flags,
        slots: Longs,
        weight: Floats,
        label: Answers,
        proba: Floats,
    ) -> None:
        _play(X, y, ops, slots, weight, label, proba, self._state)


@kernel
def _product(s: _State, x: Floats, c: int, total: float) -> float:
    """Prior times the likelihood of every value that is not missing."""
    product = s.prior[c] / total
    for j in range(len(x)):
        value = x[j]
        if np.isnan(value):
            continue
        if s.offset[j] >= 0:
            if s.weight[c, j] > 0:
                count = s.counts[c, s.offset[j] + int(value)]
                product *= (count + 1) / (s.weight[c, j] + s.values_seen[c, j])
            else:
                product *= 0.0
        else:
            off = value - s.mean[c, j]
            if s.double_variance[c, j] > 0:
                product *= s.height[c, j] * math.exp(-(off * off / s.double_variance[c, j]))
            elif s.weight[c, j] == 0 or off != 0:
                product *= 0.0
    return product


@kernel
def _absorb(s: _State, x: Floats, c: int, w: float) -> None:
    s.prior[c] += w
    for j in range(len(x)):
        value = x[j]
        if np.isnan(value):
            continue
        s.weight[c, j] += w
        if s.offset[j] >= 0:
            code = int(value)
            s.counts[c, s.offset[j] + code] += w
            s.values_seen[c, j] = max(s.values_seen[c, j], code + 1.0)
            continue
        if s.weight[c, j] == w:
            s.mean[c, j] = value  # the first value exactly, not 0 + w·value/w
            continue
        before = s.mean[c, j]
        s.mean[c, j] += w * (value - before) / s.weight[c, j]
        s.spread[c, j] += w * (value - before) * (value - s.mean[c, j])
        if s.weight[c, j] > 1 and s.spread[c, j] > 0:
            sd = math.sqrt(s.spread[c, j] / (s.weight[c, j] - 1))
            s.height[c, j] = 1 / (_ROOT_TWO_PI * sd)
            s.double_variance[c, j] = 2 * sd * sd


@kernel
def _play(
    X: Floats,
    y: Codes,
    ops: Flags,
    slots: Longs,
    weight: Floats,
    label: Codes,
    proba: Floats,
    s: _State,
) -> None:
    k = len(s.prior)
    products = np.empty(k)
    for e in range(len(ops)):
        x = X[slots[e]]
        if ops[e] == 1:
            if weight[e] > 0:
                _absorb(s, x, y[slots[e]], weight[e])
            continue
        total = s.prior.sum()
        if total == 0:
            label[e] = -1
            if len(proba):
                proba[e] = np.nan
            continue
        best = 0
        for c in range(k):
            products[c] = _product(s, x, c, total)
            if products[c] > products[best]:
                best = c
        label[e] = best
        if len(proba):
            _normalise(products, proba[e])


@kernel
def _normalise(products: Floats, out: Floats) -> None:
    """Probabilities; all 0 when every product underflowed, shared by those that overflowed."""
    total = products.sum()
    if np.isinf(total):
        infinite = np.isinf(products)
        out[:] = infinite / infinite.sum()
    elif total > 0:
        out[:] = products / total
    else:
        out[:] = 0.0
