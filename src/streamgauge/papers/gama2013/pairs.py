"""Figures 4 to 7 of gama2013: two learners along the stream, by Q and by McNemar's statistic."""

from __future__ import annotations

from functools import partial
from typing import Any

from streamgauge.comparison.compare import compare
from streamgauge.comparison.result import Comparison
from streamgauge.figures.metric_curve import Marks
from streamgauge.figures.pair_curves import pair_curves
from streamgauge.measures.forgetting import Cumulative, Fading, Forgetting, Window
from streamgauge.papers.gama2013.figure_claims import (
    fading_factors_disagree,
    q_alike,
    q_captures_changes,
    q_keeps_its_sign,
    rejects_at_the_same_point,
    stays_significant,
)
from streamgauge.papers.gama2013.plan import (
    DDM,
    LOAD,
    NAIVE,
    RESETTING,
    load,
    sea,
    size_of,
)
from streamgauge.papers.gama2013.series import PaperCurve, curves_frame, curves_sheet, panels_frame
from streamgauge.papers.paper import PaperFigure, PaperSection, PaperTable
from streamgauge.papers.study import PaperStudy

_Q_WINDOW, _Q_FADING = "Window(250)", "Fading(0.995)"
_WINDOWS, _FADINGS = ("Window(1000)", "Window(100)"), ("Fading(0.999)", "Fading(0.99)")
_STAND_IN = (
    "The paper's load data are not public. In their place: hourly bike rentals (bike_hour), and in "
    "place of two neural networks {a} (A) and {b} (B), with the squared error. The claims are "
    "judged on this stand-in."
)


def show_figure4(study: PaperStudy) -> PaperSection:
    """Figure 4: Q over all rows."""
    pair = load_pair(study)
    if pair is None:
        return PaperSection(notes=["The stand-in for the paper's load data is not available."])
    line = _line(pair, "q", "Cumulative()")
    title = "Figure 4: Q = ln(loss of A / loss of B), all rows"
    return PaperSection(
        [
            PaperTable(
                "Q over all rows; below 0, A has lost less.", _sheet(pair, {"all rows": line})
            )
        ],
        [PaperFigure("figure4", partial(_draw, pair, {"Q, all rows": line}, title))],
        [q_keeps_its_sign(line, len(pair))],
        [_STAND_IN.format(a=pair.names[0], b=pair.names[1])],
    )


def show_figure5(study: PaperStudy) -> PaperSection:
    """Figure 5: Q over a window and with fading."""
    pair = load_pair(study)
    if pair is None:
        return PaperSection(notes=["The stand-in for the paper's load data is not available."])
    window, fading = (_line(pair, "q", each) for each in (_Q_WINDOW, _Q_FADING))
    lines = {f"Q, {_Q_WINDOW}": window, f"Q, {_Q_FADING}": fading}
    title = "Figure 5: Q = ln(loss of A / loss of B), window and fading"
    return PaperSection(
        [PaperTable("Q; below 0, A has lost less.", _sheet(pair, lines))],
        [PaperFigure("figure5", partial(_draw, pair, lines, title))],
        [q_captures_changes(window, fading, len(pair)), q_alike(window, fading, len(pair))],
        ["The stand-in of Figure 4."],
    )


def show_figure6(study: PaperStudy) -> PaperSection:
    """Figure 6: the errors of two naive Bayes on SEA, and McNemar's statistic over all rows."""
    pair = sea_pair(study)
    found = study.run(sea(size_of(study)))
    runs = [found.run(learner=name) for name in pair.names]
    errors = {
        name: PaperCurve(run.curve.rows, run.curve["error", "Window(1000)"])
        for name, run in zip(pair.names, runs, strict=True)
    }
    line = _line(pair, "mcnemar", "Cumulative()")
    period = size_of(study).sea_period
    marks = Marks(
        [(row, row) for row in range(period, 4 * period, period)],
        {RESETTING: _alarms(study, RESETTING, DDM)},
    )
    draw = partial(
        _draw,
        pair,
        {_critical_title("all rows"): line},
        "Figure 6: two naive Bayes on SEA",
        errors=curves_frame(errors),
        marks=marks,
    )
    lines = {f"error of {name}": each for name, each in errors.items()}
    return PaperSection(
        [
            PaperTable("Error over the last 1000 rows.", curves_sheet(lines, 4 * period, ".4f", 8)),
            PaperTable(
                "McNemar's statistic; above 0, B is better.", _sheet(pair, {"all rows": line})
            ),
        ],
        [PaperFigure("figure6", draw)],
        [stays_significant(line)],
        [
            f"A is {NAIVE}, B {RESETTING}: the paper does not name its detector, DDM is the "
            "authors' own. SEA has 10 % noise and drifts every 15,000 rows."
        ],
    )


def show_figure7(study: PaperStudy) -> PaperSection:
    """Figure 7: McNemar's statistic over windows and with fading."""
    pair = sea_pair(study)
    lines = {each: _line(pair, "mcnemar", each) for each in (*_WINDOWS, *_FADINGS)}
    panels = {_critical_title(name): line for name, line in lines.items()}
    period = size_of(study).sea_period
    marks = Marks([(row, row) for row in range(period, 4 * period, period)])
    title = "Figure 7: McNemar's statistic of two naive Bayes on SEA"
    return PaperSection(
        [PaperTable("McNemar's statistic; above 0, B is better.", _sheet(pair, lines))],
        [PaperFigure("figure7", partial(_draw, pair, panels, title, marks=marks))],
        [
            rejects_at_the_same_point(
                {
                    f"{window} and {fading}": (lines[window], lines[fading], rows)
                    for window, fading, rows in zip(_WINDOWS, _FADINGS, (1000, 100), strict=True)
                }
            ),
            fading_factors_disagree(lines[_FADINGS[0]], lines[_FADINGS[1]]),
        ],
        [
            "The statistic with fading is the printed one, whose denominator is twice as large as "
            "the variance (docs/compare.md): it rejects less often than it should."
        ],
    )


def load_pair(study: PaperStudy) -> Comparison | None:
    """The two regressors of Figures 4 and 5; None if their data is missing."""
    grid = load(study)
    if grid is None:
        return None
    found = study.run(grid)
    one, other = (found.run(learner=name) for name in LOAD)
    forget: list[Forgetting] = [Cumulative(), Window(250), Fading(0.995)]
    return compare(one, other, names=list(LOAD), forget=forget, loss="squared", every=5)


def sea_pair(study: PaperStudy) -> Comparison:
    """The two naive Bayes of Figures 6 and 7, by the paper's statistic."""
    found = study.run(sea(size_of(study)))
    one, other = (found.run(learner=name) for name in (NAIVE, RESETTING))
    forget: list[Forgetting] = [
        Cumulative(),
        Window(1000),
        Window(100),
        Fading(0.999),
        Fading(0.99),
    ]
    return compare(one, other, names=[NAIVE, RESETTING], forget=forget, compat="gama2013", every=10)


def _alarms(study: PaperStudy, learner: str, detector: str) -> list[int]:
    """The alarms that the store keeps for a run of SEA."""
    found = study.run(sea(size_of(study)))
    rows = found.sql(
        "select distinct row from runs join alarms using (id) "
        f"where learner = '{learner}' and detector = '{detector}' order by row",
        "arrow",
    )
    return [int(row) for row in rows["row"].to_pylist()]


def _line(pair: Comparison, statistic: str, forget: str) -> PaperCurve:
    return PaperCurve(pair.curve.rows, pair.curve[statistic, forget])


def _critical_title(estimate: str) -> str:
    return f"McNemar's statistic, {estimate}; dashed: ±6.635, the critical value at 99 %"


def _sheet(pair: Comparison, lines: dict[str, PaperCurve]) -> Any:
    return curves_sheet(lines, int(pair.curve.rows[-1]), ".3f", 8)


def _draw(pair: Comparison, panels: dict[str, PaperCurve], title: str, **options: Any) -> Any:
    critical = {name: pair.threshold for name in panels if "McNemar" in name}
    return pair_curves(
        panels_frame(panels),
        pair.frames()["stretches"],
        pair.names,
        title=title,
        caption=[f"A: {pair.names[0]}, B: {pair.names[1]}. Values above 0 favour B."],
        critical=critical,
        **options,
    )
