"""Labels of a log that are corrected after their row was scored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from streamgauge._support.types import NEVER, Floats, Longs, Mask, Targets
from streamgauge.measures.tally import Corrections, among_rows
from streamgauge.prequential.loop import ScoredRows
from streamgauge.runs.scorer import Scorer


class LabelCorrections(NamedTuple):
    """Corrections in the order in which they come."""

    rows: Longs
    times: Longs | None  # None: as soon as the row is scored
    old: Targets
    new: Targets


def label_corrections(
    rows: Longs, times: Longs | None, y: Targets, new: Targets
) -> LabelCorrections:
    """Corrections of the labels `y`: each replaces the one before it of the same row."""
    order = np.argsort(rows, kind="stable")
    again = np.flatnonzero(rows[order][1:] == rows[order][:-1])
    old = y[rows]
    old[order[again + 1]] = new[order[again]]
    return LabelCorrections(rows, times, old, new)


class CorrectionQueue:
    """Keeps the predictions of rows whose label will be corrected, until it is.

    Parameters
    ----------
    given
        The corrections.
    scorers
        The scorers of the learners; the predictions of the references come before theirs.
    """

    def __init__(self, given: LabelCorrections, scorers: Sequence[Scorer]) -> None:
        self._given, self._scorers = given, scorers
        self._rows, self._place = np.unique(given.rows, return_inverse=True)
        self._moment = np.full(len(given.rows), -NEVER) if given.times is None else given.times
        self._coming = np.empty(0, np.int64)  # corrections of rows that were scored
        self._first: list[Targets] = []  # [participant][place]
        self._proba: list[Floats] = []

    def add(self, scored: ScoredRows) -> None:
        """Pass what is corrected before the last of these rows to the scorers, ahead of them."""
        if not len(scored.ids):
            return
        self._keep(scored)
        last = scored.times[-1], scored.ids[-1]
        time, row = self._moment[self._coming], self._given.rows[self._coming]
        self._correct((time < last[0]) | ((time == last[0]) & (row <= last[1])), scored)

    def finish(self) -> None:
        """Pass all that is left to the scorers."""
        self._correct(np.ones(len(self._coming), np.bool_), None)

    def _keep(self, scored: ScoredRows) -> None:
        rows = min(len(each.first) for each in scored.predictions)  # fewer if one has failed
        ids = scored.ids[:rows]
        place = np.minimum(np.searchsorted(self._rows, ids), len(self._rows) - 1)
        which = np.flatnonzero(self._rows[place] == ids)
        place = place[which]
        if not self._first:
            for each in scored.predictions:
                self._first.append(np.empty(len(self._rows), each.first.dtype))
                self._proba.append(np.empty((len(self._rows), each.proba.shape[1])))
        for first, proba, each in zip(self._first, self._proba, scored.predictions, strict=True):
            first[place] = each.first[which]
            if len(each.proba):
                proba[place] = each.proba[which]
        revealed = np.full(len(self._rows), NEVER)
        revealed[place] = scored.times[which]
        fresh = np.flatnonzero(revealed[self._place] != NEVER)
        self._moment[fresh] = np.maximum(self._moment[fresh], revealed[self._place[fresh]])
        self._coming = np.sort(np.concatenate([self._coming, fresh]))

    def _correct(self, due: Mask, scored: ScoredRows | None) -> None:
        now, self._coming = self._coming[due], self._coming[~due]
        if not len(now):
            return
        none = np.empty(0, np.int64)
        times, ids = (none, none) if scored is None else (scored.times, scored.ids)
        order, after = among_rows(self._moment[now], self._given.rows[now], times, ids)
        now = now[order]
        place = self._place[now]
        references = len(self._first) - len(self._scorers)
        others = [first[place] for first in self._first[:references]]
        for scorer, own, proba in zip(
            self._scorers, self._first[references:], self._proba[references:], strict=True
        ):
            predictions = np.stack([own[place], *others])
            probabilities = proba[place] if scorer.participant.probabilities else None
            old, new = self._given.old[now], self._given.new[now]
            scorer.correct(Corrections(after, old, new, predictions, probabilities))
