"""Checks for your own learners and streams: what streamgauge asks of each, as a public battery.

>>> from streamgauge import NaiveBayes
>>> check_learner(NaiveBayes())
[]
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from streamgauge._support.types import LEARN, Block, Floats, Schema, Targets
from streamgauge.learners.adapters.coerce import as_learner
from streamgauge.learners.base import EventFailed, Learner, Player, context_of
from streamgauge.learners.run_events import predict_and_learn, run_events
from streamgauge.prequential.agenda import Agenda
from streamgauge.prequential.agenda_writer import AgendaWriter
from streamgauge.prequential.labels import (
    Chunks,
    Delay,
    FromStream,
    Immediate,
    LabelPolicy,
    Sampled,
)
from streamgauge.prequential.loop import events_of
from streamgauge.prequential.waiting_room import WaitingRoom
from streamgauge.streams.base import Stream
from streamgauge.streams.frames import ArrayStream

POLICIES: tuple[LabelPolicy, ...] = (
    Immediate(),
    Delay(1),
    Delay(7),
    Chunks(10),
    FromStream(),
    FromStream("labels_first"),
    Sampled(0.5),
    Sampled(0.5, score="all"),
)
_CUTS = (1, 7, 64)


def example_stream(rows: int = 400, seed: int = 0, regression: bool = False) -> Stream:
    """A small hard case: numbers, a constant, nominal and missing values, late and lost labels."""
    random = np.random.default_rng(seed)
    X = np.column_stack(
        [
            random.normal(size=rows),
            random.integers(0, 3, rows),
            random.exponential(size=rows) * 1e3,
            np.full(rows, 4.0),
            random.integers(0, 5, rows),
        ]
    )
    X[random.random(X.shape) < 0.05] = np.nan
    noise = random.random(rows)
    level = np.where(np.isnan(X[:, 0]), 0.0, X[:, 0]) + noise
    y: Targets = level if regression else np.digitize(level, [0.2, 1.0]).astype(np.int32)
    lost = random.random(rows) < 0.03
    y[lost] = np.nan if regression else -1
    arrives = np.cumsum(random.integers(0, 3, rows))
    schema = Schema(
        ("number", "colour", "amount", "constant", "size"),
        ((), ("blue", "green", "red"), (), (), ("XL", "L", "M", "S", "XS")),
        () if regression else ("a", "b", "c"),
        time=True,
    )
    block = Block(0, X, y, arrives, arrives + random.integers(0, 30, rows))
    return ArrayStream("example", schema, block)


def check_learner(learner: Any, stream: Stream | None = None) -> list[str]:
    """Assert everything a learner must keep to; remarks on what it cannot do (empty = nothing).

    Pure predict, probabilities, no peeking under every policy, the same answers however the stream
    is cut, the same answers for the same seed, a checkpoint in the middle, and `play` equal to
    predict and learn event by event. River-like objects and texts are taken as `evaluate` does.
    """
    stream = stream or example_stream()
    judged = as_learner(learner)
    remarks: list[str] = []
    for policy, again in _protocols(stream):
        answers, shares = _play(judged, stream, policy, again=again)
        _check_answers(answers, shares, stream.schema, policy)
        repeated, _ = _play(judged, stream, policy, again=again)
        _same(answers, repeated, f"{policy}: two runs with one seed differ")
        for size in _CUTS:
            cut, _ = _play(judged, stream, policy, size, again)
            _same(answers, cut, f"{policy}: blocks of {size} rows give other answers")
        if isinstance(judged, Player) and isinstance(judged, Learner):
            stepped, _ = _play(judged, stream, policy, again=again, generic=True)
            _same(answers, stepped, f"{policy}: play differs from predict and learn")
        remarks += _check_checkpoint(judged, stream, policy, again, answers)
    if isinstance(judged, Learner):
        _check_pure(judged, stream)
    check_no_peeking(judged, stream)
    return sorted(set(remarks))


def check_no_peeking(learner: Any, stream: Stream | None = None) -> None:
    """Assert under every policy that no prediction depends on a label revealed after it.

    Labels from some row on are changed; whatever was asked before the first of them was revealed
    must be answered as before.
    """
    stream = stream or example_stream()
    judged = as_learner(learner)
    whole = _whole(stream)
    for policy, again in _protocols(stream):
        answers, _ = _play(judged, stream, policy, again=again)
        for share in (0.0, 0.3, 0.6, 0.9):
            first = int(share * len(whole))
            changed = ArrayStream("changed", stream.schema, _with_other_labels(whole, first))
            safe = _asked_before_reveal(stream, policy, again, first)
            others, _ = _play(judged, changed, policy, again=again)
            _same(
                answers[:safe],
                others[:safe],
                f"{policy}: a prediction made before row {first} or later was labelled depends on "
                "those labels",
            )


def check_stream(stream: Stream) -> None:
    """Assert that a stream keeps to its schema, and gives the same rows in every pass and cut."""
    schema, whole = stream.schema, _whole(stream)
    assert len(set(schema.features)) == len(schema.features), "feature names repeat"
    assert len(schema.values) == len(schema.features), "values: expected one entry per feature"
    assert stream.rows in (None, len(whole)), f"rows is {stream.rows}, a pass has {len(whole)}"
    for size in (*_CUTS, 1000):
        start = 0
        for block in stream.blocks(size):
            assert block.start == start, f"a block starts at {block.start}, expected {start}"
            assert len(block) == size or block.start + len(block) == len(whole), "a short block"
            _check_block(block, schema)
            expected = whole.cut(start, start + len(block))
            for name in ("X", "y", "arrives", "revealed"):
                ours, theirs = getattr(block, name), getattr(expected, name)
                assert (ours is None) == (theirs is None), f"{name} is there in some blocks only"
                if ours is not None:
                    _same(ours, theirs, f"blocks of {size} rows differ in {name}")
            start += len(block)
        assert start == len(whole), "passes differ in length"


def _protocols(stream: Stream) -> list[tuple[LabelPolicy, int]]:
    """Every policy this stream can have (reveal times are not everywhere), without and with rows
    asked again after so many labels."""
    timed = next(stream.blocks(1)).revealed is not None
    policies = [policy for policy in POLICIES if timed or not isinstance(policy, FromStream)]
    waits = (Immediate, Chunks, FromStream)
    return [(policy, 0) for policy in policies] + [
        (policy, 3) for policy in policies if isinstance(policy, waits) or policy == Delay(7)
    ]


def _check_block(block: Block, schema: Schema) -> None:
    assert block.X.shape == (len(block), len(schema.features)), f"X has shape {block.X.shape}"
    assert block.X.dtype == np.float64, f"X is {block.X.dtype}, expected float64"
    assert block.X.flags.c_contiguous, "X is not in C order"
    assert not np.isinf(block.X).any(), "X has infinite values"
    for j, values in enumerate(schema.values):
        codes = block.X[:, j][~np.isnan(block.X[:, j])]
        if values:
            assert np.isin(codes, np.arange(len(values))).all(), f"feature {j}: unknown codes"
    if schema.regression:
        assert block.y.dtype == np.float64, f"y is {block.y.dtype}, expected float64"
    else:
        assert block.y.dtype == np.int32, f"y is {block.y.dtype}, expected int32"
        assert ((block.y >= -1) & (block.y < len(schema.classes))).all(), "y has unknown codes"
    if block.arrives is not None:
        assert (np.diff(block.arrives) >= 0).all(), "time runs backwards"


def _whole(stream: Stream) -> Block:
    blocks = list(stream.blocks(1 << 20))
    assert blocks, "the stream is empty"
    if len(blocks) == 1:
        return blocks[0]
    columns = {
        name: None
        if getattr(blocks[0], name) is None
        else np.concatenate([getattr(block, name) for block in blocks])
        for name in ("X", "y", "arrives", "revealed")
    }
    return Block(0, **columns)  # type: ignore[arg-type]


def _agendas(
    stream: Stream, policy: LabelPolicy, size: int, again: int = 0, context: int = 1
) -> Iterator[tuple[WaitingRoom, Agenda]]:
    room = WaitingRoom(len(stream.schema.features), stream.schema.regression, context)
    writer = AgendaWriter(policy, room, again)
    for block in stream.blocks(size):
        for agenda in writer.write(block):
            yield room, agenda
    for agenda in writer.finish():
        yield room, agenda


def _play(
    learner: Learner | Player,
    stream: Stream,
    policy: LabelPolicy,
    size: int = 1 << 20,
    again: int = 0,
    generic: bool = False,
    pickled: bool = False,
) -> tuple[Targets, Floats]:
    """Every answer in the order of asking, and the probabilities behind it."""
    k = len(stream.schema.classes)
    learner.start(stream.schema, 1)
    context = context_of(learner)
    answers, shares = [], []
    for room, agenda in _agendas(stream, policy, size, again, context):
        label = np.empty(len(agenda.ops), np.int32 if k else np.float64)
        proba = np.empty((len(agenda.ops) if k else 0, k))
        events = events_of(agenda, room, label, proba, context)
        try:
            if generic:
                assert isinstance(learner, Learner)
                predict_and_learn(learner, events)
            else:
                run_events(learner, events)
        except EventFailed as failed:
            raise failed.__cause__ or failed from None
        asked = agenda.ops != LEARN
        answers.append(label[asked])
        shares.append(proba[asked] if k else proba)
        if pickled:
            learner = pickle.loads(pickle.dumps(learner))
    return np.concatenate(answers), np.concatenate(shares)


def _check_answers(answers: Targets, shares: Floats, schema: Schema, policy: LabelPolicy) -> None:
    if schema.regression:
        assert not np.isinf(answers).any(), f"{policy}: an infinite answer"
        return
    k = len(schema.classes)
    assert ((answers >= -1) & (answers < k)).all(), f"{policy}: an answer that is no class"
    given = shares[~np.isnan(shares).any(axis=1)]
    assert ((given >= 0) & (given <= 1)).all(), f"{policy}: a probability outside 0..1"
    total = given.sum(axis=1)
    proper = np.isclose(total, 1) | (total == 0)  # all zero: every product underflowed
    assert proper.all(), f"{policy}: probabilities that sum to {total[~proper][:1]}"


def _check_pure(learner: Learner, stream: Stream) -> None:
    """Ask twice as often: nothing changes."""
    block = _whole(stream)
    room = WaitingRoom(block.X.shape[1], stream.schema.regression, context_of(learner))
    slots = room.admit(block, np.arange(len(block)), np.arange(len(block)), True)
    X = room.rows(context_of(learner))[slots]
    learner.start(stream.schema, 1)
    once = []
    for i in range(len(block)):
        once.append(learner.predict(X[i : i + 1]))
        if block.known[i]:
            learner.learn(X[i : i + 1], block.y[i : i + 1], np.ones(1))
    learner.start(stream.schema, 1)
    for i in range(len(block)):
        learner.predict(X[: i + 1 : 7])
        answer = learner.predict(X[i : i + 1])
        _same(answer, once[i], f"predict is not pure: row {i} was answered otherwise")
        if block.known[i]:
            learner.learn(X[i : i + 1], block.y[i : i + 1], np.ones(1))


def _check_checkpoint(
    learner: Learner | Player, stream: Stream, policy: LabelPolicy, again: int, answers: Targets
) -> list[str]:
    try:
        pickle.dumps(learner)
    except Exception as error:  # whatever a foreign model raises: it cannot be saved
        return [f"not checkpointable: {type(error).__name__}: {error}"]
    resumed, _ = _play(learner, stream, policy, 64, again, pickled=True)
    _same(answers, resumed, f"{policy}: a checkpoint in the middle gives other answers")
    return []


def _with_other_labels(block: Block, first: int) -> Block:
    y = block.y.copy()
    later = y[first:]
    if y.dtype == np.int32:
        known = later >= 0
        later[known] = (later[known] + 1) % (int(block.y.max()) + 1)
    else:
        later *= -3
    return replace(block, y=y)


def _asked_before_reveal(stream: Stream, policy: LabelPolicy, again: int, first: int) -> int:
    """How many questions come before any label of row `first` or later is revealed."""
    asked = 0
    for _, agenda in _agendas(stream, policy, 1 << 20, again):
        tells = (agenda.ops == LEARN) & (agenda.ids >= first) & (agenda.weight > 0)
        if tells.any():
            return asked + int((agenda.ops[: int(np.argmax(tells))] != LEARN).sum())
        asked += int((agenda.ops != LEARN).sum())
    return asked


def _same(ours: Any, theirs: Any, complaint: str) -> None:
    assert np.array_equal(ours, theirs, equal_nan=True), complaint
