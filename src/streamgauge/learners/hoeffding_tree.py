"""The Hoeffding tree (VFDT), as in MOA: splits when enough rows have shown which one is best."""

from __future__ import annotations

import inspect
from typing import Final, Literal

import numpy as np

from streamgauge.compiled import lean_kernel
from streamgauge.errors import UsageError, check_whole
from streamgauge.learners.base import CompiledLearner, Events, state_bytes
from streamgauge.learners.tree_leaves import (
    bayes,
    observe,
    prefers_counts,
    shares,
    short_cut,
    weigh,
)
from streamgauge.learners.tree_nodes import (
    BY_BAYES,
    BY_COUNTS,
    EMPTY,
    INACTIVE,
    JUDGED_AT,
    LEAF,
    Leaves,
    Nodes,
    Room,
    Scratch,
    find,
    make_leaf,
    new_pools,
    new_scratch,
    offsets,
    room_for,
    take_siblings,
    twice,
)
from streamgauge.learners.tree_splits import GINI, INFO_GAIN, Rule, consider
from streamgauge.types import LEARN, Longs, Schema

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
        self._sizes = np.array(schema.cardinality, np.int64)
        self._offset = offsets(self._sizes)
        self._scratch = new_scratch(schema)
        self._pools = new_pools(schema, len(schema.features), seed)
        root = take_siblings(self._pools.nodes, self._pools.room, 1)
        make_leaf(*self._pools, root)

    @property
    def nbytes(self) -> int:
        return sum(map(state_bytes, self._pools))

    @property
    def node_count(self) -> int:
        """Nodes, splits and leaves alike."""
        nodes, _, room = self._pools
        return int((nodes.kind[: room.used[0]] != EMPTY).sum())

    def play(self, events: Events) -> None:
        done = 0
        brief = self._mode != MAJORITY and short_cut(self._sizes)
        while True:
            done += _play(
                events.cut(done, len(events.ops)), *self._pools, self._rule, self._mode,
                self._offset, self._sizes, brief, self._scratch,
            )  # fmt: skip
            if done == len(events.ops):
                return
            self._pools = twice(self._pools)

    def __repr__(self) -> str:
        usual = inspect.signature(HoeffdingTree).parameters
        shown = [f"{name}={v!r}" for name, v in self._given.items() if v != usual[name].default]
        return f"HoeffdingTree({', '.join(shown)})"


@lean_kernel
def _play(
    events: Events, nodes: Nodes, leaves: Leaves, room: Room, rule: Rule, mode: int,
    offset: Longs, sizes: Longs, brief: bool, scratch: Scratch,
) -> int:  # fmt: skip
    """Go through the events until there is no room for another split; how many were done."""
    X, y, ops, slots, _, weight, label, proba = events
    kind, feature, threshold, first, leaf_of, counts = nodes
    stats, base, values, tally, features = leaves
    votes, wanted = scratch.votes, len(proba) > 0
    # Of the row asked last, if nothing was learned since: where it came, and Bayes' answer.
    asked, judged, told = -1, False, 0
    node, above = 0, 0
    for e in range(len(ops)):
        row, learns = slots[e], ops[e] == LEARN
        if learns and weight[e] == 0:
            continue
        if asked != row:
            node, above = find(X, row, 0, kind, feature, threshold, first)
            asked, judged = row, False
        total, best = weigh(counts, node)

        if not learns:
            at = node
            if total == 0:  # a branch that nothing has come down yet knows less than its split
                at = above
                total, best = weigh(counts, at)
            leaf = leaf_of[at] if kind[at] == LEAF else -1
            judged = leaf >= 0 and mode != MAJORITY
            if judged and mode == ADAPTIVE:
                judged = not prefers_counts(tally, leaf)
            if judged:
                told = bayes(X, row, at, leaf, total, counts, stats, base, values, tally,
                             features, offset, brief, wanted, votes)  # fmt: skip
            label[e] = -1 if total == 0 else (told if judged else best)
            if wanted:
                if not judged:
                    for c in range(len(votes)):
                        votes[c] = counts[at, c]
                shares(votes, total == 0, proba, e)
            judged = judged and at == node
            continue

        c, w = y[row], weight[e]
        if kind[node] > INACTIVE:
            continue  # its value is missing: nobody learns from it
        if kind[node] == LEAF and total + w - tally[leaf_of[node], JUDGED_AT] >= rule.grace:
            if not room_for(nodes, room, 1):
                return e
        elif kind[node] == EMPTY:
            if not room_for(nodes, room, 1):
                return e
            make_leaf(nodes, leaves, room, node)
        asked = -1
        if kind[node] == INACTIVE:
            counts[node, c] += w
            continue
        leaf = leaf_of[node]
        if mode == ADAPTIVE and total > 0:
            if not judged:
                told = bayes(X, row, node, leaf, total, counts, stats, base, values, tally,
                             features, offset, brief, False, votes)  # fmt: skip
            tally[leaf, BY_COUNTS] += w if best == c else 0.0
            tally[leaf, BY_BAYES] += w if told == c else 0.0
        observe(X, row, c, w, node, leaf, counts, stats, base, values, tally, features, offset,
                brief)  # fmt: skip
        if total + w - tally[leaf, JUDGED_AT] >= rule.grace:
            tally[leaf, JUDGED_AT] = total + w
            consider(nodes, leaves, room, scratch, node, offset, sizes, rule)
    return len(ops)
