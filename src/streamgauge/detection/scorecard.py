"""`score_detectors`: the alarms of detectors against the true drifts, beside blind alarms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from streamgauge._support.errors import UsageError, check_seed, did_you_mean
from streamgauge._support.printable import printable_lines, printed
from streamgauge._support.types import Longs
from streamgauge.detection._alarm_runs import (
    Detected,
    RunAlarms,
    dependence_given,
    from_detected,
    from_rows,
    is_detected,
)
from streamgauge.detection._answer import show_card
from streamgauge.detection._scorecard_figure import scorecard_figure
from streamgauge.detection._scorecard_text import beside_shifts, head, score_lines
from streamgauge.detection.alarm_draws import AlarmDraws, as_frequent, draw_scores, shift_scores
from streamgauge.detection.alarms import MEASURES, AlarmScore, check_accept, pooled, score_run
from streamgauge.detection.independence import Dependence
from streamgauge.detectors.base import Detector, feed
from streamgauge.detectors.never_alarm import NeverAlarm
from streamgauge.detectors.periodic_alarm import PeriodicAlarm
from streamgauge.detectors.random_alarm import RandomAlarm
from streamgauge.measures.holm import holm
from streamgauge.rendering.frames import frame_of
from streamgauge.rendering.html import notebook_html
from streamgauge.rendering.plain_values import plain
from streamgauge.rendering.sheet import sheet_of
from streamgauge.rendering.text_table import align

FORMAT = "streamgauge.scorecard/2"
_CHUNK_ROWS = 8192


@dataclass(frozen=True, repr=False)
class Scorecard:
    """The scores of detectors against the true drifts; print it for a report.

    `card["DDM()"]` is the score of one detector or dummy.

    Attributes
    ----------
    scores
        The score of each detector.
    dummies
        The score of each dummy that alarms at fixed rows, regardless of the errors.
    random
        The scores of each dummy that alarms at random: many draws, never one.
    chance
        For each detector with alarms, the same alarms shifted around the stream; p has Holm's
        correction over the detectors.
    accept
        A drift counts as detected within this many rows; None: until the next one starts.
    dependence
        The lag-1 autocorrelation of the errors within concepts.

    References
    ----------
    bifet2013b, zliobaite2015 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> card = sg.score_detectors({"late": [1900], "early": [1003]}, drifts=[1000], n=2000)
    >>> [(name, score.mtd) for name, score in card.scores.items()]
    [('late', 900.0), ('early', 3.0)]
    >>> {name: shifted.beaten for name, shifted in card.chance.items()}
    {'late': False, 'early': True}
    """

    scores: dict[str, AlarmScore]
    dummies: dict[str, AlarmScore]
    random: dict[str, AlarmDraws]
    chance: dict[str, AlarmDraws]
    accept: int | None
    dependence: Dependence = field(default_factory=Dependence.unknown)

    def __getitem__(self, name: str) -> AlarmScore:
        if name in self.random:
            raise UsageError(
                f"{name!r} has many draws and no single score; see card.random[{name!r}]"
            )
        every = self.scores | self.dummies
        if name not in every:
            close = did_you_mean(name, every)
            raise UsageError(f"no score of {name!r}{close}; expected one of {', '.join(every)}")
        return every[name]

    @property
    def runs(self) -> int:
        """Number of runs scored."""
        return next(iter(self.scores.values())).runs

    def plot(self) -> Any:
        """Draw the wait for an alarm against false alarms: an Altair chart (docs/figures.md)."""
        return scorecard_figure(self)

    def to_dict(self) -> dict[str, Any]:
        """The scores as plain values, as `--json` writes them (docs/json.md); undefined is None."""
        values: dict[str, Any] = plain(
            {
                "format": FORMAT,
                "accept": self.accept,
                "scores": {name: score.to_dict() for name, score in self.scores.items()},
                "dummies": {name: score.to_dict() for name, score in self.dummies.items()},
                "random": {name: draws.to_dict() for name, draws in self.random.items()},
                "chance": {
                    name: {"beaten": draws.beaten, **draws.to_dict()}
                    for name, draws in self.chance.items()
                },
                "dependence": self.dependence.to_dict(),
                "notes": self.notes(),
            }
        )
        return values

    def to_frame(self, kind: str | None = None) -> Any:
        """A frame of "pandas", "polars" or "arrow" with one line per detector and dummy.

        Random dummies have means; `detections_low` and `detections_high` are the ends of the 95 %
        range, and so on. `beats_chance` says whether a detector beats shifts of its own alarms.
        """
        lines = []
        for name, score in (self.scores | self.dummies).items():
            line = {"detector": name, "dummy": name in self.dummies, "draws": None}
            beats = self.chance[name].beaten if name in self.chance else None
            lines.append(line | {"beats_chance": beats} | score.to_dict() | _ranges(None))
        for name, draws in self.random.items():
            line = {"detector": name, "dummy": True, "draws": len(draws.scores)}
            means = {measure: draws.mean(measure) for measure in MEASURES}
            lines.append(line | {"beats_chance": None} | means | _ranges(draws))
        return frame_of(pa.Table.from_pylist(lines), kind)

    def notes(self) -> list[str]:
        """How each detector compares with blind alarms, and a warning of dependent errors."""
        compared = [
            beside_shifts(name, self.scores[name], draws) for name, draws in self.chance.items()
        ]
        return [*compared, *self._no_better(), *self.dependence.warning()]

    @property
    def details(self) -> str:
        """Everything there is to say of the scores, as text; printing shows the answer only."""
        notes, table = self.notes(), align(self.lines())
        text = "\n".join([self.head(), "", table, *([""] if notes else []), *notes])
        return printable_lines(text)

    @printed
    def __str__(self) -> str:
        notes = self._no_better()
        return show_card(self.scores, self.chance, self.accept, self.dependence, notes)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return notebook_html(self.notes(), sheet_of(self.lines(), [self.head()]), self)

    def head(self) -> str:
        """The runs, their rows and drifts, and when a drift counts as detected."""
        return head(next(iter(self.scores.values())), self.accept)

    def lines(self) -> list[list[str]]:
        """The table as text: a header, then a line per detector and dummy."""
        return score_lines(self.scores | self.dummies, self.random)

    def _no_better(self) -> list[str]:
        """A sentence per detector that a dummy with alarms at fixed rows equals."""
        notes = []
        for name, score in self.scores.items():
            equals = [
                dummy
                for dummy, blind in self.dummies.items()
                if blind.alarms
                and score.drifts
                and blind.detections >= score.detections > 0
                and blind.false_alarms <= score.false_alarms
                and blind.mtd <= score.mtd
                and dummy != name
            ]
            if equals:
                notes.append(
                    f"{name} did no better here than {equals[0]}, which never looks at the errors."
                )
        return notes


def score_detectors(
    alarms: Any,
    drifts: Any = None,
    n: int | Sequence[int] | None = None,
    accept: int | None = None,
    *,
    errors: npt.ArrayLike | Sequence[npt.ArrayLike] | None = None,
    dummies: Sequence[Detector] | None = None,
    seed: int | None = None,
) -> Scorecard:
    """Score detectors: their alarms against the true drifts.

    Parameters
    ----------
    alarms
        The rows of one detector's alarms; a list of such lists, one per run; a dict of either, by
        detector; or the result of `detect`, for one run or a list of runs.
    drifts
        The true drifts in all runs, as rows or (row, width); [] = no drift.
    n
        Rows in the stream, or a list of row counts, one per run. Results of `detect` need neither
        `drifts` nor `n`.
    accept
        A drift counts as detected within this many rows. Default: until the next one starts.
    errors
        The errors of each run that the detectors were fed, for the test of independence.
    dummies
        Detectors to compare with that ignore the errors; [] for none. Default: NeverAlarm, and
        PeriodicAlarm and RandomAlarm with as many alarms as the busiest detector; each detector is
        then also compared with its own alarms at random places. RandomAlarm is drawn 200 times.
    seed
        Random seed of random alarms and places. Default: the seed given to `detect`, or 1.

    Returns
    -------
    Scorecard
        The score of each detector and of each dummy; print it for a report.

    Raises
    ------
    InputError
        If an alarm is outside the stream.

    References
    ----------
    bifet2013b (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> card = sg.score_detectors([40, 130, 190], drifts=[100], n=200)
    >>> score = card["alarms"]
    >>> score.delays.tolist(), score.repeats, score.false_alarms
    ([30.0], 1, 1)
    >>> shifted = card.chance["alarms"]  # the same alarms, shifted around the stream
    >>> shifted.range("detections"), shifted.beaten
    ((1.0, 1.0), False)
    """
    check_accept(accept)
    if seed is not None:
        check_seed("score_detectors", seed)
    if isinstance(alarms, Detected):
        alarms = [alarms]
    if is_detected(alarms):
        runs = [from_detected(each, drifts) for each in alarms]
        dependence = Dependence.pooled([each.dependence for each in alarms])
        seed = alarms[0].seed if seed is None else seed
    else:
        runs = from_rows(alarms, drifts, n)
        dependence = dependence_given(errors, runs)
    names = list(runs[0].alarms)
    scores = {name: _over([run.alarms[name] for run in runs], runs, accept) for name in names}
    given = _default_dummies(scores) if dummies is None else dummies
    # By default also shifts of each detector's alarms; without a drift none is better.
    compared = [name for name in names if scores[name].alarms and scores[name].drifts]
    seed = 1 if seed is None else seed
    chance = {
        name: shift_scores(
            name, [(run.alarms[name], run.drifts, run.n) for run in runs], accept, seed
        )
        for name in compared
        if dummies is None
    }
    corrected = holm([shifted.p for shifted in chance.values()])
    chance = {
        name: replace(shifted, p=p)
        for (name, shifted), p in zip(chance.items(), corrected.tolist(), strict=True)
    }
    by_chance = [each for each in given if isinstance(each, RandomAlarm)]
    truth = [(run.drifts, run.n) for run in runs]
    return Scorecard(
        scores,
        {
            repr(each): _over(_blind(each, runs), runs, accept)
            for each in given
            if not isinstance(each, RandomAlarm) and repr(each) not in scores
        },
        {repr(each): draw_scores(each, truth, accept, seed) for each in by_chance},
        chance,
        accept,
        dependence,
    )


def _over(alarms: Sequence[Longs], runs: Sequence[RunAlarms], accept: int | None) -> AlarmScore:
    return pooled(
        [score_run(each, run.drifts, run.n, accept) for each, run in zip(alarms, runs, strict=True)]
    )


def _default_dummies(scores: Mapping[str, AlarmScore]) -> list[Detector]:
    """No alarms, and alarms about as frequent as those of the busiest detector."""
    busiest = max(scores.values(), key=lambda score: score.alarms)
    if not busiest.alarms:
        return [NeverAlarm()]
    every = max(1, round(busiest.rows / busiest.alarms))
    return [NeverAlarm(), PeriodicAlarm(every), as_frequent(busiest)]


def _blind(detector: Detector, runs: Sequence[RunAlarms]) -> list[Longs]:
    """The alarms per run of a detector that is fed zeros only."""
    zeros = np.zeros(_CHUNK_ROWS)
    found = []
    for seed, run in enumerate(runs, 1):
        detector.start(seed)
        starts = range(0, run.n, _CHUNK_ROWS)
        alarms = [feed(detector, zeros[: run.n - start], start) for start in starts]
        found.append(np.array([row for chunk in alarms for row in chunk], np.int64))
    return found


def _ranges(draws: AlarmDraws | None) -> dict[str, float | None]:
    """The columns of a frame with the ends of the ranges; empty for a score without draws."""
    ends: dict[str, float | None] = {}
    for measure in MEASURES:
        low, high = (None, None) if draws is None else draws.range(measure)
        ends |= {f"{measure}_low": low, f"{measure}_high": high}
    return ends
