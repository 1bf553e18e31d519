"""`open_run`: a saved run, as it was when it was saved."""

from __future__ import annotations

from pathlib import Path

from streamgauge.runs._stored_parts import StoredParts
from streamgauge.runs.record import StoredRecord, read_record
from streamgauge.runs.run import Run


def open_run(path: str | Path) -> Run:
    """Open a saved run.

    Only run.json is read now; curves, predictions and bins are read when they are asked for. The
    trained learner is not saved, so `run.learner` raises an error.

    Parameters
    ----------
    path
        A directory that `run.save`, `evaluate(..., save=folder)` or `--save` wrote.

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
    return run_of(read_record(directory), directory)


def run_of(record: StoredRecord, directory: Path) -> Run:
    """The run of a record, whose large parts are in a directory."""
    return Run(**record.facts(), _parts=StoredParts(directory, record))
