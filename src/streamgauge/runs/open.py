"""`open_run`: a saved run, as it was when it was saved."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from streamgauge._support.types import Drift
from streamgauge.rendering.plain_values import number
from streamgauge.runs._stored_parts import StoredParts
from streamgauge.runs.document import Numbers, late_labels_of, read_document
from streamgauge.runs.facts import Cost
from streamgauge.runs.run import Run
from streamgauge.streams.summary import StreamSummary


def open_run(path: str | Path) -> Run:
    """Open a saved run.

    Only run.json is read now; curves, predictions and bins are read when they are asked for. The
    trained learner is not saved, so `run.learner` raises an error.

    Parameters
    ----------
    path
        A directory that `run.save`, `evaluate(..., keep=folder)` or `--save` wrote.

    Returns
    -------
    Run
        The run, with the same attributes as a new one.

    Raises
    ------
    InputError
        If the directory has no run, or its files are damaged or of another version.

    Examples
    --------
    >>> import tempfile
    >>> import streamgauge as sg
    >>> run = sg.evaluate(sg.SEA(2000, seed=1), sg.NaiveBayes())
    >>> again = sg.open_run(run.save(tempfile.mkdtemp()))
    >>> again.summary["kappa"] == run.summary["kappa"]
    True
    """
    directory = Path(path).absolute()  # parts are read later: the working directory may change
    document = read_document(directory)
    parts = StoredParts(
        directory, document.id, document.learner, document.stream, document.classes,
        tuple(document.references), document.settings, document.files, document.scales,
    )  # fmt: skip
    regression = not document.classes
    cost = document.cost
    return Run(
        name=document.learner,
        identity=document.identity,
        stream=StreamSummary(
            document.stream,
            document.stream_rows,
            document.features,
            document.classes,
            tuple(Drift(each.position, each.width) for each in document.drifts),
            document.origin,
        ),
        settings=document.settings,
        counts=document.counts,
        confusion=None if document.confusion is None else np.array(document.confusion, np.int64),
        references={name: _floats(each) for name, each in document.references.items()},
        overall=_floats(document.overall),
        scales=document.scales,
        verdict=document.verdict.verdict(document.learner, regression),
        late_labels=late_labels_of(document),
        cost=Cost(
            number(cost.seconds),
            number(cost.rows_per_second),
            number(cost.model_bytes),
            number(cost.ram_hours),
            parts,
        ),
        time=document.time,
        failure=document.failure,
        warnings=document.warnings,
        _last=_floats(document.summary[document.settings.forget[0]]),
        _parts=parts,
    )


def _floats(values: Numbers) -> dict[str, float]:
    return {name: number(value) for name, value in values.items()}
