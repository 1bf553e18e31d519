"""Figure 1 of gama2013: a tree that never stops learning, beside one that fits in memory."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from streamgauge._support.errors import MissingExtra
from streamgauge.figures.metric_curve import metric_curve
from streamgauge.papers.gama2013.figure_claims import exceeds_batch, grows_then_stays
from streamgauge.papers.gama2013.plan import AGAIN, ONCE, Gama2013Plan, batch, growth, size_of
from streamgauge.papers.gama2013.series import PaperCurve, curves_frame, curves_sheet
from streamgauge.papers.paper import PaperFigure, PaperSection, PaperTable
from streamgauge.papers.study import PaperStudy
from streamgauge.runs.run import Run

_NOTE = (
    "The paper's web-mining data are not public. In their place: RandomTree (tree seed 1). The "
    "paper draws the accuracy of C4.5 trained on the 100,000 rows that fit in memory. In its "
    "place: scikit-learn's decision tree (entropy, two rows or more in a leaf, not pruned), "
    "trained on the first 100,000 rows and then frozen; and retrained every 100,000 rows on the "
    "last 100,000."
)


def show_figure1(study: PaperStudy) -> PaperSection:
    """Figure 1: accuracy of VFDT and of a batch tree against the number of rows."""
    size, notes = size_of(study), [_NOTE]
    run = study.run(growth(size)).run()
    lines = {"VFDT": PaperCurve(run.curve.rows, run.curve["accuracy"])}
    try:
        trained = study.run(batch(size))
        lines |= {name: _since_training(trained.run(learner=name), size) for name in (ONCE, AGAIN)}
    except MissingExtra as error:
        study.miss("The batch tree of Figure 1", str(error))
        notes.append(f"The batch tree was not run: {error}")
    return PaperSection(
        [
            PaperTable(
                f"Accuracy, {run.curve.forgettings[0]}.", curves_sheet(lines, size.growth, ".4f", 8)
            )
        ],
        [PaperFigure("figure1", partial(_draw, lines))],
        [
            *grows_then_stays(lines["VFDT"], size.growth),
            exceeds_batch(lines["VFDT"], lines.get(ONCE), size.growth),
        ],
        notes,
    )


def _since_training(run: Run, size: Gama2013Plan) -> PaperCurve:
    """The accuracy over windows in which the batch tree made all predictions."""
    rows = run.curve.rows
    trained = rows >= size.memory + size.growth // 100
    return PaperCurve(rows, np.where(trained, run.curve["accuracy"], np.nan))


def _draw(lines: dict[str, PaperCurve]) -> Any:
    return metric_curve(
        curves_frame(lines),
        "accuracy",
        title="Figure 1: accuracy of a Hoeffding tree and of a batch tree on RandomTree",
        percent=True,
        x_title="rows learned",
    )
