"""The Hoeffding tree (VFDT), as in MOA: splits when enough rows have shown which one is best."""

from __future__ import annotations

import inspect
import math
from typing import Final, Literal

import numpy as np

from streamgauge.compiled import kernel
from streamgauge.errors import UsageError, check_whole
from streamgauge.learners.base import CompiledLearner, Events, state_bytes
from streamgauge.learners.naive_bayes import multiply
from streamgauge.learners.tree_nodes import (
    INACTIVE,
    LEAF,
    MULTIWAY,
    NUMERIC,
    Leaves,
    Nodes,
    add_leaf,
    grown,
    new_pools,
    width_of,
)
from streamgauge.learners.tree_splits import GINI, INFO_GAIN, Rule, consider
from streamgauge.types import LEARN, Floats, Longs, Schema

MAJORITY: Final = 0
BAYES: Final = 1
ADAPTIVE: Final = 2
_MODES = {"mc": MAJORITY, "nb": BAYES, "nba": ADAPTIVE}
_CRITERIA = {"info_gain": INFO_GAIN, "gini": GINI}


class HoeffdingTree(CompiledLearner):
    """A leaf considers a split after every `grace` rows, and makes it when the best one leads the
    second by more than Hoeffding's bound at `delta`, or when the bound is below `tie`.

    Leaves vote by class counts ("mc"), naive Bayes ("nb"), or whichever was right more often there
    ("nba"). Numbers are kept as one Gaussian a class with ten candidate thresholds; nominal
    features split into all their values, or one against the rest. Defaults are CapyMOA's.
    """

    def __init__(
        self,
        grace: int = 200,
        delta: float = 1e-3,
        tie: float = 0.05,
        leaf: Literal["mc", "nb", "nba"] = "nba",
        criterion: Literal["info_gain", "gini"] = "info_gain",
    ) -> None:
        check_whole("HoeffdingTree(grace)", grace)
        self._given: dict[str, object] = {
            "grace": grace, "delta": delta, "tie": tie, "leaf": leaf, "criterion": criterion,
        }  # fmt: skip
        if grace < 1 or not 0 < delta < 1 or tie < 0:
            raise UsageError(f"{self}: expected grace >= 1, 0 < delta < 1 and tie >= 0")
        if leaf not in _MODES or criterion not in _CRITERIA:
            raise UsageError(f"{self}: leaf is mc, nb or nba; criterion is info_gain or gini")
        self._rule = Rule(_CRITERIA[criterion], float(grace), float(delta), float(tie))
        self._mode = _MODES[leaf]

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        sizes = np.array(schema.cardinality, np.int64)
        self._sizes = sizes
        self._offset = np.where(sizes > 0, np.cumsum(sizes) - sizes, -1).astype(np.int64)
        self._width = width_of(schema)
        self._pools = new_pools(schema)

    @property
    def nbytes(self) -> int:
        return state_bytes(self._pools.nodes) + state_bytes(self._pools.leaves)

    @property
    def node_count(self) -> int:
        """Nodes, splits and leaves alike."""
        return int(self._pools.nodes.used[0])

    def play(self, events: Events) -> None:
        done = 0
        while True:
            nodes, leaves = self._pools
            done += _play(
                events.cut(done, len(events.ops)), nodes, leaves, self._rule, self._mode,
                self._offset, self._sizes, self._width,
            )  # fmt: skip
            if done == len(events.ops):
                return
            self._pools = grown(self._pools, self._width)

    def __repr__(self) -> str:
        usual = inspect.signature(HoeffdingTree).parameters
        shown = [f"{name}={v!r}" for name, v in self._given.items() if v != usual[name].default]
        return f"HoeffdingTree({', '.join(shown)})"


@kernel
def _play(
    events: Events, nodes: Nodes, leaves: Leaves, rule: Rule, mode: int, offset: Longs,
    sizes: Longs, width: int,
) -> int:  # fmt: skip
    """Go through the events until there is no room for another split; how many were done.

    What happens on every row stands here in one piece: handing the tree's twenty arrays to another
    function for each row takes longer than the work. Splits are rare and have their own.
    """
    X, y, ops, slots, _, weight, label, proba = events
    kind, feature, threshold, children, counts, leaf_of, child, _, used = nodes
    (ready, seen, mean, spread, narrowness, low, high, base, values, values_seen, right,
     judged_at) = leaves  # fmt: skip
    k, d = counts.shape[1], X.shape[1]
    all_numeric = values.shape[2] == 0 and d <= 128
    exact = len(proba) > 0
    products = np.empty(k)
    branches = np.empty((width, k))
    # Of the row asked last, if nothing was learned since: where it came, and Bayes' answer.
    asked, judged, told = -1, False, -1
    node, above, missing = 0, 0, -1
    for e in range(len(ops)):
        row, learns = slots[e], ops[e] == LEARN
        if learns:
            if weight[e] == 0:
                continue
            full = used[0] + width > len(kind) or used[1] + width > len(child)
            if full or used[2] < width:
                return e  # a split might not find room

        if asked != row:
            # Down the tree. A row whose value is missing stays at the split.
            node, above, missing = 0, 0, -1
            while kind[node] > INACTIVE:
                value = X[row, feature[node]]
                if np.isnan(value):
                    break
                if kind[node] == NUMERIC:
                    branch = 0 if value <= threshold[node] else 1
                elif kind[node] == MULTIWAY:
                    branch = int(value)
                else:
                    branch = 0 if value == threshold[node] else 1
                place = children[node] + branch
                if child[place] < 0:
                    missing = place
                    break
                above = node
                node = child[place]
            asked, judged = row, False
        at = node
        if learns:
            if missing >= 0:
                at = add_leaf(nodes, leaves)
                child[missing] = at
            elif kind[at] > INACTIVE:
                continue  # nobody learns from it
            asked = -1

        total, best = 0.0, 0
        for c in range(k):
            total += counts[at, c]
            if counts[at, c] > counts[at, best]:
                best = c
        if total == 0 and not learns:
            at = above  # a branch that nothing has come down yet knows less than its split
            best = 0
            for c in range(k):
                total += counts[at, c]
                if counts[at, c] > counts[at, best]:
                    best = c
        leaf = leaf_of[at] if kind[at] == LEAF else -1

        # Naive Bayes, where it votes or is judged.
        by_counts = leaf < 0 or mode == MAJORITY
        if not (by_counts or learns):
            by_counts = mode == ADAPTIVE and right[leaf, 0] > right[leaf, 1]
        if not by_counts and (not learns or (mode == ADAPTIVE and not judged)):
            told, sure = -1, False
            if not ready[leaf]:
                told = best  # no row yet, only what the split left it
                for c in range(k):
                    products[c] = counts[at, c]
            elif all_numeric and not exact:
                # Logarithms, where they are sure to order the products as they are.
                highest, second, sure = -np.inf, -np.inf, True
                for c in range(k):
                    exponent = 0.0
                    for j in range(d):
                        off = X[row, j] - mean[leaf, c, j]
                        exponent += off * off * narrowness[leaf, c, j]
                    score = base[leaf, c] - exponent
                    sure = sure and exponent < 300 and not np.isnan(score)
                    if score > highest:
                        told, highest, second = c, score, highest
                    elif score > second:
                        second = score
                sure = sure and highest > second + 1e-9
            if ready[leaf] and not sure:
                multiply(
                    X, row, total, counts[at], seen[leaf], mean[leaf], spread[leaf],
                    values[leaf], values_seen[leaf], offset, products,
                )  # fmt: skip
                told = 0
                for c in range(1, k):
                    if products[c] > products[told]:
                        told = c

        if not learns:
            judged = not by_counts
            label[e] = -1 if total == 0 else (best if by_counts else told)
            if exact:
                if by_counts:
                    for c in range(k):
                        products[c] = counts[at, c]
                _shares(products, total == 0, proba[e])
            continue

        c, w = y[row], weight[e]
        if leaf >= 0 and mode == ADAPTIVE and total > 0:
            right[leaf, 0] += w if best == c else 0.0
            right[leaf, 1] += w if told == c else 0.0
        counts[at, c] += w
        if leaf < 0:
            continue
        ready[leaf] = 1
        large, small = 1.0, 1.0
        for j in range(d):
            value, n = X[row, j], seen[leaf, c, j]
            if np.isnan(value):
                pass
            elif offset[j] >= 0:
                seen[leaf, c, j] = n + w
                values[leaf, c, offset[j] + int(value)] += w
                values_seen[leaf, c, j] = max(values_seen[leaf, c, j], value + 1.0)
            elif n == 0:
                seen[leaf, c, j] = w
                mean[leaf, c, j] = value
                low[leaf, c, j] = value
                high[leaf, c, j] = value
            else:
                seen[leaf, c, j] = n + w
                before = mean[leaf, c, j]
                after = before + w * (value - before) / (n + w)
                mean[leaf, c, j] = after
                spread[leaf, c, j] += w * (value - before) * (value - after)
                low[leaf, c, j] = min(low[leaf, c, j], value)
                high[leaf, c, j] = max(high[leaf, c, j], value)
                if n + w > 1 and spread[leaf, c, j] > 0:
                    narrowness[leaf, c, j] = (n + w - 1) / (2 * spread[leaf, c, j])
            if narrowness[leaf, c, j] > 1:
                large *= narrowness[leaf, c, j]
            else:
                small *= narrowness[leaf, c, j]
        if all_numeric:
            tame = large < 1e200 and small > 1e-200
            prior = counts[at, c]
            base[leaf, c] = 0.5 * math.log(large * small * prior * prior) if tame else np.nan
        if total + w - judged_at[leaf] >= rule.grace:
            judged_at[leaf] = total + w
            consider(nodes, leaves, at, offset, sizes, rule, branches)
    return len(ops)


@kernel
def _shares(votes: Floats, unknown: bool, out: Floats) -> None:
    """Votes as probabilities; all 0 when every product underflowed, shared by those that
    overflowed."""
    total = votes.sum()
    if unknown:
        out[:] = np.nan
    elif np.isinf(total):
        infinite = np.isinf(votes)
        out[:] = infinite / infinite.sum()
    elif total > 0:
        out[:] = votes / total
    else:
        out[:] = 0.0
