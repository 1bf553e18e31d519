"""Reads the numbers of each result; every attribute of streamgauge's objects is named here.

A reading has digits, which are compared exactly; words, compared for information; ids, compared on
demand. Long columns are recorded as a hash of all their bytes and the last value.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

_BLOCK = 1777
_COSTS = ("seconds", "rows_per_second", "model_bytes", "ram_hours")


class Reading(NamedTuple):
    """The result of one case."""

    digits: Any
    words: Any = None
    ids: tuple[str, ...] = ()


def plain(values: Any) -> Any:
    """Nested values as JSON can store them; arrays become hashes, strings stay."""
    if isinstance(values, Mapping):
        return {str(key): plain(each) for key, each in values.items()}
    if isinstance(values, np.ndarray):
        return column(values)
    if isinstance(values, list | tuple):
        return [plain(each) for each in values]
    return values.item() if isinstance(values, np.generic) else values


def column(values: Any) -> dict[str, Any]:
    """A hash of the bytes, and the last value for human readers."""
    array = np.ascontiguousarray(values)
    last = array.reshape(-1)[-1].item() if array.size else None
    kind = f"{array.dtype} {array.shape}".encode()
    return {"sha256": hashlib.sha256(kind + array.tobytes()).hexdigest()[:24], "last": last}


def cells(values: Iterable[Any]) -> str:
    """A hash of a column that may contain text and missing values."""
    return hashlib.sha256(repr(list(values)).encode()).hexdigest()[:24]


def split(values: Any) -> tuple[Any, Any]:
    """Split nested plain values into numbers and texts, each in the same shape."""
    if isinstance(values, dict):
        parts = {key: split(each) for key, each in values.items()}
        digits = {key: number for key, (number, _) in parts.items() if number is not ...}
        return digits, {key: word for key, (_, word) in parts.items() if word}
    if isinstance(values, list):
        pairs = [split(each) for each in values]
        digits_only = [number for number, _ in pairs if number is not ...]
        return digits_only, [word for _, word in pairs if word]
    return (..., values) if isinstance(values, str) else (values, None)


def of_dict(values: Any, ids: tuple[str, ...] = ()) -> Reading:
    """Read the result of a `to_dict()`."""
    return Reading(*split(plain(values)), ids)


def of_stream(stream: Any, rows: int) -> Reading:
    """The first rows of a stream."""
    taken = stream.take(rows)
    blocks = list(taken.blocks(_BLOCK))
    names = ("X", "y", "arrives", "revealed")
    parts = {name: [getattr(block, name) for block in blocks] for name in names}
    digits: dict[str, Any] = {
        name: None if each[0] is None else column(np.concatenate(each))
        for name, each in parts.items()
    }
    updates = [block.updates for block in blocks if block.updates is not None]
    columns = map(np.concatenate, zip(*updates, strict=True))
    schema = stream.schema
    digits |= {
        "updates": [column(each) for each in columns],
        "rows": [stream.rows, taken.rows],
        "drifts": [list(drift) for drift in stream.drifts],
        "skipped": list(stream.skipped.values()),
        "cardinality": list(schema.cardinality),
        "classes": len(schema.classes),
        "time": schema.time,
    }
    words = {"features": schema.features, "values": schema.values, "classes": schema.classes}
    return Reading(digits, plain(words), (taken.fingerprint(),))


def of_curve(curve: Any) -> dict[str, Any]:
    """All points under every forgetting; forgettings are identified by position."""
    under = {
        str(place): {metric: column(curve[metric, forgetting]) for metric in curve.metrics}
        for place, forgetting in enumerate(curve.forgettings)
    }
    return {"rows": column(curve.rows), **under}


_TEST = ("t", "p", "mean", "standard_error", "batches", "length", "dependence", "parts")


def of_verdict(verdict: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """Numbers and words of the comparison with each reference."""
    digits = {
        each.reference: {
            "own": each.learner_score,
            "other": each.reference_score,
            "test": [getattr(each.test, name) for name in _TEST],  # the word is below
        }
        for each in verdict.against
    }
    shares = {"plus": verdict.kappa_plus_share, "undefined": verdict.kappa_plus_undefined_share}
    words = {each.reference: each.word for each in verdict.against}
    return {"against": digits, "shares": shares}, words


def of_run(run: Any) -> Reading:
    """Everything in a run except times and texts."""
    verdict, words = of_verdict(run.verdict)
    digits = {
        "counts": [run.counts.rows, run.counts.scored, run.counts.unlabelled],
        "skipped": list(run.counts.skipped.values()),
        "summary": dict(run.summary),
        "overall": run.overall,
        "references": run.references,
        "undefined": {metric: points for metric, (points, _) in run.undefined.items()},
        "curve": of_curve(run.curve),
        "predictions": {
            name: cells(run.predictions[name].to_pylist()) for name in run.predictions.column_names
        },
        "confusion": None if run.confusion is None else run.confusion.tolist(),
        "verdict": verdict,
        "learner": of_learner(run.learner),
    }
    if run.settings.reevaluate is not None:
        digits["bins"] = of_bins(run)
    return Reading(
        plain(digits), {"name": run.name, "verdict": words, "text": str(run.verdict)}, (run.id,)
    )


def of_learner(learner: Any) -> dict[str, Any]:
    """The learner's own figures after the run."""
    shown = {name: getattr(learner, name, None) for name in ("node_count", "resets", "rule_count")}
    return {name: value for name, value in shown.items() if value is not None}


def of_bins(run: Any) -> dict[str, Any]:
    """Bins at the end, half-way and along the stream, with their verdicts and the effort."""
    bins = run.bins
    metric = bins.metrics[0]
    half = run.bins_at(labels=run.counts.scored // 2) if run.counts.scored > 1 else bins
    weights = ("first", "final", "mean", "second_half", "exponential")
    return {
        "end": _table_of_bins(bins),
        "half": _table_of_bins(half),
        "psi": [bins.psi(each, metric) for each in weights],
        "middle": of_curve(bins.curve(bins.middle)),
        "final": of_curve(bins.curve(-1)),
        "effort": bins.effort,
        "verdicts": {str(b): of_verdict(each)[0] for b, each in bins.verdicts.items()},
    }


def _table_of_bins(bins: Any) -> Any:
    values = {name: each for name, each in bins.to_dict().items() if name != "verdicts"}
    return split(plain(values))[0]


def of_models(models: Any) -> Reading:
    """Every model's run, with mean and standard deviation."""
    runs = [of_run(run) for run in models]
    means = {"mean": models.mean, "sd": models.sd, "models": [run.digits for run in runs]}
    ids = tuple(each for run in runs for each in run.ids)
    return Reading(plain(means), [run.words for run in runs], ids)


def of_comparisons(pairs: Iterable[Any]) -> Reading:
    """Every pair, with its curve."""
    found = [(split(plain(pair.to_dict())), of_curve(pair.curve)) for pair in pairs]
    digits = [{**numbers, "curve": curve} for (numbers, _), curve in found]
    return Reading(digits, [words for (_, words), _ in found])


def of_stored(comparison: Any, place: Path, run: Any) -> Reading:
    """A saved run: its files, and the comparison of the run with itself."""
    files = [path.name for path in sorted(place.iterdir())]
    own = of_run(run)
    more = {"run": own.digits, "against_itself": of_comparisons([comparison]).digits}
    return Reading(more, {"files": files}, own.ids)


def of_results(results: Any) -> Reading:
    """Every cell of an experiment: its numbers under each forgetting, its predictions, its id."""
    frame = results.to_frame("arrow")
    lines = [
        {key: value for key, value in line.items() if key not in (*_COSTS, "id", "path")}
        for line in frame.to_pylist()
    ]
    digits, words = split(plain(lines))
    logs = [
        {name: cells(run.predictions[name].to_pylist()) for name in ("row", "y", "prediction")}
        for run in results
    ]
    table = results.table(value="kappa")
    tables = {
        "mean": table.mean,
        "sd": table.sd,
        "runs": table.runs,
        "average": table.average,
        "ranks": table.ranks,
    }
    ids = tuple(dict.fromkeys(frame["id"].to_pylist()))
    return Reading({"cells": digits, "predictions": logs, "table": plain(tables)}, words, ids)
