"""The record of a run: its small facts, as evaluating makes them and run.json keeps them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from streamgauge._support.errors import InputError
from streamgauge._support.types import Longs
from streamgauge.measures.scale import Scale
from streamgauge.measures.verdict import Verdict
from streamgauge.rendering.plain_values import Number, plain
from streamgauge.runs._late_labels import LateLabels
from streamgauge.runs.directories import FORMAT, RUN_FILE
from streamgauge.runs.facts import Cost, Counts, RunFailure, Time, title_of
from streamgauge.runs.identity import Settings
from streamgauge.runs.integrity import REMEDY, StoredFile, check_files, check_id, read_sealed
from streamgauge.streams.summary import StreamSummary

if TYPE_CHECKING:
    from streamgauge.runs.run import Run


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class RunRecord:
    """What is known of a run without its curves and predictions; `Run` explains the fields.

    A field declared here is in every run, in run.json and so in the cells of experiments.
    """

    name: str
    identity: str
    stream: StreamSummary
    settings: Settings
    counts: Counts
    confusion: Longs | None
    references: dict[str, dict[str, Number]]
    overall: dict[str, Number]
    summaries: dict[str, dict[str, Number]]
    scales: dict[str, Scale]
    verdict: Verdict
    late_labels: LateLabels | None
    cost: Cost
    time: Time
    failure: RunFailure | None
    warnings: tuple[str, ...]

    @property
    def title(self) -> str:
        """The learner's name, with the number of the model in a cross-validation."""
        return title_of(self.name, self.settings.model)

    def facts(self) -> dict[str, Any]:
        """The fields by name."""
        return {each.name: getattr(self, each.name) for each in fields(RunRecord)}


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class StoredRecord(RunRecord):
    """The record in a run.json; the bins in it are read when they are asked for: they are large."""

    id: str
    files: dict[str, StoredFile]


class StoredBins(msgspec.Struct, frozen=True):
    """What bins.parquet does not hold of `run.bins`."""

    bins: int
    labels: int
    metrics: dict[str, Any]
    n_c: Number
    n_b: Number
    n_r: Number
    verdicts: dict[int, Verdict]


class _WithBins(msgspec.Struct, frozen=True):
    bins: StoredBins


def read_record(directory: Path) -> StoredRecord:
    """Read and check the run.json in a directory."""
    file = directory / RUN_FILE
    if not file.exists():
        raise InputError(
            f"{directory}: not a saved run (it has no run.json); expected a directory made by "
            "run.save or streamgauge evaluate --save"
        )
    record = read_sealed(file, FORMAT, StoredRecord, REMEDY)
    check_id(file, record.id, None)
    forget = record.settings.forget
    if not forget or list(record.summaries) != list(dict.fromkeys(forget)):
        raise InputError(
            f"{file}: summaries has the keys {list(record.summaries)}; expected the forgettings of "
            f"the settings, {list(forget)}"
        )
    _check_classes(record, file)
    return record


def read_intact(directory: Path, run_id: str | None = None, quick: bool = False) -> StoredRecord:
    """Read run.json; raise an error unless it and all files of the run are as they were written.

    `run_id` is the id that the run must have. `quick` is that of `integrity.check_files`.
    """
    record = read_record(directory)
    check_id(directory / RUN_FILE, record.id, run_id)
    check_files(directory / RUN_FILE, record.files, REMEDY, quick)
    return record


def damage_of_fields(directory: Path, run_id: str | None = None) -> str | None:
    """Why a saved run cannot be used, as `integrity.damage`, but after reading every field too."""
    try:
        read_intact(directory, run_id)
    except InputError as error:
        return str(error)
    return None


def read_bins(directory: Path) -> StoredBins:
    """Read the bins in the run.json of a run with re-evaluation."""
    return read_sealed(directory / RUN_FILE, FORMAT, _WithBins, REMEDY).bins


def run_to_dict(run: Run) -> dict[str, Any]:
    """The record as plain values, with what follows from the curve and the bins."""
    curve = run.curve
    derived: dict[str, Any] = {
        "verdict": run.verdict.to_dict(),
        "undefined": {
            f: {m: {"points": n, "why": why} for m, (n, why) in curve.undefined(f).items()}
            for f in curve.forgettings
        },
        "points": len(curve),
        "times": curve.span(),
        "bins": run.bins.to_dict() if run.settings.reevaluate else None,
    }
    head = {"format": FORMAT, "status": "failed" if run.failure else "complete"}
    return head | {name: plain(value) for name, value in (run.facts() | derived).items()}


def _check_classes(record: StoredRecord, file: Path) -> None:
    """Raise an error unless the numbers per class fit the classes."""
    k, late, counts = len(record.stream.classes), record.late_labels, record.confusion
    if (counts is None) != (k == 0) or (counts is not None and counts.shape != (k, k + 1)):
        raise _misfit(file, "confusion", k, f"{k} rows of {k + 1} counts")
    if late is not None and len(late.classes) != k:
        raise _misfit(file, "late_labels", k, f"{k} entries")


def _misfit(file: Path, what: str, k: int, expected: str) -> InputError:
    return InputError(f"{file}: {what} does not fit the {k} classes; expected {expected}; {REMEDY}")
