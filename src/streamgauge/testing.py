"""Checks for your own learners and streams: what streamgauge expects of each."""

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
from streamgauge.prequential.participant import events_of
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
_BLOCK_SIZES = (1, 7, 64)
_ONE_BLOCK = 1 << 20  # more rows than a test stream has


def example_stream(rows: int = 400, seed: int = 0, regression: bool = False) -> Stream:
    """Make a small stream with everything that is hard to handle.

    It has numeric, nominal and constant features, missing values, late labels and labels that are
    never revealed.

    Parameters
    ----------
    rows
        Number of rows.
    seed
        Random seed.
    regression
        Make the target a number instead of one of three classes.

    Returns
    -------
    Stream
        The stream, with arrival and reveal times.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.testing import example_stream
    >>> block = next(example_stream(rows=400).blocks(400))
    >>> np.isnan(block.X).sum(axis=0).tolist(), int((block.y < 0).sum())  # missing, never revealed
    ([21, 27, 22, 21, 19], 12)
    """
    rng = np.random.default_rng(seed)
    X = np.column_stack(
        [
            rng.normal(size=rows),
            rng.integers(0, 3, rows),
            rng.exponential(size=rows) * 1e3,
            np.full(rows, 4.0),
            rng.integers(0, 5, rows),
        ]
    )
    X[rng.random(X.shape) < 0.05] = np.nan
    noise = rng.random(rows)
    level = np.where(np.isnan(X[:, 0]), 0.0, X[:, 0]) + noise
    y: Targets = level if regression else np.digitize(level, [0.2, 1.0]).astype(np.int32)
    never_revealed = rng.random(rows) < 0.03
    y[never_revealed] = np.nan if regression else -1
    arrives = np.cumsum(rng.integers(0, 3, rows))
    schema = Schema(
        ("number", "colour", "amount", "constant", "size"),
        ((), ("blue", "green", "red"), (), (), ("XL", "L", "M", "S", "XS")),
        () if regression else ("a", "b", "c"),
        time=True,
    )
    block = Block(0, X, y, arrives, arrives + rng.integers(0, 30, rows))
    return ArrayStream("example", schema, block)


def check_learner(learner: Any, stream: Stream | None = None) -> list[str]:
    """Assert everything that streamgauge expects of a learner.

    Under every label policy, with and without re-evaluation: predictions are valid, never depend on
    labels not yet revealed, and do not change with the size of blocks, in a second run with the
    same seed, or after pickling the learner in the middle. `predict` changes nothing, and `play`
    equals `predict` and `learn` event by event.

    Parameters
    ----------
    learner
        Anything that `evaluate` takes.
    stream
        The stream to run on, by default `example_stream()`.

    Returns
    -------
    list of str
        Remarks on optional features that the learner lacks; empty if none.

    Raises
    ------
    AssertionError
        The learner fails a check.

    Examples
    --------
    >>> import streamgauge as sg
    >>> from streamgauge.testing import check_learner
    >>> check_learner(sg.NaiveBayes())  # no remarks
    []
    """
    stream = stream or example_stream()
    checked = as_learner(learner)
    remarks: list[str] = []
    for policy, every in _settings(stream):
        predicted, probabilities = _play(checked, stream, policy, every=every)
        _check_predictions(predicted, probabilities, stream.schema, policy)
        repeated, _ = _play(checked, stream, policy, every=every)
        _assert_equal(predicted, repeated, f"{policy}: two runs with the same seed differ")
        for size in _BLOCK_SIZES:
            in_blocks, _ = _play(checked, stream, policy, size, every)
            _assert_equal(
                predicted, in_blocks, f"{policy}: blocks of {size} rows change the predictions"
            )
        if isinstance(checked, Player) and isinstance(checked, Learner):
            stepped, _ = _play(checked, stream, policy, every=every, generic=True)
            _assert_equal(predicted, stepped, f"{policy}: play differs from predict and learn")
        remarks += _check_checkpoint(checked, stream, policy, every, predicted)
    if isinstance(checked, Learner):
        _check_pure(checked, stream)
    check_no_peeking(checked, stream)
    return sorted(set(remarks))


def check_no_peeking(learner: Any, stream: Stream | None = None) -> None:
    """Assert under every label policy that no prediction depends on a label revealed after it.

    Changes the labels from some row on: predictions made before the first of them is revealed must
    stay the same.

    Parameters
    ----------
    learner
        Anything that `evaluate` takes.
    stream
        The stream to run on, by default `example_stream()`.

    Raises
    ------
    AssertionError
        A prediction depends on a label that was not revealed yet.

    Examples
    --------
    >>> import streamgauge as sg
    >>> from streamgauge.testing import check_no_peeking
    >>> check_no_peeking(sg.NaiveBayes())
    >>> try:
    ...     check_no_peeking(sg.Persistent(oracle=True))
    ... except AssertionError as error:
    ...     print(error)
    Delay(7): a prediction depends on labels of row 0 or later that were not revealed yet
    """
    stream = stream or example_stream()
    checked = as_learner(learner)
    block = _read_all(stream)
    for policy, every in _settings(stream):
        predicted, _ = _play(checked, stream, policy, every=every)
        for fraction in (0.0, 0.3, 0.6, 0.9):
            first = int(fraction * len(block))
            changed = ArrayStream("changed", stream.schema, _change_labels(block, first))
            before = _predictions_before_reveal(stream, policy, every, first)
            with_changed, _ = _play(checked, changed, policy, every=every)
            _assert_equal(
                predicted[:before],
                with_changed[:before],
                f"{policy}: a prediction depends on labels of row {first} or later that were not "
                "revealed yet",
            )


def check_stream(stream: Stream) -> None:
    """Assert that a stream matches its schema and yields the same rows in every pass.

    Parameters
    ----------
    stream
        The stream. It is read several times, in blocks of several sizes.

    Raises
    ------
    AssertionError
        The stream fails a check.

    Examples
    --------
    >>> import streamgauge as sg
    >>> from streamgauge.testing import check_stream
    >>> stream = sg.SEA(1000, seed=1)
    >>> check_stream(stream)
    >>> try:
    ...     check_stream(stream.map(lambda X, y: (X - X.mean(), y)))
    ... except AssertionError as error:
    ...     print(error)
    blocks of 1 rows differ in X
    """
    schema, whole = stream.schema, _read_all(stream)
    n = len(whole)
    assert len(set(schema.features)) == len(schema.features), "duplicate feature names"
    assert len(schema.values) == len(schema.features), (
        f"schema.values has {len(schema.values)} entries, expected one per feature"
    )
    assert stream.rows in (None, n), f"stream.rows is {stream.rows}, but a pass yields {n} rows"
    for size in (*_BLOCK_SIZES, 1000):
        start = 0
        for block in stream.blocks(size):
            assert block.start == start, f"a block starts at row {block.start}, expected {start}"
            assert len(block) == size or block.start + len(block) == n, (
                f"the block at row {start} has {len(block)} rows, expected {size}"
            )
            _check_block(block, schema)
            rows = whole.cut(start, start + len(block))
            for name in ("X", "y", "arrives", "revealed"):
                found, expected = getattr(block, name), getattr(rows, name)
                assert (found is None) == (expected is None), f"only some blocks have {name}"
                if found is not None:
                    _assert_equal(found, expected, f"blocks of {size} rows differ in {name}")
            start += len(block)
        assert start == n, f"one pass yields {n} rows, another {start}"


def _settings(stream: Stream) -> list[tuple[LabelPolicy, int]]:
    """Label policies that fit the stream, without (0) and with re-evaluation after 3 labels."""
    timed = next(stream.blocks(1)).revealed is not None
    policies = [policy for policy in POLICIES if timed or not isinstance(policy, FromStream)]
    waits = (Immediate, Chunks, FromStream)
    return [(policy, 0) for policy in policies] + [
        (policy, 3) for policy in policies if isinstance(policy, waits) or policy == Delay(7)
    ]


def _check_block(block: Block, schema: Schema) -> None:
    expected = (len(block), len(schema.features))
    assert block.X.shape == expected, f"X has shape {block.X.shape}, expected {expected}"
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
        assert (np.diff(block.arrives) >= 0).all(), "arrival times are not in ascending order"


def _read_all(stream: Stream) -> Block:
    """The whole stream as one block."""
    blocks = list(stream.blocks(_ONE_BLOCK))
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
    stream: Stream, policy: LabelPolicy, size: int, every: int = 0, context: int = 1
) -> Iterator[tuple[WaitingRoom, Agenda]]:
    room = WaitingRoom(len(stream.schema.features), stream.schema.regression, context)
    writer = AgendaWriter(policy, room, every)
    for block in stream.blocks(size):
        for agenda in writer.write(block):
            yield room, agenda
    for agenda in writer.finish():
        yield room, agenda


def _play(
    learner: Learner | Player,
    stream: Stream,
    policy: LabelPolicy,
    size: int = _ONE_BLOCK,
    every: int = 0,
    generic: bool = False,
    pickled: bool = False,
) -> tuple[Targets, Floats]:
    """All predictions in order, and their probabilities."""
    k = len(stream.schema.classes)
    learner.start(stream.schema, 1)
    context = context_of(learner)
    predictions, probabilities = [], []
    for room, agenda in _agendas(stream, policy, size, every, context):
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
        predicts = agenda.ops != LEARN
        predictions.append(label[predicts])
        probabilities.append(proba[predicts] if k else proba)
        if pickled:
            learner = pickle.loads(pickle.dumps(learner))
    return np.concatenate(predictions), np.concatenate(probabilities)


def _check_predictions(
    predicted: Targets, probabilities: Floats, schema: Schema, policy: LabelPolicy
) -> None:
    if schema.regression:
        assert not np.isinf(predicted).any(), f"{policy}: a prediction is infinite"
        return
    k = len(schema.classes)
    assert ((predicted >= -1) & (predicted < k)).all(), (
        f"{policy}: a prediction is not a class code; expected 0 to {k - 1}, or -1 to abstain"
    )
    given = probabilities[~np.isnan(probabilities).any(axis=1)]
    assert ((given >= 0) & (given <= 1)).all(), f"{policy}: a probability is outside 0..1"
    total = given.sum(axis=1)
    valid = np.isclose(total, 1) | (total == 0)  # all zero: every product underflowed
    assert valid.all(), f"{policy}: probabilities sum to {total[~valid][:1]}, expected 1"


def _check_pure(learner: Learner, stream: Stream) -> None:
    """Extra calls of predict must not change any prediction."""
    block = _read_all(stream)
    room = WaitingRoom(block.X.shape[1], stream.schema.regression, context_of(learner))
    slots = room.admit(block, np.arange(len(block)), np.arange(len(block)), True)
    X = room.rows(context_of(learner))[slots]
    learner.start(stream.schema, 1)
    expected = []
    for i in range(len(block)):
        expected.append(learner.predict(X[i : i + 1]))
        if block.known[i]:
            learner.learn(X[i : i + 1], block.y[i : i + 1], np.ones(1))
    learner.start(stream.schema, 1)
    for i in range(len(block)):
        learner.predict(X[: i + 1 : 7])
        found = learner.predict(X[i : i + 1])
        _assert_equal(
            found, expected[i], f"predict is not pure: extra calls change the prediction of row {i}"
        )
        if block.known[i]:
            learner.learn(X[i : i + 1], block.y[i : i + 1], np.ones(1))


def _check_checkpoint(
    learner: Learner | Player, stream: Stream, policy: LabelPolicy, every: int, predicted: Targets
) -> list[str]:
    try:
        pickle.dumps(learner)
    except Exception as error:  # a foreign model may raise anything
        return [f"not checkpointable: {type(error).__name__}: {error}"]
    resumed, _ = _play(learner, stream, policy, 64, every, pickled=True)
    _assert_equal(predicted, resumed, f"{policy}: pickling the learner changes the predictions")
    return []


def _change_labels(block: Block, first: int) -> Block:
    """The block with every label from row `first` on changed."""
    y = block.y.copy()
    later = y[first:]
    if y.dtype == np.int32:
        known = later >= 0
        later[known] = (later[known] + 1) % (int(block.y.max()) + 1)
    else:
        later *= -3
    return replace(block, y=y)


def _predictions_before_reveal(stream: Stream, policy: LabelPolicy, every: int, first: int) -> int:
    """How many predictions come before any label of row `first` or later is revealed."""
    count = 0
    for _, agenda in _agendas(stream, policy, _ONE_BLOCK, every):
        reveals = (agenda.ops == LEARN) & (agenda.ids >= first) & (agenda.weight > 0)
        if reveals.any():
            return count + int((agenda.ops[: int(np.argmax(reveals))] != LEARN).sum())
        count += int((agenda.ops != LEARN).sum())
    return count


def _assert_equal(found: Any, expected: Any, message: str) -> None:
    assert np.array_equal(found, expected, equal_nan=True), message
