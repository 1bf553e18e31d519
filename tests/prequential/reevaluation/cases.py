"""Random rows, updates and block cuts, and a learner that the package and the oracle share."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import NEVER, Block, Floats, Schema, Targets, Updates
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.prequential.loop import Loop
from streamgauge.prequential.participant import Participant
from streamgauge.prequential.protocols import Prequential
from streamgauge.prequential.reevaluation.reevaluate import Reevaluate
from streamgauge.streams.frames import ArrayStream
from tests.oracles import reevaluation as oracle

K = 3
CLASSIFICATION = Schema(("row", "version"), ((), ()), ("a", "b", "c"), time=True)
REGRESSION = Schema(("row", "version"), ((), ()), (), time=True)


class Toy:
    """Changes its predictions with the labels it learns, and abstains at times.

    Takes arrays from the package and row numbers from the oracle.
    """

    name = "Toy"

    def start(self, schema: Schema, seed: int) -> None:
        self.k = len(schema.classes)
        self.history = 0
        self.versions: dict[int, int] = {}

    def code(self, row: int, version: int) -> int:
        """0..K-1, or K to abstain; stays the same for a while."""
        return (self.history // 3 * 7 + row // 2 + version) % (K + 1)

    def predict(self, X: Any) -> Any:
        if isinstance(X, int):  # from the oracle
            code = self.code(X, self.versions.get(X, 0))
            return None if code == K else code if self.k else code / 3
        codes = np.array([self.code(int(row), int(version)) for row, version in X])
        if not self.k:
            return np.where(codes == K, np.nan, codes / 3)
        return np.where((codes == K)[:, np.newaxis], np.nan, np.eye(K + 1)[codes][:, :K])

    def learn(self, X: Any, y: Any, w: Floats | None = None) -> None:
        for label in np.atleast_1d(y):
            self.history += 1 + int(label)

    def update(self, row: int, time: int) -> None:
        self.versions[row] = self.versions.get(row, 0) + 1


Case = tuple[list[oracle.Row], list[tuple[int, int]], list[int], bool]


@st.composite
def cases(draw: st.DrawFn, units: tuple[int, ...] = (1, 60, 10**15 + 7)) -> Case:
    """Rows with random waits, ties, no wait and labels never revealed; updates; block cuts.

    Rows without a label wait to the end, as under `FromStream()`.
    """
    n = draw(st.integers(1, 25))
    start = draw(st.sampled_from([0, -7, 1_700_000_000_000_000_000]))
    unit = draw(st.sampled_from(units))
    steps = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    arrives = [start + unit * t for t in itertools.accumulate(steps)]
    waits = draw(st.lists(st.none() | st.integers(0, 40), min_size=n, max_size=n))
    labels = draw(st.lists(st.integers(0, K - 1), min_size=n, max_size=n))
    rows = [
        oracle.Row(a, None if w is None else a + w * unit + (w > 0 and w % 3), y)
        for a, w, y in zip(arrives, waits, labels, strict=True)
    ]
    changes = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, 9)), max_size=12))
    updates = sorted({(rows[r].arrives + d * unit, r) for r, d in changes})
    cuts = draw(st.lists(st.integers(1, n), max_size=4))
    return rows, [(r, t) for t, r in updates], cuts, draw(st.booleans())


def block_of(rows: list[oracle.Row], updates: list[tuple[int, int]], regression: bool) -> Block:
    arrives = np.array([row.arrives for row in rows], np.int64)
    revealed = np.array([NEVER if r.revealed is None else r.revealed for r in rows], np.int64)
    y: Targets = np.array([row.y for row in rows], np.float64 if regression else np.int32)
    X = np.column_stack([np.arange(len(rows), dtype=np.float64), np.zeros(len(rows))])
    seen: dict[int, int] = {}
    changed = []
    for row, _ in updates:
        seen[row] = seen.get(row, 0) + 1
        changed.append([row, seen[row]])
    times = np.array([time for _, time in updates], np.int64)
    new_features = Updates(
        np.array([row for row, _ in updates], np.int64),
        times,
        np.searchsorted(arrives, times, side="right") - 1,
        np.array(changed, np.float64).reshape(len(updates), 2),
    )
    return Block(0, X, y, arrives, revealed, new_features)


def policy_of(labels_first: bool) -> LabelPolicy:
    return sg.FromStream("labels_first" if labels_first else "arrivals_first")


def split(block: Block, cuts: list[int]) -> list[Block]:
    edges = sorted({0, len(block), *cuts})
    return [block.cut(start, stop) for start, stop in itertools.pairwise(edges)]


class GivenBlocks(ArrayStream):
    """A stream that yields given blocks."""

    def __init__(self, schema: Schema, parts: list[Block], whole: Block) -> None:
        super().__init__("cut", schema, whole)
        self._parts = parts

    def blocks(self, size: int) -> Any:
        return iter(self._parts)


def play(
    case: Case,
    reevaluate: Reevaluate,
    regression: bool,
    scored_from: int = 0,
    learner: Toy | None = None,
) -> tuple[list[int], list[list[float]], Floats]:
    """Rows scored, their outcomes and efforts, from the loop."""
    rows, updates, cuts, labels_first = case
    schema = REGRESSION if regression else CLASSIFICATION
    block = block_of(rows, updates, regression)
    stream = GivenBlocks(schema, split(block, cuts), block)
    toy = learner or Toy()
    participant = Participant(toy, outcomes=reevaluate.tracker(schema, toy))
    participant.start(schema, 1)
    groups = [(None, [participant])]
    loop = Loop(stream, policy_of(labels_first), groups, Prequential(scored_from), reevaluate.every)
    ids: list[int] = []
    outcomes: list[list[float]] = []
    effort = [np.empty((0, 3))]
    for (part,) in loop.scored(100):
        assert participant.failure is None
        assert part.predictions[0].bins is not None
        assert part.effort is not None
        ids += part.ids.tolist()
        outcomes += part.predictions[0].bins.tolist()
        effort.append(part.effort)
    return ids, outcomes, np.concatenate(effort)


def expected_outcomes(
    case: Case, every: int, bins: int, how: oracle.How
) -> list[tuple[int, list[float | None]]]:
    rows, updates, _, labels_first = case
    toy = Toy()
    toy.start(REGRESSION if how in ("mean", "fork-newest") else CLASSIFICATION, 1)
    got = oracle.outcomes(rows, toy, every, bins, labels_first, how, K, updates)
    return [(row, list(outcomes)) for row, outcomes in got]
