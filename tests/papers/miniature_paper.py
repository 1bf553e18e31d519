"""A paper of one table and one figure, small enough for every test."""

from __future__ import annotations

from streamgauge.experiments.grid import Grid
from streamgauge.papers.claim import judge
from streamgauge.papers.paper import Paper, PaperFigure, PaperPart, PaperSection, PaperTable
from streamgauge.papers.study import PaperStudy
from streamgauge.rendering.sheet import sheet_of


def _table(study: PaperStudy) -> PaperSection:
    streams = {"SEA": {"generate": "SEA(500)"}, "gone": {"load": "insects"}}
    found = study.run(Grid(study.available(streams), ["NaiveBayes"], name="mini"))
    run = found.run(stream="SEA", learner="NaiveBayes")
    ours = run.summary["accuracy"]
    sheet = sheet_of([["", "ours", "printed"], ["SEA", f"{ours:.3f}", "0.9"]])
    claim = judge("It learns.", "Accuracy is above 0.5.", ours > 0.5, {"accuracy": ours})
    return PaperSection(
        [PaperTable("Accuracy.", sheet)], [PaperFigure("curve", run.plot)], [claim], ["A note."]
    )


def _nothing(study: PaperStudy) -> PaperSection:
    return PaperSection(claims=[judge("Nobody knows.", "None.", None, "It was not run.")])


MINIATURE = Paper(
    "mini2000",
    "A miniature",
    "One stream, one learner.",
    [PaperPart("table1", "Table 1: accuracy", _table), PaperPart("text", "In the text", _nothing)],
)
