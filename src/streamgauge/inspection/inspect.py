"""`inspect`: one pass over a stream that builds its profile."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from streamgauge._support.errors import InputError, UsageError, check_integer
from streamgauge._support.progress import Progress
from streamgauge._support.types import LEARN, PREDICT, Block, Codes, Schema
from streamgauge.inspection._counts import (
    Bytes,
    LabelCounts,
    ReferenceChoice,
    ReferenceOutcomes,
    RegressionCounts,
    fractions,
    independence,
    last_label,
)
from streamgauge.inspection._lags import LabelLags, RegressionLags
from streamgauge.inspection._leaks import LeakSearch
from streamgauge.inspection._periods import KeptRows, label_seasons, value_seasons
from streamgauge.inspection._priors import PriorWindow
from streamgauge.inspection._waits import WaitCollector
from streamgauge.inspection.profile import Profile, Repeats
from streamgauge.learners.base import Events
from streamgauge.learners.references.seasonal import Seasonal
from streamgauge.streams.base import Stream
from streamgauge.streams.blocks import check_codes
from streamgauge.streams.coerce import as_stream

_BLOCK_ROWS = 8192
_WINDOW = 1000
_MOST_LAGS = 100_000  # each row is compared with as many rows before it
_MIN_WINDOWS = 10  # a short stream gets windows small enough for this many in a row
_LAGS = 2000


@np.errstate(over="ignore", invalid="ignore")  # infinite targets are data, too
def inspect(
    stream: Any,
    rows: int | None = None,
    *,
    target: str | None = None,
    window: int | None = None,
    lags: int = _LAGS,
    progress: bool | None = None,
    block_rows: int = _BLOCK_ROWS,
) -> Profile:
    """Profile the temporal dependence of a stream's labels, in one pass and bounded memory.

    On a stream with reveal times also how long labels take to come, which takes 28 bytes per row.
    Also searched: a feature that alone predicts nearly every label.

    Parameters
    ----------
    stream
        The stream to inspect: a stream, or what `evaluate` takes for one.
    rows
        Use only the first N rows.
    target
        The target column of a frame or file; by default the only one called target, class, label
        or y.
    window
        Labelled rows per window of the class priors. Default: 1000, or a tenth of a shorter
        stream.
    lags
        Largest lag of the autocorrelation; at most a quarter of the stream is used.
    progress
        As in `evaluate`.
    block_rows
        Rows read at a time; does not change the result.

    Returns
    -------
    Profile
        The profile; print it for a report.

    References
    ----------
    bifet2013, zliobaite2015 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> profile = sg.inspect(sg.SEA(2000, seed=1))
    >>> profile.to_beat
    'Majority'
    >>> profile.dependence
    'none'
    """
    if rows is not None:
        check_integer("rows", rows)
    stream = as_stream(stream, target=target, rows=rows)
    if rows is not None:
        stream = stream.take(rows)
    if window is None:
        known = _WINDOW if stream.rows is None else stream.rows // _MIN_WINDOWS
        window = max(1, min(_WINDOW, known))
    for what, count in (("window", window), ("lags", lags), ("block_rows", block_rows)):
        check_integer(what, count)
        if count < 1:
            raise UsageError(f"{what}={count}: expected 1 or more")
    if lags > _MOST_LAGS:
        raise UsageError(f"lags={lags}: expected at most {_MOST_LAGS:,}")
    scan = (
        _RegressionPass(lags)
        if stream.schema.regression
        else _ClassificationPass(stream, window, lags)
    )
    waits: WaitCollector | None = None
    with Progress(f"inspecting {stream.name}", stream.rows, progress) as bar:
        for block in stream.blocks(block_rows):
            check_codes(block, stream.schema, stream.name)
            scan.add(block)
            if block.revealed is not None:
                waits = waits or WaitCollector(stream.schema, window)
                waits.add(block)
            bar.advance(scan.rows)
    if not scan.rows:
        raise InputError(f"{stream.name}: the stream has no rows; expected at least one")
    profile = scan.profile(stream)
    return profile if waits is None else replace(profile, waits=waits.finish())


class _ClassificationPass:
    """One pass over labels."""

    def __init__(self, stream: Stream, window: int, lags: int) -> None:
        k = len(stream.schema.classes)
        self.rows = 0
        self._counts = LabelCounts(k)
        self._priors = PriorWindow(k, window)
        self._lags = LabelLags(lags)
        self._seasonal = SeasonalHits(stream.schema)
        self._outcomes = ReferenceOutcomes()
        self._kept = KeptRows(np.int32)
        self._leaks = LeakSearch(stream.schema)

    def add(self, block: Block) -> None:
        self.rows += len(block)
        outcome = self._counts.add(block.y) + 16 * self._seasonal.add(block.y)
        self._outcomes.add(outcome[block.y >= 0])
        for part in (self._priors, self._lags, self._kept):
            part.add(block.y)
        self._leaks.add(block)

    def profile(self, stream: Stream) -> Profile:
        counts = self._counts
        labelled = int(counts.classes.sum())
        priors = fractions(counts.classes, counts.classes.sum())
        seasonal = self._seasonal.hits / labelled if labelled else math.nan
        references = counts.reference_scores | {"Seasonal": seasonal}
        lags = self._lags.finish(priors)
        kept: Codes = self._kept.values
        last = last_label(counts.pairs, kept[kept >= 0])
        return Profile(
            stream=stream,
            rows=self.rows,
            labelled=labelled,
            references=references,
            choice=self._outcomes.choose(last.helps),
            autocorrelation=replace(lags, peaks=label_seasons(kept, lags)),
            counts=counts.classes,
            pairs=counts.pairs,
            repeats=_repeats(counts),
            independence=independence(counts.pairs),
            last_label=last,
            priors=self._priors.finish(),
            seasonal_lag=self._seasonal.lag,
            leaks=self._leaks.finish(references),
        )


def _repeats(counts: LabelCounts) -> Repeats:
    reached, again = counts.repeats()
    given = fractions(again, reached)
    pooled_rows = reached.sum(axis=1)
    pooled = fractions(again.sum(axis=1), pooled_rows)
    # At ℓ = 0 nothing can repeat: use all rows, and the fraction of repeats by chance.
    pooled_rows[0], pooled[0] = reached[0, 0], (given[0] ** 2).sum()
    return Repeats(reached, given, pooled_rows, pooled)


class _RegressionPass:
    """One pass over regression targets."""

    def __init__(self, lags: int) -> None:
        self.rows = self._labelled = 0
        self._counts, self._lags = RegressionCounts(), RegressionLags(lags)
        self._kept = KeptRows(np.float64)

    def add(self, block: Block) -> None:
        self.rows += len(block)
        self._labelled += int(block.known.sum())
        for part in (self._counts, self._lags, self._kept):
            part.add(block.y)

    def profile(self, stream: Stream) -> Profile:
        none, test = LabelCounts(0), self._counts.test()
        lags = self._lags.finish(self._counts.mean, self._counts.variance)
        return Profile(
            stream=stream,
            rows=self.rows,
            labelled=self._labelled,
            references=self._counts.reference_scores,
            choice=ReferenceChoice(
                "LastValue" if test.word == "better" else "Mean", {"LastValue": test}
            ),
            autocorrelation=replace(lags, peaks=value_seasons(self._kept.values, lags)),
            counts=none.classes,
            pairs=none.pairs,
            repeats=Repeats(none.pairs, np.empty((0, 0)), none.classes, np.empty(0)),
            independence=independence(none.pairs),
            last_label=last_label(none.pairs, np.empty(0, np.int32)),
            priors=PriorWindow(0, 1).finish(),
        )


class SeasonalHits:
    """Plays Seasonal; counts the rows that it predicts correctly."""

    def __init__(self, schema: Schema) -> None:
        self._learner, self._k = Seasonal(), len(schema.classes)
        self._learner.start(schema, 0)
        self.hits = 0

    @property
    def lag(self) -> int | None:
        """The lag that more than half of the predictions took, if there is one."""
        return self._learner.lag

    def add(self, y: Codes) -> Bytes:
        """Predict each of the next rows, then learn its label if it has one; 1 where it hits."""
        n, known = len(y), y >= 0
        ops = np.tile(np.array([PREDICT, LEARN], np.uint8), n)
        rows = np.repeat(np.arange(n), 2)
        weight = np.where(ops == LEARN, known[rows], 1.0)
        label = np.empty(2 * n, np.int32)
        # Copied: kernels are compiled for writeable arrays only.
        events = Events(
            np.empty((n, 0)), np.array(y), ops, rows, rows, weight, label, np.empty((0, self._k))
        )
        self._learner.play(events)
        hits: Bytes = ((label[::2] == y) & known).astype(np.uint8)
        self.hits += int(hits.sum())
        return hits
