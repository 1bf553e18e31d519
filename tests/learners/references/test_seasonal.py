"""Seasonal against its oracle; the season that it finds, and what it says of it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import LEARN, PREDICT, Block, Codes, Floats, Longs, Schema
from streamgauge.learners.references import _lag_ranking
from streamgauge.prequential.agenda import Agenda
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.prequential.participant import events_of
from streamgauge.prequential.protocols import Prequential, PrequentialCV, RowRoles
from streamgauge.prequential.waiting_room import WaitingRoom
from streamgauge.streams.frames import ArrayStream
from tests.oracles import references as oracle
from tests.playing import agendas
from tests.streams.tables import whole

POLICIES: list[LabelPolicy] = [
    sg.Immediate(), sg.Delay(1), sg.Delay(10), sg.Delay(70), sg.Chunks(50), sg.FromStream(),
    sg.FromStream("labels_first"), sg.Sampled(0.5), sg.Sampled(0.3, score="all"),
]  # fmt: skip


@pytest.fixture(autouse=True, scope="module")
def _small_buffers() -> Iterator[None]:
    """Few rows are kept at first, so that short streams need more."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_lag_ranking, "_ROWS", 2048)
        yield


def stream_of(y: Codes, k: int, waits: Longs | None = None) -> ArrayStream:
    """A stream of these labels, whose own reveal times are these waits later."""
    times = np.arange(len(y))
    block = Block(0, np.empty((len(y), 0)), y, times, times + (0 if waits is None else waits))
    return ArrayStream("labels", Schema((), (), tuple(range(k)), True), block)


def seasonal_stream(n: int, k: int, period: int, seed: int, longest: int) -> ArrayStream:
    """Labels that recur with some noise; a tenth is lost, the others up to `longest` rows late."""
    random = np.random.default_rng(seed)
    y = np.resize(random.integers(0, k, period), n)
    noisy = random.random(n) < 0.2
    y[noisy] = random.integers(0, k, noisy.sum())
    y[random.random(n) < 0.1] = -1
    return stream_of(y.astype(np.int32), k, random.integers(0, longest + 1, n))


class Played:
    """Seasonal and its oracle on the same agendas."""

    def __init__(
        self,
        stream: ArrayStream,
        policy: LabelPolicy,
        size: int = 1000,
        every: int = 0,
        protocol: RowRoles = Prequential(),  # noqa: B008 - it is immutable
        folds: PrequentialCV | None = None,
    ) -> None:
        self.learner = sg.Seasonal()
        self.learner.start(stream.schema, 1)
        self._k, self._model = len(stream.schema.classes), next(folds.models()) if folds else None
        self._events: list[tuple[str, int]] = []
        self.answers: list[int] = []
        self._probabilities: list[Floats] = []
        for room, agenda in agendas(stream, policy, size, every, protocol):
            self._play(room, agenda)
        self.expected = oracle.seasonal(self._events, whole(stream).y.tolist())

    @property
    def probabilities(self) -> Floats:
        return np.concatenate(self._probabilities)

    def _play(self, room: WaitingRoom, agenda: Agenda) -> None:
        learned = agenda.ops == LEARN
        if self._model is not None:
            own = self._model.weight(agenda.ids)
            agenda = agenda._replace(weight=np.where(learned, own, agenda.weight))
        label, proba = np.empty(len(learned), np.int32), np.empty((len(learned), self._k))
        self.learner.play(events_of(agenda, room, label, proba))
        self.answers += label[~learned].tolist()
        self._probabilities.append(proba[~learned])
        for op, row, weight in zip(agenda.ops, agenda.ids, agenda.weight, strict=True):
            if op != LEARN:
                kind = "A" if op != PREDICT else "P" if weight > 0 else "H"
                self._events.append((kind, int(row)))
            elif weight > 0:
                self._events.append(("L", int(row)))


@given(
    st.integers(1, 400), st.sampled_from([2, 3, 24, 200]), st.integers(1, 90),
    st.integers(0, 9999), st.sampled_from(POLICIES), st.sampled_from([1, 13, 64, 1000]),
    st.sampled_from([0, 0, 7]), st.sampled_from([0, 20, 300]),
)  # fmt: skip
def test_every_prediction_is_the_oracles(
    n: int, k: int, period: int, seed: int, policy: LabelPolicy, size: int, every: int, longest: int
) -> None:
    played = Played(seasonal_stream(n, k, period, seed, longest), policy, size, every)
    assert played.answers == played.expected
    answers = np.array(played.answers)
    assert np.isnan(played.probabilities[answers < 0]).all()
    assert (played.probabilities[answers >= 0].argmax(axis=1) == answers[answers >= 0]).all()


@pytest.mark.parametrize(
    ("policy", "period"), [(sg.Immediate(), 700), (sg.Delay(1000), 1024), (sg.FromStream(), 1024)]
)
def test_long_lags_are_the_oracles(policy: LabelPolicy, period: int) -> None:
    played = Played(seasonal_stream(1700, 3, period, period, longest=600), policy)
    assert played.answers == played.expected


@pytest.mark.parametrize("mode", ["cv", "split", "bootstrap"])
def test_model_of_a_cross_validation_knows_only_the_labels_it_learns(mode: str) -> None:
    folds = PrequentialCV(3, mode)  # type: ignore[arg-type]
    for policy in (sg.Immediate(), sg.Delay(10)):
        played = Played(seasonal_stream(700, 3, 20, 5, longest=0), policy, folds=folds)
        assert played.answers == played.expected


@pytest.mark.parametrize("test", ["first", "interleaved"])
def test_holdout_is_the_oracles(test: str) -> None:
    protocol = sg.Holdout(every=50, size=20, test=test)  # type: ignore[arg-type]
    for policy in (sg.Immediate(), sg.Delay(10)):
        played = Played(seasonal_stream(700, 3, 20, 5, 0), policy, protocol=protocol)
        assert played.answers == played.expected


def test_held_out_rows_have_no_place_in_the_stream_and_repeat_the_last_label() -> None:
    y = np.resize([0, 0, 1, 1, 1], 900).astype(np.int32)
    first = sg.Holdout(every=100, size=50, test="first")
    run = sg.evaluate(stream_of(y, 2), sg.Majority(), protocol=first)
    assert run.predictions["seasonal"].equals(run.predictions["persistent"])
    interleaved = sg.Holdout(every=100, size=50)
    run = sg.evaluate(stream_of(y, 2), sg.Majority(), protocol=interleaved)
    assert run.references["Seasonal"]["accuracy"] == 1


def test_row_that_waits_long_completes_its_pairs_when_its_label_comes() -> None:
    random = np.random.default_rng(1)
    y = random.integers(0, 2, 2000).astype(np.int32)
    waits = np.where(np.arange(2000) % 250 == 3, 1600, 0)
    played = Played(stream_of(y, 2, waits), sg.FromStream(), size=300)
    assert played.answers == played.expected


def test_labels_that_nobody_waits_for_are_not_kept() -> None:
    for policy in (sg.Immediate(), sg.Delay(100)):
        learner = sg.Seasonal()
        stream = sg.SEA(60_000, seed=1)
        sizes = []
        for rows in (20_000, 60_000):
            sg.evaluate(stream.take(rows), learner, labels=policy, block_rows=2000)
            sizes.append(sg.evaluate(stream.take(rows), learner, labels=policy).learner.nbytes)
        assert sizes[0] == sizes[1]


@pytest.mark.parametrize("period", [3, 48, 336, 1024])
def test_it_finds_the_season_even_if_labels_are_late(period: int) -> None:
    y = np.random.default_rng(period).integers(0, 2, period)
    late = sg.Delay(min(period, 10))
    run = sg.evaluate(stream_of(np.resize(y, 6000).astype(np.int32), 2), sg.Seasonal(), labels=late)
    answers = run.predictions["prediction"].to_pylist()
    assert answers[2200:] == np.resize(y, 6000).tolist()[2200:]
    assert run.learner.lag is not None
    assert run.learner.lag % period == 0


def test_after_a_run_the_phrase_names_the_lag_and_a_note_says_if_there_was_none() -> None:
    y = np.resize(np.random.default_rng(0).integers(0, 2, 48), 3000).astype(np.int32)
    assert sg.Seasonal().as_reference.phrase == "repeating the label of one season earlier"
    run = sg.evaluate(stream_of(y, 2), sg.Seasonal(), labels=sg.Delay(10))
    assert run.learner.as_reference.phrase == "repeating the label of 48 rows earlier"
    assert run.learner.as_reference.note == ""
    run = sg.evaluate(stream_of(y, 2), sg.Seasonal(), labels=sg.Delay(1025))
    assert run.learner.as_reference.phrase == "repeating the label of one season earlier"
    assert "no label of up to 1,024 rows earlier was revealed" in run.learner.as_reference.note


def test_resetting_it_in_mid_stream_forgets_the_waiting_rows() -> None:
    y = np.resize(np.random.default_rng(0).integers(0, 3, 20), 2000).astype(np.int32)
    reset = sg.Resetting(sg.Seasonal(), sg.PeriodicAlarm(500))
    run = sg.evaluate(stream_of(y, 3), reset, labels=sg.Delay(10))
    assert len(run.learner.resets) == 4
    assert run.overall["accuracy"] > 0.8
