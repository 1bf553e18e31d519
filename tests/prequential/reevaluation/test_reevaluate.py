"""Re-evaluation against the literal oracle: events, outcomes per bin, counts; no peeking."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import NEVER, Block, Codes, Floats, Schema, Targets, Updates
from streamgauge.prequential import agenda as agendas
from streamgauge.prequential import agenda_writer as writer_module
from streamgauge.prequential.agenda_writer import AgendaWriter
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.prequential.loop import Contestant, Loop
from streamgauge.prequential.protocols import Prequential
from streamgauge.prequential.reevaluation.reevaluate import Reevaluate
from streamgauge.prequential.waiting_room import WaitingRoom
from streamgauge.streams.frames import ArrayStream
from tests.oracles import reevaluation as oracle
from tests.oracles.reevaluation_costs import counts_after

K = 3
NAMES = {0: "P", 1: "L", 2: "F", 3: "A"}
CLASSES = Schema(("row", "version"), ((), ()), ("a", "b", "c"), time=True)
NUMBERS = Schema(("row", "version"), ((), ()), (), time=True)


class Toy:
    """Says something else after every label, and abstains at times: for us and for the oracle."""

    name = "Toy"

    def start(self, schema: Schema, seed: int) -> None:
        self.k = len(schema.classes)
        self.history = 0
        self.versions: dict[int, int] = {}

    def answer(self, row: int, version: int) -> int:
        """0..k-1, or k to abstain; it stays the same for a while."""
        return (self.history // 3 * 7 + row // 2 + version) % (K + 1)

    def hear(self, y: float) -> None:
        self.history += 1 + int(y)

    def predict(self, X: Any) -> Any:
        if isinstance(X, int):  # the oracle names a row
            said = self.answer(X, self.versions.get(X, 0))
            return None if said == K else said if self.k else said / 3
        each = np.array([self.answer(int(row), int(version)) for row, version in X])
        if not self.k:
            return np.where(each == K, np.nan, each / 3)
        return np.where((each == K)[:, np.newaxis], np.nan, np.eye(K + 1)[each][:, :K])

    def learn(self, X: Any, y: Any, w: Floats | None = None) -> None:
        for label in np.atleast_1d(y):
            self.hear(float(label))

    def update(self, row: int, time: int) -> None:
        self.versions[row] = self.versions.get(row, 0) + 1


Case = tuple[list[oracle.Row], list[tuple[int, int]], list[int], bool]


@st.composite
def cases(draw: st.DrawFn, units: tuple[int, ...] = (1, 60, 10**15 + 7)) -> Case:
    """Rows with random waits, ties, no wait, labels that never come; updates; block cuts."""
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
    news = Updates(
        np.array([row for row, _ in updates], np.int64),
        times,
        np.searchsorted(arrives, times, side="right") - 1,
        np.array(changed, np.float64).reshape(len(updates), 2),
    )
    return Block(0, X, y, arrives, revealed, news)


def policy_of(labels_first: bool) -> LabelPolicy:
    return sg.FromStream("labels_first" if labels_first else "arrivals_first")


def pieces(block: Block, cuts: list[int]) -> list[Block]:
    edges = sorted({0, len(block), *cuts})
    return [block.cut(start, stop) for start, stop in itertools.pairwise(edges)]


class Cut(ArrayStream):
    """A stream that comes in blocks of our choice."""

    def __init__(self, schema: Schema, parts: list[Block], whole: Block) -> None:
        super().__init__("cut", schema, whole)
        self._parts = parts

    def blocks(self, size: int) -> Any:
        return iter(self._parts)


@given(cases(), st.integers(1, 50))
def test_events_are_the_oracles(case: Case, every: int) -> None:
    rows, updates, cuts, labels_first = case
    block = block_of(rows, updates, False)
    room = WaitingRoom(2, regression=False)
    writer = AgendaWriter(policy_of(labels_first), room, every)
    got, found = [], []

    def note(agenda: agendas.Agenda) -> None:
        for op, slot, home, row, time in zip(
            agenda.ops, agenda.slots, agenda.homes, agenda.ids, agenda.times, strict=True
        ):
            assert room.X[slot, 0] == room.X[home, 0] == row
            assert room.y[slot] == rows[row].y
            got.append((NAMES[int(op)], int(row), int(time)))
            found.append(room.X[slot, 1])

    for part in pieces(block, cuts):
        for agenda in writer.write(part):
            note(agenda)
    for agenda in writer.finish():
        note(agenda)
    expected = oracle.events(rows, every, labels_first, updates)
    assert got == [event for event in expected if event[0] != "U"]
    versions = dict.fromkeys(range(len(rows)), 0)
    newest = []
    for kind, row, _ in expected:
        versions[row] += kind == "U"
        if kind != "U":
            newest.append(versions[row])
    assert found == newest


def scored(
    case: Case, how: Reevaluate, regression: bool, scored_from: int = 0
) -> tuple[list[int], list[list[float]], Floats]:
    """Rows, outcomes and efforts, through the loop."""
    rows, updates, cuts, labels_first = case
    schema = NUMBERS if regression else CLASSES
    block = block_of(rows, updates, regression)
    stream = Cut(schema, pieces(block, cuts), block)
    contestant = Contestant(Toy(), display=how.display(schema))
    contestant.start(schema, 1)
    groups = [(None, [contestant])]
    loop = Loop(stream, policy_of(labels_first), groups, Prequential(scored_from), how.every)
    ids: list[int] = []
    outcomes: list[list[float]] = []
    effort = [np.empty((0, 3))]
    for (part,) in loop.scored(100):
        assert contestant.failure is None
        assert part.answers[0].bins is not None
        assert part.effort is not None
        ids += part.ids.tolist()
        outcomes += part.answers[0].bins.tolist()
        effort.append(part.effort)
    return ids, outcomes, np.concatenate(effort)


def expected_of(
    case: Case, every: int, bins: int, how: oracle.How
) -> list[tuple[int, list[float | None]]]:
    rows, updates, _, labels_first = case
    toy = Toy()
    toy.start(NUMBERS if how == "mean" else CLASSES, 1)
    got = oracle.outcomes(rows, toy, every, bins, labels_first, how, K, updates)
    return [(row, list(outcomes)) for row, outcomes in got]


@given(cases(), st.integers(1, 50), st.integers(0, 60))
def test_classes_per_bin_are_the_oracles(case: Case, every: int, bins: int) -> None:
    ids, outcomes, _ = scored(case, Reevaluate(every, bins), False)
    expected = expected_of(case, every, bins, "exact")
    assert ids == [row for row, _ in expected]
    codes = [[-1 if c is None else c for c in each] for _, each in expected]
    assert outcomes == codes


@given(cases(), st.integers(1, 50), st.integers(1, 60))
def test_the_authors_program_is_the_oracles(case: Case, every: int, bins: int) -> None:
    ids, outcomes, _ = scored(case, Reevaluate(every, bins, compat="moa-fork"), False)
    assert list(zip(ids, outcomes, strict=True)) == expected_of(case, every, bins, "fork")


@given(cases(), st.integers(1, 50), st.integers(0, 60))
def test_numbers_per_bin_are_the_oracles(case: Case, every: int, bins: int) -> None:
    ids, outcomes, _ = scored(case, Reevaluate(every, bins), True)
    expected = expected_of(case, every, bins, "mean")
    assert ids == [row for row, _ in expected]
    shape = (len(ids), bins + 2)
    ours = np.array(outcomes).reshape(shape)
    theirs = np.array([each for _, each in expected], np.float64).reshape(shape)
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-14)  # of numbers up to 1


def longest(values: Codes, shares: Floats) -> float:
    """The dominant class, written as a user would."""
    assert shares.sum() == pytest.approx(1)
    total = {v: shares[values == v].sum() for v in values}
    most = max(total.values())
    return float(next(v for v in values[::-1] if total[v] == pytest.approx(most, rel=1e-12)))


@given(cases(units=(1, 60)), st.integers(1, 9), st.integers(0, 9))  # shares are doubles
def test_a_function_of_ones_own_may_aggregate(case: Case, every: int, bins: int) -> None:
    own = scored(case, Reevaluate(every, bins, aggregate=longest), False)
    built_in = scored(case, Reevaluate(every, bins), False)
    assert own[:2] == built_in[:2]
    means = scored(case, Reevaluate(every, bins, aggregate=lambda v, s: float(v[-1])), True)
    assert means[0] == built_in[0]


@given(cases(), st.integers(1, 9), st.integers(0, 5))
def test_counts_are_the_oracles(case: Case, every: int, scored_from: int) -> None:
    rows, updates, _, labels_first = case
    ids, _, effort = scored(case, Reevaluate(every, 3), False, scored_from)
    events = oracle.events(rows, every, labels_first, updates)
    labelled = [row for kind, row, _ in events if kind == "L"]
    after = [m for m, row in enumerate(labelled, start=1) if row >= scored_from]
    assert ids == [labelled[m - 1] for m in after]
    for m, counted in zip(after, effort.tolist(), strict=True):
        assert tuple(counted) == pytest.approx(counts_after(events, m))


def test_agendas_are_handed_out_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(1)
    rows = [oracle.Row(i, i + int(random.integers(0, 90)), 0) for i in range(300)]
    case: Case = (rows, [], [100, 200], False)
    whole = scored(case, Reevaluate(1, 5), False)
    monkeypatch.setattr(writer_module, "_PIECE", 3)
    small = scored(case, Reevaluate(1, 5), False)
    assert small[:2] == whole[:2]
    np.testing.assert_array_equal(small[2], whole[2])


def test_a_wait_too_long_for_64_bits_is_refused() -> None:
    rows = [oracle.Row(-(2**62), 2**62 + 5, 0)]
    with pytest.raises(InputError, match=r"row 0: .*longer than 64 bits"):
        scored((rows, [], [], False), Reevaluate(1, 5), False)


@pytest.mark.parametrize(
    ("wrong", "match"),
    [
        ({"every": 0}, "every >= 1"),
        ({"bins": -1}, "bins >= 0"),
        ({"every": 2.5}, "every"),
        ({"compat": "moa"}, "compat is None or 'moa-fork'"),
        ({"bins": 0, "compat": "moa-fork"}, "at least one bin"),
        ({"compat": "moa-fork", "aggregate": "dominant"}, "its own way"),
        ({"aggregate": "median"}, "aggregate is"),
    ],
)
def test_what_cannot_be_asked(wrong: dict[str, Any], match: str) -> None:
    with pytest.raises(UsageError, match=match):
        Reevaluate(**wrong)


@pytest.mark.parametrize(
    ("how", "schema"),
    [
        (Reevaluate(compat="moa-fork"), NUMBERS),
        (Reevaluate(aggregate="dominant"), NUMBERS),
        (Reevaluate(aggregate="mean"), CLASSES),
    ],
)
def test_what_does_not_fit_the_target(how: Reevaluate, schema: Schema) -> None:
    with pytest.raises(UsageError):
        how.check(schema)
