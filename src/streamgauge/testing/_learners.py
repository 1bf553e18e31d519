"""Checks of learners."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np

from streamgauge._support.types import LEARN, Floats, Schema, Targets
from streamgauge.learners.adapters.coerce import as_learner
from streamgauge.learners.base import Learner, Player, context_of
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.prequential.waiting_room import WaitingRoom
from streamgauge.streams.base import Stream
from streamgauge.streams.frames import ArrayStream
from streamgauge.testing._playing import agendas, play, settings
from streamgauge.testing._streams import (
    BLOCK_SIZES,
    ONE_BLOCK,
    assert_equal,
    change_labels,
    example_stream,
    read_all,
)


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
    for policy, every in settings(stream):
        predicted, probabilities = play(checked, stream, policy, every=every)
        _check_predictions(predicted, probabilities, stream.schema, policy)
        repeated, _ = play(checked, stream, policy, every=every)
        assert_equal(predicted, repeated, f"{policy}: two runs with the same seed differ")
        for size in BLOCK_SIZES:
            in_blocks, _ = play(checked, stream, policy, size, every)
            assert_equal(
                predicted, in_blocks, f"{policy}: blocks of {size} rows change the predictions"
            )
        if isinstance(checked, Player) and isinstance(checked, Learner):
            stepped, _ = play(checked, stream, policy, every=every, generic=True)
            assert_equal(predicted, stepped, f"{policy}: play differs from predict and learn")
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
    block = read_all(stream)
    for policy, every in settings(stream):
        predicted, _ = play(checked, stream, policy, every=every)
        for fraction in (0.0, 0.3, 0.6, 0.9):
            first = int(fraction * len(block))
            changed = ArrayStream("changed", stream.schema, change_labels(block, first))
            before = _predictions_before_reveal(stream, policy, every, first)
            with_changed, _ = play(checked, changed, policy, every=every)
            assert_equal(
                predicted[:before],
                with_changed[:before],
                f"{policy}: a prediction depends on labels of row {first} or later that were not "
                "revealed yet",
            )


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
    block = read_all(stream)
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
        assert_equal(
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
    resumed, _ = play(learner, stream, policy, 64, every, pickled=True)
    assert_equal(predicted, resumed, f"{policy}: pickling the learner changes the predictions")
    return []


def _predictions_before_reveal(stream: Stream, policy: LabelPolicy, every: int, first: int) -> int:
    """How many predictions come before any label of row `first` or later is revealed."""
    count = 0
    for _, agenda in agendas(stream, policy, ONE_BLOCK, every):
        reveals = (agenda.ops == LEARN) & (agenda.ids >= first) & (agenda.weight > 0)
        if reveals.any():
            return count + int((agenda.ops[: int(np.argmax(reveals))] != LEARN).sum())
        count += int((agenda.ops != LEARN).sum())
    return count
