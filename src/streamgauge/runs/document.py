"""A run as JSON: what `run.to_dict` gives and run.json holds, and how it is read back."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from streamgauge._support.errors import InputError
from streamgauge._support.types import Label
from streamgauge.measures.arrival_order import OrderScores
from streamgauge.measures.batch_means import BatchMeansTest, Word
from streamgauge.measures.class_waits import ClassWaits
from streamgauge.measures.scale import Scale
from streamgauge.measures.verdict import Against, Verdict
from streamgauge.rendering.plain_values import number, plain
from streamgauge.runs._late_labels import LateLabels
from streamgauge.runs.directories import FORMAT, RUN_FILE
from streamgauge.runs.facts import Counts, Failure, Time
from streamgauge.runs.identity import Settings
from streamgauge.runs.integrity import REMEDY, StoredFile, check_id, read_sealed
from streamgauge.streams.origin import Origin

if TYPE_CHECKING:
    from streamgauge.runs.run import Run

Number = float | Literal["inf", "-inf"] | None  # None: NaN
Numbers = dict[str, Number]


class AgainstDocument(msgspec.Struct, frozen=True):
    """`measures.verdict.Against`, with the fields of its test."""

    word: Word
    t: Number
    p: Number
    mean: Number
    standard_error: Number
    batches: int
    length: int
    dependence: int
    parts: tuple[Number, ...]
    learner_score: Number
    reference_score: Number
    phrase: str

    def test(self) -> BatchMeansTest:
        """The test of the learner against the reference."""
        return BatchMeansTest(
            self.word, number(self.t), number(self.p), number(self.mean),
            number(self.standard_error), self.batches, self.length, self.dependence,
            tuple(map(number, self.parts)),
        )  # fmt: skip


class VerdictDocument(msgspec.Struct, frozen=True):
    """`measures.verdict.Verdict`."""

    against: dict[str, AgainstDocument]
    kappa_plus_share: Number
    kappa_plus_undefined_share: Number
    kappa_plus_forgetting: str
    notes: tuple[str, ...]
    predicted: bool = True

    def verdict(self, learner: str, regression: bool) -> Verdict:
        """The verdict on a learner."""
        against = tuple(
            Against(
                reference, number(each.learner_score), number(each.reference_score),
                each.test(), each.phrase,
            )
            for reference, each in self.against.items()
        )  # fmt: skip
        return Verdict(
            learner,
            against,
            regression,
            number(self.kappa_plus_share),
            number(self.kappa_plus_undefined_share),
            self.kappa_plus_forgetting,
            self.notes,
            self.predicted,
        )


class BinsDocument(msgspec.Struct, frozen=True):
    """What bins.parquet does not hold of `run.bins`."""

    bins: int
    labels: int
    metrics: dict[str, Any]
    n_c: Number
    n_b: Number
    n_r: Number
    verdicts: dict[int, VerdictDocument]


class _WithBins(msgspec.Struct, frozen=True):
    bins: BinsDocument


class OrderScoresDocument(msgspec.Struct, frozen=True):
    """`measures.arrival_order.OrderScores`."""

    first_revealed: Number
    first_arrived: Number
    last_revealed: Number
    last_arrived: Number

    def scores(self) -> OrderScores:
        return OrderScores(*map(number, msgspec.structs.astuple(self)))


class ClassWaitsDocument(msgspec.Struct, frozen=True):
    """`measures.class_waits.ClassWaits`."""

    rows: int
    median: Number
    longer: Number
    word: str
    t: Number
    batches: int


class LateLabelsDocument(msgspec.Struct, frozen=True):
    """`runs._late_labels.LateLabels`; its classes are in the order of those of the run."""

    rows: int
    learner: OrderScoresDocument
    references: dict[str, OrderScoresDocument]
    classes: list[ClassWaitsDocument]


class DriftDocument(msgspec.Struct, frozen=True):
    """`_support.types.Drift`."""

    position: int
    width: int


class CostDocument(msgspec.Struct, frozen=True):
    """`runs.facts.Cost` without its curve."""

    seconds: Number
    rows_per_second: Number
    model_bytes: Number
    ram_hours: Number


class RunDocument(msgspec.Struct, frozen=True):
    """The fields of run.json that a run is made from; `docs/json.md` explains them.

    The bins are read when they are asked for: they are large.
    """

    format: str
    id: str
    stream: str
    origin: Origin
    stream_rows: int | None
    features: int
    classes: tuple[Label, ...]
    drifts: tuple[DriftDocument, ...]
    learner: str
    identity: str
    settings: Settings
    counts: Counts
    summary: dict[str, Numbers]
    overall: Numbers
    references: dict[str, Numbers]
    scales: dict[str, Scale]
    verdict: VerdictDocument
    confusion: list[list[int]] | None
    cost: CostDocument
    time: Time
    failure: Failure | None
    files: dict[str, StoredFile]
    warnings: tuple[str, ...] = ()
    late_labels: LateLabelsDocument | None = None


def late_labels_of(document: RunDocument) -> LateLabels | None:
    """The late labels of a saved run."""
    late = document.late_labels
    if late is None:
        return None
    waits = [
        ClassWaits(
            each.rows, number(each.median), number(each.longer), each.word, number(each.t),
            each.batches,
        )
        for each in late.classes
    ]  # fmt: skip
    references = {name: each.scores() for name, each in late.references.items()}
    by_class = dict(zip(document.classes, waits, strict=True))
    return LateLabels(late.rows, late.learner.scores(), references, by_class)


def read_document(directory: Path) -> RunDocument:
    """Read and check the run.json in a directory."""
    file = directory / RUN_FILE
    if not file.exists():
        raise InputError(
            f"{directory}: not a saved run (it has no run.json); expected a directory made by "
            "run.save or streamgauge evaluate --save"
        )
    document = read_sealed(file, FORMAT, RunDocument, REMEDY)
    check_id(file, document.id, None)
    forget = document.settings.forget
    if not forget or list(document.summary) != list(dict.fromkeys(forget)):
        raise InputError(
            f"{file}: summary has the keys {list(document.summary)}; expected the forgettings of "
            f"the settings, {list(forget)}"
        )
    _check_classes(document, file)
    return document


def _check_classes(document: RunDocument, file: Path) -> None:
    """Raise an error unless the numbers per class fit the classes."""
    k, late = len(document.classes), document.late_labels
    counts = document.confusion
    if counts is None if k else counts:
        raise _misfit(file, "confusion", k)
    if counts is not None and (len(counts) != k or any(len(row) != k + 1 for row in counts)):
        raise _misfit(file, "confusion", k)
    if late is not None and len(late.classes) != k:
        raise _misfit(file, "late_labels", k)


def _misfit(file: Path, what: str, k: int) -> InputError:
    expected = f"{k} rows of {k + 1} counts" if what == "confusion" else f"{k} entries"
    return InputError(f"{file}: {what} does not fit the {k} classes; expected {expected}; {REMEDY}")


def read_bins_document(directory: Path) -> BinsDocument:
    """Read the bins in the run.json of a run with re-evaluation."""
    return read_sealed(directory / RUN_FILE, FORMAT, _WithBins, REMEDY).bins


def run_to_dict(run: Run) -> dict[str, Any]:
    """The run as plain values."""
    stream, curve, cost = run.stream, run.curve, run.cost
    values: dict[str, Any] = plain(
        {
            "format": FORMAT,
            "status": "failed" if run.failure else "complete",
            "stream": stream.name,
            "origin": asdict(stream.origin),
            "stream_rows": stream.rows,
            "features": stream.features,
            "learner": run.name,
            "identity": run.identity,
            "classes": list(stream.classes),
            "drifts": [drift._asdict() for drift in stream.drifts],
            "settings": asdict(run.settings),
            "counts": asdict(run.counts),
            "summary": {f: curve.last(f) for f in curve.forgettings},
            "undefined": {
                f: {m: {"points": n, "why": why} for m, (n, why) in curve.undefined(f).items()}
                for f in curve.forgettings
            },
            "points": len(curve),
            "times": curve.span(),
            "overall": run.overall,
            "references": run.references,
            "scales": {name: asdict(scale) for name, scale in run.scales.items()},
            "verdict": verdict_to_dict(run.verdict),
            "late_labels": _late_labels_to_dict(run.late_labels),
            "confusion": None if run.confusion is None else run.confusion.tolist(),
            "cost": {
                "seconds": cost.seconds,
                "rows_per_second": cost.rows_per_second,
                "model_bytes": cost.model_bytes,
                "ram_hours": cost.ram_hours,
            },
            "time": asdict(run.time),
            "bins": run.bins.to_dict() if run.settings.reevaluate else None,
            "failure": None if run.failure is None else asdict(run.failure),
            "warnings": list(run.warnings),
        }
    )
    return values


def _late_labels_to_dict(late: LateLabels | None) -> dict[str, Any] | None:
    if late is None:
        return None
    return asdict(late) | {"classes": [asdict(each) for each in late.classes.values()]}


def verdict_to_dict(verdict: Verdict) -> dict[str, Any]:
    """The verdict as nested values."""
    return {
        "text": str(verdict),
        "against": {
            each.reference: {
                **each.test._asdict(),
                "learner_score": each.learner_score,
                "reference_score": each.reference_score,
                "phrase": each.phrase,
            }
            for each in verdict.against
        },
        "kappa_plus_share": verdict.plus_share,
        "kappa_plus_undefined_share": verdict.undefined_share,
        "kappa_plus_forgetting": verdict.plus_forgetting,
        "notes": list(verdict.notes),
        "predicted": verdict.predicted,
    }
