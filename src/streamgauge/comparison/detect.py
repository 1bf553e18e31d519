"""Many detectors over one run: when did each say that something has changed?"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import Drift, Floats, Longs
from streamgauge.comparison._independence import Dependence, dependence_of
from streamgauge.comparison.alarms import as_drifts
from streamgauge.comparison.scorecard import Scorecard, score_alarms
from streamgauge.detectors.adapters import as_detector
from streamgauge.detectors.base import Detector, feed
from streamgauge.learners.parsing import parse_detector
from streamgauge.rendering.text_table import align
from streamgauge.runs.folds import Folds
from streamgauge.runs.run import Run, frame_of, plain
from streamgauge.runs.stored import StoredRun, read_run

FORMAT = "streamgauge.detections/1"
_PIECE = 8192
_UNKNOWN = "Where the concept truly changes is not known: no alarm can be called right or wrong."


class _Fed(NamedTuple):
    """What detectors are fed, in the order the labels came."""

    what: str
    errors: Floats
    rows: Longs  # whose errors these are
    at: Longs  # the row that had arrived last when the label came
    n: int  # rows that arrived
    drifts: tuple[Drift, ...] | None
    numbers: bool  # are errors distances?


@dataclass(frozen=True, repr=False)
class Detections:
    """The alarms of detectors over one run. Printing it shows them, against the true drifts where
    those are known."""

    what: str
    n: int  # rows that arrived
    fed: int  # errors
    mean_error: float
    drifts: tuple[Drift, ...] | None  # where the concept truly changes; None: not known
    alarms: dict[str, Longs]  # of each detector: the rows that had just arrived at its alarms
    places: dict[str, Longs]  # the same by the number of errors fed before
    rows: dict[str, Longs]  # the same by the row whose error raised it
    dependence: Dependence
    numbers: bool = field(default=False)

    def score(
        self,
        drifts: Any = None,
        accept: int | None = None,
        dummies: Sequence[Detector] | None = None,
    ) -> Scorecard:
        """Alarms against drifts, by default those that the stream knows; see `score_alarms`."""
        return score_alarms(self, drifts, accept=accept, dummies=dummies)

    def to_dict(self) -> dict[str, Any]:
        """As plain values, as `--json` writes it (docs/json.md); undefined is None."""
        known = self.drifts is not None
        values: dict[str, Any] = plain(
            {
                "format": FORMAT,
                "what": self.what,
                "rows": self.n,
                "errors": self.fed,
                "mean_error": self.mean_error,
                "drifts": [drift._asdict() for drift in self.drifts or ()] if known else None,
                "alarms": {
                    name: {
                        "row": self.alarms[name].tolist(),
                        "error": self.places[name].tolist(),
                        "error_of_row": self.rows[name].tolist(),
                    }
                    for name in self.alarms
                },
                "dependence": self.dependence.to_dict(),
            }
        )
        return values

    def to_frame(self, kind: str | None = None) -> Any:
        """A line per alarm: a frame of "pandas", "polars" or "arrow"."""
        columns = {"row": self.alarms, "error": self.places, "error_of_row": self.rows}
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
        """What was watched, in one line."""
        wrong = f"{self.mean_error:.1%} wrong"
        mean = f"mean error {self.mean_error:.4g}" if self.numbers else wrong
        return f"{self.what} · {self.fed:,} scored, {mean}"

    def __str__(self) -> str:
        if self.drifts is not None:
            return f"{self.head()}\n{self.score()}"
        notes = [*self.dependence.warning(), _UNKNOWN]
        return "\n".join([self.head(), "", self._table(), "", *notes])

    __repr__ = __str__

    def _table(self) -> str:
        lines = [["", "alarms", "first", "last", "rows between (median)"]]
        for name, alarms in self.alarms.items():
            ends = [f"{row:,}" for row in (alarms[[0, -1]].tolist() if len(alarms) else [])]
            gap = f"{np.median(np.diff(alarms)):,.0f}" if len(alarms) > 1 else "-"
            lines.append([name, f"{len(alarms):,}", *(ends or ["-", "-"]), gap])
        return align(lines)


def detect(
    run: Run | StoredRun | str | Path | npt.ArrayLike,
    detectors: Sequence[Any],
    *,
    drifts: Any = None,
    seed: int = 1,
) -> Detections:
    """Run detectors over the errors of a run, all in one pass, each from a fresh start.

    run: a run, the directory of a saved one, or an array of errors. Of a run detectors are fed the
    error of each row's first prediction when its label comes: 0 or 1, an abstention is wrong; of a
    regression the distance, rows without a prediction left out.
    detectors: ours, River's, or texts such as "PageHinkley(on=Fading(0.997))".
    drifts: where the concept truly changes, rows or (row, width); [] = nowhere. By default what the
    stream knows.
    seed: for detectors that draw lots.
    """
    if isinstance(detectors, str) or not isinstance(detectors, Sequence) or not detectors:
        raise UsageError("detect: expected a list of detectors, at least one, e.g. [DDM()]")
    watchers = [copy.deepcopy(_detector(each)) for each in detectors]
    fed = _fed(run)
    if drifts is not None:
        fed = fed._replace(drifts=as_drifts(drifts, fed.n))
    found: list[list[int]] = [[] for _ in watchers]
    for watcher in watchers:
        watcher.start(seed)
    for start in range(0, len(fed.errors), _PIECE):
        piece = fed.errors[start : start + _PIECE]
        for watcher, alarms in zip(watchers, found, strict=True):
            alarms.extend(feed(watcher, piece, start))
    names = _names(watchers)
    places = {name: np.array(alarms, np.int64) for name, alarms in zip(names, found, strict=True)}
    cuts = np.searchsorted(fed.at, [drift.position for drift in fed.drifts or ()])
    return Detections(
        fed.what,
        fed.n,
        len(fed.errors),
        float(fed.errors.mean()) if len(fed.errors) else np.nan,
        fed.drifts,
        {name: fed.at[each] for name, each in places.items()},
        places,
        {name: fed.rows[each] for name, each in places.items()},
        dependence_of(fed.errors, cuts.tolist()),
        fed.numbers,
    )


def _detector(given: Any) -> Detector:
    return parse_detector(given) if isinstance(given, str) else as_detector(given)


def _names(detectors: Sequence[Detector]) -> list[str]:
    """What tables call them: the second of a name gets a number."""
    names = list(map(repr, detectors))
    return [
        name if (count := names[:i].count(name)) == 0 else f"{name} #{count + 1}"
        for i, name in enumerate(names)
    ]


def _fed(run: Any) -> _Fed:
    if isinstance(run, str | Path):
        run = read_run(run)
    if isinstance(run, Folds):
        raise UsageError(
            "detect: a cross-validation has a run per model; give one of them: folds[0]"
        )
    if not isinstance(run, Run | StoredRun):
        return _of_array(run)
    summary = run.to_dict() if isinstance(run, Run) else run.facts
    protocol = summary["settings"].get("protocol") or ""
    if protocol.startswith("Holdout") and "interleaved" not in protocol:
        raise UsageError(
            f"detect: this run was scored on one test set again and again, {protocol}; expected "
            "errors along the stream: the default protocol, or Holdout(test='interleaved')"
        )
    known = tuple(Drift(each["position"], each["width"]) for each in summary.get("drifts", ()))
    table = run.predictions
    if "revealed_at" not in table.column_names:
        raise InputError("this saved run does not say when labels came; evaluate it again")
    errors, kept = _errors(table, bool(summary["classes"]))
    what = f"{summary['stream']} · {summary['learner']} · labels {summary['settings']['labels']}"
    return _Fed(
        what,
        errors,
        table["row"].to_numpy()[kept],
        table["revealed_at"].to_numpy()[kept],
        summary["counts"]["rows"],
        known or None,
        not summary["classes"],
    )


def _errors(table: pa.Table, classified: bool) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """The errors, and of each scored row whether it has one."""
    y, given = (_unencoded(table[name]) for name in ("y", "prediction"))
    if classified:
        right = pc.fill_null(pc.equal(y, given), False).to_numpy()
        return (~right).astype(np.float64), np.ones(len(right), np.bool_)
    off = np.abs(y.to_numpy() - given.to_numpy())
    kept = ~np.isnan(off)
    return off[kept], kept


def _unencoded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    encoded = pa.types.is_dictionary(column.type)
    return column.cast(column.type.value_type) if encoded else column


def _of_array(given: npt.ArrayLike) -> _Fed:
    try:
        errors = np.ascontiguousarray(given, np.float64)
    except (TypeError, ValueError):
        raise UsageError(
            f"detect: {type(given).__name__} is neither a run nor errors; expected sg.evaluate's "
            "run, the directory of a saved one, or an array of numbers"
        ) from None
    if errors.ndim != 1 or not len(errors):
        raise InputError(f"errors have shape {errors.shape}; expected one number per row")
    rows = np.arange(len(errors))
    zero_one = bool(((errors == 0) | (errors == 1)).all())
    return _Fed("errors", errors, rows, rows, len(errors), None, not zero_one)
