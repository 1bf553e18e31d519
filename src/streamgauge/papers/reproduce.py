"""`reproduce`: runs the experiments of a paper and shows our numbers beside the printed ones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from streamgauge._support.errors import StreamgaugeError, UsageError
from streamgauge.papers.catalog import find_paper
from streamgauge.papers.paper import PaperPart, PaperSection
from streamgauge.papers.report import Report
from streamgauge.papers.study import PaperStudy, ProfileName

PROFILES: tuple[ProfileName, ...] = ("quick", "full")


def reproduce(
    paper: str,
    profile: str = "quick",
    only: Sequence[str] = (),
    store: str | Path | None = None,
    *,
    workers: int | None = None,
    progress: bool | None = None,
) -> Report:
    """Run the experiments of a paper that the store lacks, and compare them with the paper.

    Parameters
    ----------
    paper
        "gama2013", "bifet2013", "zliobaite2015", "grzenda2019" or "ziffer2024".
    profile
        "quick" (minutes) or "full" (as in the paper, up to hours).
    only
        The names of some tables and figures, e.g. "table2"; by default all.
    store
        The folder for the runs; by default results/PAPER.
    workers, progress
        As in `run`.

    Returns
    -------
    Report
        Tables, figures and claims; `print` it, or `save` it as .html, .md, .tex or .txt.

    Raises
    ------
    UsageError
        If there is no such paper, profile or part.

    Examples
    --------
    >>> import streamgauge as sg
    >>> report = sg.reproduce("gama2013", only=["text"])
    >>> print(report.answer)
    Claims: 4 hold, 0 do not hold, 0 cannot be told.
    """
    found = find_paper(paper)
    known = [name for name in PROFILES if name == profile]
    if not known:
        raise UsageError(f"profile={profile!r}: expected {' or '.join(PROFILES)}")
    parts = found.choose([only] if isinstance(only, str) else only)
    folder = Path("results") / paper if store is None else Path(store)
    study = PaperStudy(known[0], folder, workers=workers, progress=progress)
    sections = [(part, _show(part, study)) for part in parts]
    return Report(found, profile, sections, study.missing)


def _show(part: PaperPart, study: PaperStudy) -> PaperSection:
    """What a part shows; if it lacks a run, it says so, and the other parts go on."""
    try:
        return part.show(study)
    except StreamgaugeError as error:
        study.miss(part.title, str(error))
        return PaperSection(notes=[f"Not shown: {error}"])
