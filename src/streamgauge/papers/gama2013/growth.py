"""Figure 1 of gama2013: the accuracy of a tree that never stops learning."""

from __future__ import annotations

from functools import partial
from typing import Any

from streamgauge.figures.metric_curve import metric_curve
from streamgauge.papers.gama2013.figure_claims import grows_then_stays
from streamgauge.papers.gama2013.plan import growth, size_of
from streamgauge.papers.gama2013.series import Line, curves_frame, curves_sheet
from streamgauge.papers.paper import Figure, Section, Table
from streamgauge.papers.study import Study

_NOTE = (
    "The paper's web-mining data are not public. In their place: RandomTree (tree seed 1). The "
    "accuracy of C4.5 trained on 100,000 rows, which the paper draws as a line, is missing: it "
    "needs a learner that is trained once and then frozen."
)


def show_figure1(study: Study) -> Section:
    """Figure 1: accuracy of VFDT against the number of rows."""
    size = size_of(study)
    run = study.run(growth(size)).run()
    line = {"VFDT": Line(run.curve.rows, run.curve["accuracy"])}
    return Section(
        [
            Table(
                f"Accuracy, {run.curve.forgettings[0]}.", curves_sheet(line, size.growth, ".4f", 8)
            )
        ],
        [Figure("figure1", partial(_draw, line))],
        grows_then_stays(line["VFDT"], size.growth),
        [_NOTE],
    )


def _draw(line: dict[str, Line]) -> Any:
    return metric_curve(
        curves_frame(line),
        "accuracy",
        title="Figure 1: accuracy of a Hoeffding tree on RandomTree",
        percent=True,
        x_title="rows learned",
    )
