"""Checks of learners."""

from __future__ import annotations

import pickle
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from streamgauge._support.seeding import is_random
from streamgauge._support.types import Block, Floats, Schema, Targets
from streamgauge.learners.adapters.coerce import as_learner
from streamgauge.learners.base import Learner, Player, context_of
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.prequential.waiting_room import WaitingRoom
from streamgauge.streams.base import Stream
from streamgauge.streams.frames import ArrayStream
from streamgauge.testing._playing import FULLY_LABELLED, play, settings
from streamgauge.testing._require import require, require_equal
from streamgauge.testing._streams import (
    BLOCK_SIZES,
    example_stream,
    read_all,
)

_ROUNDING = 1e-6  # a network computes in single precision
_PEEKS = (
    "a prediction changes when everything that comes after it is hidden: the learner uses a label, "
    "features or an event that is still to come"
)


def check_learner(learner: Any, stream: Stream | None = None) -> list[str]:
    """Assert everything that streamgauge expects of a learner.

    Under every label policy, with and without re-evaluation: predictions are valid, never depend on
    anything that comes after them, and do not change with the size of blocks, in a second run with
    the same seed (any seed, if it declares `random = False`), or after pickling the learner in the
    middle. `predict` changes nothing, `play`
    writes nothing but predictions and equals `predict` and `learn` event by event.

    Parameters
    ----------
    learner
        Anything that `evaluate` takes.
    stream
        The stream to run on, by default `example_stream(200)`.

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
    stream = stream or example_stream(200)
    checked = as_learner(learner)
    remarks: list[str] = []
    if isinstance(checked, Learner):
        _check_pure(checked, stream)
    for policy, every in settings(stream):
        replay = _LearnerReplay(checked, stream, policy, every)
        _check_predictions(replay.predicted, replay.probabilities, stream.schema, policy)
        replay.check(_PEEKS, hidden=True)
        for size in BLOCK_SIZES:
            replay.check(f"blocks of {size} rows change the predictions", size=size)
        if isinstance(checked, Player) and isinstance(checked, Learner):
            replay.check("play differs from predict and learn", generic=True)
        if not is_random(checked):
            replay.check("it declares random = False, but another seed changes it", seed=2)
        remarks += _check_checkpoint(replay)
    _check_fully_labelled(checked, stream)
    return sorted(set(remarks))


def check_no_peeking(learner: Any, stream: Stream | None = None) -> None:
    """Assert under every label policy that no prediction depends on anything that comes after it.

    Plays whole agendas, then the same events one by one, with everything that is still to come
    hidden: labels not yet revealed, rows not yet arrived, and whether a label will come. The
    predictions must be the same, also where every row has a label.

    Parameters
    ----------
    learner
        Anything that `evaluate` takes.
    stream
        The stream to run on, by default `example_stream(200)`.

    Raises
    ------
    AssertionError
        A prediction depends on something that comes after it.

    Examples
    --------
    >>> import textwrap
    >>> import streamgauge as sg
    >>> from streamgauge.testing import check_no_peeking
    >>> check_no_peeking(sg.NaiveBayes())
    >>> try:
    ...     check_no_peeking(sg.Persistent(oracle=True))
    ... except AssertionError as error:
    ...     print(textwrap.fill(str(error), 95))
    Immediate(): a prediction changes when everything that comes after it is hidden: the learner
    uses a label, features or an event that is still to come (the first that differs: 2)
    """
    checked, stream = as_learner(learner), stream or example_stream(200)
    for policy, every in settings(stream):
        _LearnerReplay(checked, stream, policy, every).check(_PEEKS, hidden=True)
    _check_fully_labelled(checked, stream)


class _LearnerReplay:
    """A learner's predictions, and replays of them that must not change any."""

    def __init__(
        self, learner: Learner | Player, stream: Stream, policy: LabelPolicy, every: int
    ) -> None:
        self.learner = learner
        self._play = partial(play, learner, stream, policy, every=every)
        self._policy = policy
        self.predicted, self.probabilities = self._play()

    def check(self, message: str, **how: Any) -> None:
        """Raise with this message if a replay changes a prediction, or probabilities of it."""
        found, probabilities = self._play(**how)
        same = (found == self.predicted) | (np.isnan(found) & np.isnan(self.predicted))
        if len(probabilities):
            same &= _close(probabilities, self.probabilities).all(axis=1)
        if same.all():
            return
        again, _ = self._play()
        require_equal(self.predicted, again, f"{self._policy}: two runs with the same seed differ")
        raise AssertionError(
            f"{self._policy}: {message} (the first that differs: {int(np.argmin(same)) + 1})"
        )


def _close(found: Floats, expected: Floats) -> npt.NDArray[np.bool_]:
    """Whether probabilities are equal but for rounding, which depends on the rows in one call."""
    return np.isclose(found, expected, rtol=_ROUNDING, atol=_ROUNDING, equal_nan=True)


def _check_fully_labelled(learner: Learner | Player, stream: Stream) -> None:
    """A learner may peek only where every row has a label."""
    labelled = _fully_labelled(stream)
    for policy, every in FULLY_LABELLED:
        _LearnerReplay(learner, labelled, policy, every).check(_PEEKS, hidden=True)


def _fully_labelled(stream: Stream) -> Stream:
    """The stream with a label for every row: one that has none gets its predecessor's."""
    block = read_all(stream)
    latest = np.maximum.accumulate(np.where(block.known, np.arange(len(block)), 0))
    y = np.where(block.known[latest], block.y[latest], 0).astype(block.y.dtype)
    return ArrayStream("fully labelled", stream.schema, replace(block, y=y))


def _check_predictions(
    predicted: Targets, probabilities: Floats, schema: Schema, policy: LabelPolicy
) -> None:
    if schema.regression:
        require(not np.isinf(predicted).any(), f"{policy}: a prediction is infinite")
        return
    k = len(schema.classes)
    require(
        ((predicted >= -1) & (predicted < k)).all(),
        f"{policy}: a prediction is not a class code; expected 0 to {k - 1}, or -1 to abstain",
    )
    given = probabilities[~np.isnan(probabilities).any(axis=1)]
    require(((given >= 0) & (given <= 1)).all(), f"{policy}: a probability is outside 0..1")
    total = given.sum(axis=1)
    valid = np.isclose(total, 1) | (total == 0)  # all zero: every product underflowed
    require(valid.all(), f"{policy}: probabilities sum to {total[~valid][:1]}, expected 1")


def _check_pure(learner: Learner, stream: Stream) -> None:
    """Extra calls of predict must not change any prediction."""
    block = read_all(stream)
    room = WaitingRoom(block.X.shape[1], stream.schema.regression, context_of(learner))
    slots = room.admit(block, np.arange(len(block)), np.arange(len(block)), True)
    X = room.rows(context_of(learner))[slots]
    predict = partial(_one_at_a_time, learner, stream, X, block)
    expected, found = predict(), predict(extra=True)
    same = [np.array_equal(*pair, equal_nan=True) for pair in zip(expected, found, strict=True)]
    if not all(same):
        require_equal(expected, predict(), "two runs with the same seed differ")
        raise AssertionError(
            f"predict is not pure: extra calls change the prediction of row {same.index(False)}"
        )


def _one_at_a_time(
    learner: Learner, stream: Stream, X: Floats, block: Block, extra: bool = False
) -> list[Floats]:
    """The predictions if each row is learned at once; `extra`: with predictions that go unused."""
    learner.start(stream.schema, 1)
    predictions = []
    for i in range(len(block)):
        if extra:
            learner.predict(X[: i + 1 : 7])
        predictions.append(learner.predict(X[i : i + 1]))
        if block.known[i]:
            learner.learn(X[i : i + 1], block.y[i : i + 1], np.ones(1))
    return predictions


def _check_checkpoint(replay: _LearnerReplay) -> list[str]:
    try:
        pickle.dumps(replay.learner)
    except Exception as error:  # a foreign model may raise anything
        return [f"not checkpointable: {type(error).__name__}: {error}"]
    replay.check("pickling the learner changes the predictions", size=BLOCK_SIZES[-1], pickled=True)
    return []
