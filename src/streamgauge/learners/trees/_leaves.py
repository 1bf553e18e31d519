"""What leaves do with a row: predict by class counts or naive Bayes, update their statistics."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from streamgauge._support.index import as_index
from streamgauge._support.jit import inlined, lean_inner
from streamgauge._support.types import Floats
from streamgauge.learners.trees._nodes import (
    BAYES_RIGHT,
    BY_SPLIT,
    HAS_ROWS,
    INV_TWO_VAR,
    LAST_ATTEMPT,
    LEAF,
    M2,
    MAJORITY_RIGHT,
    MAX,
    MEAN,
    MIN,
    WEIGHT,
    Pools,
)
from streamgauge.learners.trees._params import ADAPTIVE, MAJORITY, TreeParams
from streamgauge.learners.trees._value_counts import add_to_count, count_of

_ROOT_TWO_PI = math.sqrt(2 * math.pi)
_INV_PI = 1 / math.pi
_POINT = 1e308  # 1 / (2 variance) of a constant feature: only its mean is possible
_CERTAIN_ZERO = 1e100  # a product with this or a larger negative exponent is exactly 0
_MIN_LIKELIHOOD = 1e-250  # below, a product of nominal likelihoods might underflow
# A product whose logarithm is larger never leaves the range of doubles on the way: its densities
# keep it within a factor of 1e100.
_IN_RANGE = -300.0
_ALL: Final = -1  # instead of the one class whose score has changed


@inlined
def total_and_majority(counts: Floats, node: int) -> tuple[float, int]:
    """Return the weight that a node has seen, and its most frequent class."""
    total, best, most = 0.0, 0, -np.inf
    for c in range(counts.shape[1]):
        count = counts[node, c]
        total += count
        if count > most:
            best, most = c, count
    return total, best


@inlined
def vote(
    pools: Pools, params: TreeParams, node: int, parent: int, X: Floats, row: int, want_votes: bool
) -> tuple[int, bool]:
    """Return the class predicted at a node (-1 abstains), and whether its naive Bayes predicted it.

    A node without rows leaves the prediction to its parent; in MOA a leaf does not, and predicts
    class 0. If `want_votes`, scratch.votes has the votes of all classes, up to a common factor.
    """
    return vote_again(pools, params, node, parent, X, row, want_votes, _ALL)


@inlined
def vote_again(
    pools: Pools, params: TreeParams, node: int, parent: int, X: Floats, row: int,
    want_votes: bool, changed: int,
) -> tuple[int, bool]:  # fmt: skip
    """Return what `vote` returns, if scratch.scores is right except for the class `changed`."""
    nodes, leaves, _, scratch, _ = pools
    voter = node
    total, best = total_and_majority(nodes.counts, voter)
    empty_as_moa = params.as_moa and total == 0 and nodes.kind[node] == LEAF and node != parent
    if total == 0 and not empty_as_moa:
        voter = parent
        total, best = total_and_majority(nodes.counts, voter)
    by_bayes = nodes.kind[voter] == LEAF and params.leaf_prediction != MAJORITY
    if by_bayes and params.leaf_prediction == ADAPTIVE:
        leaf = nodes.leaf[voter]
        by_bayes = leaves.tally[leaf, MAJORITY_RIGHT] <= leaves.tally[leaf, BAYES_RIGHT]
    label = best
    if by_bayes:
        label = _naive_bayes(pools, params, voter, total, X, row, want_votes, changed)
    elif want_votes:
        for c in range(nodes.counts.shape[1]):
            scratch.votes[c] = nodes.counts[voter, c]
    if total == 0 and not empty_as_moa:
        label = -1
    return label, by_bayes and voter == node


@inlined
def _naive_bayes(
    pools: Pools, params: TreeParams, node: int, total: float, X: Floats, row: int,
    want_votes: bool, changed: int,
) -> int:  # fmt: skip
    """Return naive Bayes' prediction at a leaf; if `want_votes`, scratch.votes has its votes.

    It compares logarithms if they are certain to be in the same order as the products of
    `_multiply_likelihoods`: none can overflow, the highest cannot leave the range of doubles on the
    way, and the best two are further apart than rounding could move them. The others may underflow,
    which only makes them smaller, unless all votes are wanted.
    """
    counts, votes, scores = pools.nodes.counts, pools.scratch.votes, pools.scratch.scores
    label, certain = 0, False
    if pools.leaves.tally[pools.nodes.leaf[node], HAS_ROWS] == 0:
        for c in range(counts.shape[1]):  # only the class counts inherited from the split
            votes[c] = counts[node, c]
            if counts[node, c] > counts[node, label]:
                label = c
    else:
        if params.log_space:
            if changed != _ALL:
                scores[changed] = _score(pools, params, node, changed, X, row, want_votes)
            highest, second, certain = -np.inf, -np.inf, True
            for c in range(counts.shape[1]):
                if changed == _ALL:
                    scores[c] = _score(pools, params, node, c, X, row, want_votes)
                score = scores[c]
                certain = certain and not np.isnan(score)
                if score > highest:
                    label, highest, second = c, score, highest
                elif score > second:
                    second = score
            certain = certain and highest > second + 1e-9 and (want_votes or highest > _IN_RANGE)
            if certain and want_votes:
                for c in range(counts.shape[1]):
                    votes[c] = math.exp(scores[c] - highest) if c != label else 1.0
        if not certain:
            _multiply_likelihoods(pools, params, node, total, X, row)
            label = 0  # not argmax, which prefers NaN: an overflow times 0
            for c in range(1, counts.shape[1]):
                if votes[c] > votes[label]:
                    label = c
    return label


@inlined
def _score(
    pools: Pools, params: TreeParams, node: int, c: int, X: Floats, row: int, in_range: bool
) -> float:
    """Return the logarithm of a class's prior times its likelihoods.

    Minus infinity if the product is certain to be 0. NaN if it might overflow or has missing
    values, and if `in_range` also if it might underflow.
    """
    stats, log_at_mean, _, features = pools.leaves
    leaf, row = as_index(pools.nodes.leaf[node]), as_index(row)
    if log_at_mean[leaf, c] == -np.inf:  # a class the leaf has not seen
        return -np.inf
    exponent, certain = 0.0, True
    for i in range(features.shape[1]):  # + 0 if nominal, NaN if the value is missing
        deviation = X[row, as_index(features[leaf, i])] - stats[leaf, c, i, MEAN]
        exponent += deviation * deviation * stats[leaf, c, i, INV_TWO_VAR]
    if pools.counts.table.shape[1] > 0:
        likelihood = _nominal_likelihood(pools, params, leaf, c, X, row)
        exponent -= math.log(likelihood)
        certain = likelihood > _MIN_LIKELIHOOD
    score = log_at_mean[leaf, c] - exponent if not exponent >= _CERTAIN_ZERO else -np.inf
    certain = certain and (exponent < 300 or exponent > _CERTAIN_ZERO)
    return score if certain or not in_range else np.nan


@inlined
def _nominal_likelihood(
    pools: Pools, params: TreeParams, leaf: int, c: int, X: Floats, row: int
) -> float:
    """Return the likelihood of a row's nominal values in class c.

    NaN if a value is missing or the class has no values of a feature.
    """
    stats, _, _, features = pools.leaves
    likelihood = 1.0
    for i in range(features.shape[1]):
        j = features[leaf, i]
        values = params.cardinality[j]
        if values:
            value, n = X[row, j], stats[leaf, c, i, WEIGHT]
            if n == 0 or np.isnan(value):
                likelihood = np.nan
            else:
                known = stats[leaf, c, i, MAX] + 1
                count = count_of(pools.counts, stats, leaf, c, i, values, int(value))
                likelihood *= (count + 1) / (n + known)
    return likelihood


@lean_inner
def _multiply_likelihoods(
    pools: Pools, params: TreeParams, node: int, total: float, X: Floats, row: int
) -> None:
    """Write each class's prior times the likelihoods to scratch.votes, in the order of MOA."""
    counts, cardinality = pools.nodes.counts, params.cardinality
    stats, _, _, features = pools.leaves
    leaf = pools.nodes.leaf[node]
    for c in range(counts.shape[1]):
        product = counts[node, c] / total
        for i in range(features.shape[1]):
            j = features[leaf, i]
            value, n = X[row, j], stats[leaf, c, i, WEIGHT]
            if np.isnan(value):
                continue
            if n == 0:
                product *= 0.0  # not = 0: an overflow times 0 is NaN, in MOA too
            elif cardinality[j]:
                known = stats[leaf, c, i, MAX] + 1
                count = count_of(pools.counts, stats, leaf, c, i, cardinality[j], int(value))
                product *= (count + 1) / (n + known)
            else:
                deviation = value - stats[leaf, c, i, MEAN]
                sd = math.sqrt(stats[leaf, c, i, M2] / (n - 1)) if n > 1 else 0.0
                if sd > 0:
                    density = math.exp(-(deviation * deviation / (2 * sd * sd)))
                    product *= 1 / (_ROOT_TWO_PI * sd) * density
                elif deviation != 0:
                    product *= 0.0
        pools.scratch.votes[c] = product


@inlined
def update_leaf(
    pools: Pools,
    params: TreeParams,
    node: int,
    X: Floats,
    row: int,
    y: int,
    w: float,
    bayes_label: int,
) -> None:
    """Train a leaf with a row.

    `bayes_label` is naive Bayes' prediction there, -1 if it was not computed.
    """
    nodes, leaves, _, _, _ = pools
    if params.leaf_prediction == ADAPTIVE:
        total, majority = total_and_majority(nodes.counts, node)
        leaf = nodes.leaf[node]
        if total > 0:
            if bayes_label < 0:
                bayes_label = _naive_bayes(pools, params, node, total, X, row, False, _ALL)
            leaves.tally[leaf, MAJORITY_RIGHT] += w if majority == y else 0.0
            leaves.tally[leaf, BAYES_RIGHT] += w if bayes_label == y else 0.0
        elif params.as_moa and y == 0:  # what MOA predicts from no rows
            leaves.tally[leaf, BAYES_RIGHT] += w
            leaves.tally[leaf, MAJORITY_RIGHT] += w * leaves.tally[leaf, BY_SPLIT]
    update_statistics(pools, params, node, X, row, y, w, True)


@inlined
def update_statistics(
    pools: Pools,
    params: TreeParams,
    node: int,
    X: Floats,
    row: int,
    y: int,
    w: float,
    predicts: bool,
) -> None:
    """Add a row to a node's class counts, Gaussians and counts of nominal values.

    What only naive Bayes needs is left out unless the node `predicts`.
    """
    stats, log_at_mean, tally, features = pools.leaves
    leaf, row, y = as_index(pools.nodes.leaf[node]), as_index(row), as_index(y)
    cardinality, any_nominal = params.cardinality, pools.counts.table.shape[1] > 0
    pools.nodes.counts[node, y] += w
    tally[leaf, HAS_ROWS] = 1.0
    # Squared densities at the means, multiplied apart so that neither product leaves the range.
    large, small = 1.0, 1.0
    for i in range(features.shape[1]):
        j = as_index(features[leaf, i])
        value, n = X[row, j], stats[leaf, y, i, WEIGHT]
        squared_density = stats[leaf, y, i, INV_TWO_VAR]  # up to a factor of pi
        is_nominal = any_nominal and cardinality[j] > 0
        if np.isnan(value):
            pass
        elif is_nominal:
            add_to_count(
                pools.counts, stats, leaf, y, i, cardinality[j], params.value_offset[j],
                int(value), w,
            )  # fmt: skip
            stats[leaf, y, i, MAX] = value if n == 0 else max(stats[leaf, y, i, MAX], value)
            stats[leaf, y, i, WEIGHT] = n + w
        elif n == 0:
            stats[leaf, y, i, WEIGHT] = w
            stats[leaf, y, i, MEAN] = value
            stats[leaf, y, i, MIN] = value
            stats[leaf, y, i, MAX] = value
            squared_density = _POINT
            stats[leaf, y, i, INV_TWO_VAR] = squared_density
        else:
            before = stats[leaf, y, i, MEAN]
            after = before + w * (value - before) / (n + w)
            m2 = stats[leaf, y, i, M2] + w * (value - before) * (value - after)
            stats[leaf, y, i, WEIGHT] = n + w
            stats[leaf, y, i, MEAN] = after
            stats[leaf, y, i, M2] = m2
            stats[leaf, y, i, MIN] = min(stats[leaf, y, i, MIN], value)
            stats[leaf, y, i, MAX] = max(stats[leaf, y, i, MAX], value)
            if predicts and n + w > 1 and m2 > 0:
                squared_density = (n + w - 1) / (2 * m2)
                stats[leaf, y, i, INV_TWO_VAR] = squared_density
        if not predicts or is_nominal:
            continue
        if squared_density <= 1:
            small *= squared_density * _INV_PI
        elif squared_density < _POINT:
            large *= squared_density * _INV_PI
    if predicts and params.log_space:
        in_range = large < 1e200 and small > 1e-200
        prior = pools.nodes.counts[node, y]
        log_at_mean[leaf, y] = 0.5 * math.log(large * small * prior * prior) if in_range else np.nan


@inlined
def is_split_due(pools: Pools, params: TreeParams, node: int, y: int, w: float) -> bool:
    """Return whether a leaf will attempt a split once it has seen w more weight of a class."""
    total, counts = 0.0, pools.nodes.counts
    for c in range(counts.shape[1]):  # the sum after learning: w added last may round otherwise
        total += counts[node, c] + w if c == y else counts[node, c]
    since = total - pools.leaves.tally[pools.nodes.leaf[node], LAST_ATTEMPT]
    return bool(since >= params.grace_period)
