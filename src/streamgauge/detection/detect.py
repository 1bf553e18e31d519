"""`detect`: the alarms of several drift detectors over the errors of one run."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge._support.errors import InputError, UsageError, check_seed
from streamgauge._support.printable import printable, printable_lines, printed
from streamgauge._support.types import Drift, Floats, Longs
from streamgauge.detection._answer import dependent, shown
from streamgauge.detection._trace import DetectorLog, error_curve
from streamgauge.detection._trace_figure import trace_figure
from streamgauge.detection.alarms import as_drifts
from streamgauge.detection.independence import Dependence, dependence_of
from streamgauge.detection.scorecard import Scorecard, score_detectors
from streamgauge.detectors.adapters import as_detector
from streamgauge.detectors.base import Detector, all_alarms
from streamgauge.learners.learner_text import parse_detector
from streamgauge.rendering.frames import frame_of
from streamgauge.rendering.html import notebook_html
from streamgauge.rendering.layout import wrap
from streamgauge.rendering.plain_values import plain
from streamgauge.rendering.sheet import sheet_of
from streamgauge.rendering.text_table import align
from streamgauge.rendering.units import percent
from streamgauge.rendering.words import unique_names
from streamgauge.runs.conditions import conditions_of
from streamgauge.runs.open_run import open_run
from streamgauge.runs.run import Run
from streamgauge.runs.runs import Runs

FORMAT = "streamgauge.detections/1"
_NOTHING, _NO_ROWS = np.empty(0), np.empty(0, np.int64)
_UNKNOWN = "The true drifts are unknown: no alarm can be called right or wrong."


class _Errors(NamedTuple):
    """The errors that detectors are fed, in reveal order."""

    source: str
    values: Floats
    rows: Longs  # the row of each error
    at: Longs  # the latest row when its label was revealed
    n: int  # rows in the stream
    drifts: tuple[Drift, ...] | None  # None: unknown
    regression: bool  # errors are distances
    seed: int = 1  # of the run


@dataclass(frozen=True, repr=False)
class Detections:
    """The alarms of drift detectors over one run; print it for a report.

    The report scores the alarms if the true drifts are known.

    Attributes
    ----------
    source
        Stream, learner and label policy of the run.
    n
        Number of rows in the stream.
    n_errors
        Number of errors that the detectors were fed.
    mean_error
        Mean of these errors.
    drifts
        The true drifts; None if unknown.
    alarms
        For each detector, the newest row at each alarm.
    error_positions
        For each detector, the position of each alarm in the sequence of errors.
    error_rows
        For each detector, the row whose error raised each alarm.
    dependence
        The lag-1 autocorrelation of the errors within concepts.
    regression
        Whether errors are distances.
    seed
        Random seed of the detectors, and of the random alarms that `score` compares with.
    watched
        The detectors and the errors, from which `error_curve` and `statistic` follow.

    Examples
    --------
    >>> import numpy as np
    >>> import streamgauge as sg
    >>> errors = np.r_[np.arange(300) % 5 == 0, np.ones(100)].astype(float)
    >>> found = sg.detect(errors, [sg.DDM()], drifts=[300])
    >>> print(found.head())
    errors · 400 scored, 40.0 % wrong
    >>> found.score()["DDM()"].mtd  # rows from the drift to the alarm
    17.0
    """

    source: str  # stream, learner and label policy
    n: int  # rows in the stream
    n_errors: int
    mean_error: float
    drifts: tuple[Drift, ...] | None  # the true drifts; None: unknown
    alarms: dict[str, Longs]  # per detector, the latest row at each alarm
    error_positions: dict[str, Longs]  # the same, by position in the sequence of errors
    error_rows: dict[str, Longs]  # the same, by the row whose error raised the alarm
    dependence: Dependence
    regression: bool = field(default=False)
    seed: int = 1
    watched: DetectorLog = field(default_factory=lambda: DetectorLog({}, {}, _NOTHING, _NO_ROWS, 1))

    @cached_property
    def error_curve(self) -> pa.Table:
        """The mean of the last errors along the stream: columns row, error, window."""
        return error_curve(self.watched.errors, self.watched.at)

    @cached_property
    def statistic(self) -> pa.Table:
        """The statistic of each detector that has one, at about 500 places and before each alarm.

        Columns: detector, row, value, threshold (its alarm level), signal (the input of a
        Page–Hinkley test: an estimate, or the ratio R of two), alarms_below.
        """
        return self.statistic_between()

    def statistic_between(self, start: int = 0, stop: int | None = None) -> pa.Table:
        """The table `statistic` of some rows: about 500 places from row `start` to before `stop`.

        Examples
        --------
        >>> import numpy as np
        >>> import streamgauge as sg
        >>> found = sg.detect(np.arange(9000) % 5 == 0, [sg.PageHinkley()])
        >>> found.statistic_between(4000, 4003)["row"].to_pylist()
        [4000, 4001, 4002]
        """
        return self.watched.statistic(start, stop)

    def score(
        self,
        drifts: Any = None,
        accept: int | None = None,
        dummies: Sequence[Detector] | None = None,
        seed: int | None = None,
    ) -> Scorecard:
        """Score the alarms against the true drifts, by default those of the stream.

        See `score_detectors`.
        """
        return score_detectors(self, drifts, accept=accept, dummies=dummies, seed=seed)

    def plot(self, *detectors: str) -> Any:
        """Draw the error, and the statistic and alarms of each detector: an Altair chart.

        `detectors`: only these, by their names in `alarms`; by default all (docs/figures.md).
        """
        return trace_figure(self, detectors)

    def to_dict(self) -> dict[str, Any]:
        """The alarms as plain values, as `--json` writes them (docs/json.md); undefined is None."""
        known = self.drifts is not None
        values: dict[str, Any] = plain(
            {
                "format": FORMAT,
                "what": self.source,
                "rows": self.n,
                "errors": self.n_errors,
                "mean_error": self.mean_error,
                "drifts": [drift._asdict() for drift in self.drifts or ()] if known else None,
                "alarms": {
                    name: {
                        "row": self.alarms[name].tolist(),
                        "error": self.error_positions[name].tolist(),
                        "error_of_row": self.error_rows[name].tolist(),
                    }
                    for name in self.alarms
                },
                "dependence": self.dependence.to_dict(),
            }
        )
        return values

    def to_frame(self, kind: str | None = None) -> Any:
        """A frame of "pandas", "polars" or "arrow" with one line per alarm."""
        columns = {
            "row": self.alarms,
            "error": self.error_positions,
            "error_of_row": self.error_rows,
        }
        names = [name for name, each in self.alarms.items() for _ in each]
        nothing = np.empty(0, np.int64)
        table = pa.table(
            {"detector": pa.array(names, pa.string())}
            | {
                column: np.concatenate([nothing, *by_name.values()])
                for column, by_name in columns.items()
            }
        )
        return frame_of(table, kind)

    def head(self) -> str:
        """The source of the errors and their mean, in one line."""
        wrong = f"{percent(self.mean_error)} wrong"
        mean = f"mean error {self.mean_error:.4g}" if self.regression else wrong
        return printable(f"{self.source} · {self.n_errors:,} scored, {mean}")

    @property
    def details(self) -> str:
        """Everything there is to say of the alarms, as text; printing shows the answer only."""
        if self.drifts is not None:
            return f"{self.head()}\n{self.score().details}"
        notes = [*self.dependence.warning(), _UNKNOWN]
        text = "\n".join([self.head(), "", align(self._lines()), "", *notes])
        return printable_lines(text)

    @printed
    def __str__(self) -> str:
        if self.drifts is not None:
            return f"{wrap(self.head())}\n{self.score()}"
        below = dependent(self.dependence)
        return shown([self.head(), _UNKNOWN], align(self._lines()), below)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        if self.drifts is None:
            words = [_UNKNOWN, *self.dependence.warning()]
            return notebook_html(words, sheet_of(self._lines(), [self.head()]), self)
        card = self.score()
        sheet = sheet_of(card.lines(), [self.head(), card.head()])
        return notebook_html(card.notes(), sheet, self)

    def _lines(self) -> list[list[str]]:
        lines = [["", "alarms", "first", "last", "median gap (rows)"]]
        for name, alarms in self.alarms.items():
            ends = [f"{row:,}" for row in (alarms[[0, -1]].tolist() if len(alarms) else [])]
            gap = f"{np.median(np.diff(alarms)):,.0f}" if len(alarms) > 1 else "-"
            lines.append([name, f"{len(alarms):,}", *(ends or ["-", "-"]), gap])
        return lines


@np.errstate(over="ignore", invalid="ignore")  # infinite targets are data, too
def detect(
    run: Run | str | Path | npt.ArrayLike,
    detectors: Sequence[Any],
    *,
    drifts: Any = None,
    seed: int | None = None,
) -> Detections:
    """Run detectors over the errors of a run, each from its initial state.

    Detectors are fed the error of each row's first prediction when its label is revealed. In
    classification it is 0 or 1, and an abstention is wrong. In regression it is the absolute error,
    and rows without a prediction are left out.

    Parameters
    ----------
    run
        A run, the directory of a saved run, or an array of errors.
    detectors
        Detectors of streamgauge or River, or texts such as "PageHinkley(on=Fading(0.997))".
    drifts
        The true drifts, as rows or (row, width); [] = no drift. Default: those of the stream.
    seed
        Random seed of the detectors, and of the random alarms that `score` compares with. Default:
        the seed of the run; 1 for an array of errors.

    Returns
    -------
    Detections
        The alarms of each detector; print it for a report.

    Raises
    ------
    UsageError
        If a detector or the run is not valid.

    References
    ----------
    gama2013 (docs/bibliography.md)

    Examples
    --------
    >>> import numpy as np
    >>> import streamgauge as sg
    >>> errors = np.r_[np.arange(300) % 5 == 0, np.ones(100)].astype(float)
    >>> found = sg.detect(errors, [sg.DDM(), sg.ADWIN()], drifts=[300])
    >>> {name: rows.tolist() for name, rows in found.alarms.items()}
    {'DDM()': [317], 'ADWIN()': [351]}
    """
    if isinstance(detectors, str) or not isinstance(detectors, Sequence) or not detectors:
        raise UsageError("detectors: expected a list of detectors with at least one, e.g. [DDM()]")
    fresh = [copy.deepcopy(_detector(each)) for each in detectors]
    errors = _errors_of(run)
    if seed is None:
        seed = errors.seed
    check_seed("detect", seed)
    if drifts is not None:
        errors = errors._replace(drifts=as_drifts(drifts, errors.n))
    named = dict(zip(unique_names(map(repr, fresh)), fresh, strict=True))
    positions = {name: all_alarms(each, errors.values, seed) for name, each in named.items()}
    cuts = None
    if errors.drifts is not None:
        cuts = np.searchsorted(errors.at, [drift.position for drift in errors.drifts]).tolist()
    return Detections(
        source=errors.source,
        n=errors.n,
        n_errors=len(errors.values),
        mean_error=float(errors.values.mean()) if len(errors.values) else np.nan,
        drifts=errors.drifts,
        alarms={name: errors.at[each] for name, each in positions.items()},
        error_positions=positions,
        error_rows={name: errors.rows[each] for name, each in positions.items()},
        dependence=dependence_of(errors.values, cuts),
        regression=errors.regression,
        seed=seed,
        watched=DetectorLog(named, positions, errors.values, errors.at, seed),
    )


def _detector(given: Any) -> Detector:
    return parse_detector(given) if isinstance(given, str) else as_detector(given)


def _errors_of(run: Any) -> _Errors:
    if isinstance(run, str | Path):
        run = open_run(run)
    if isinstance(run, Runs):
        raise UsageError(f"run: got {len(run)} runs; pass one of them, e.g. runs[0]")
    if not isinstance(run, Run):
        return _from_array(run)
    conditions = conditions_of(run)
    if conditions.reuses_test_set:
        raise UsageError(
            f"run: {conditions.protocol} scores the same test set repeatedly; expected errors "
            "along the stream: the default protocol, or Holdout(..., test='interleaved')"
        )
    table = run.predictions
    errors, kept = _errors_in(table, bool(run.classes))
    return _Errors(
        f"{conditions.stream} · {run.title} · labels {conditions.labels}",
        errors,
        table["row"].to_numpy()[kept],
        table["revealed_at"].to_numpy()[kept],
        run.counts.rows,
        run.drifts or None,
        not run.classes,
        run.settings.seed,
    )


def _errors_in(table: pa.Table, classified: bool) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """The errors, and a mask of the scored rows that have one."""
    y, given = (_decoded(table[name]) for name in ("y", "prediction"))
    if classified:
        right = pc.fill_null(pc.equal(y, given), False).to_numpy()
        return (~right).astype(np.float64), np.ones(len(right), np.bool_)
    off = np.abs(y.to_numpy() - given.to_numpy())
    kept = ~np.isnan(off)
    return off[kept], kept


def _decoded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    encoded = pa.types.is_dictionary(column.type)
    return column.cast(column.type.value_type) if encoded else column


def _from_array(given: npt.ArrayLike) -> _Errors:
    try:
        errors = np.ascontiguousarray(given, np.float64)
    except (TypeError, ValueError):
        raise UsageError(
            f"run: got {type(given).__name__}; expected a run of sg.evaluate, the directory of a "
            "saved run, or an array of errors"
        ) from None
    if errors.ndim != 1 or not len(errors):
        raise InputError(f"errors: got shape {errors.shape}; expected one number per row")
    rows = np.arange(len(errors))
    zero_one = bool(((errors == 0) | (errors == 1)).all())
    return _Errors("errors", errors, rows, rows, len(errors), None, not zero_one)
