"""zliobaite2015 as a paper that can be run again."""

from __future__ import annotations

from collections.abc import Callable

from streamgauge.papers.paper import Paper, PaperPart, PaperSection
from streamgauge.papers.study import PaperStudy
from streamgauge.papers.zliobaite2015 import figures, propositions, tables
from streamgauge.papers.zliobaite2015.plan import Zliobaite2015Plan, plan_of

_ABOUT = (
    "Elec2 has the paper's five features, Cover its 44 binary columns as numbers (as in MOA's "
    "file), KDD99 is the 10 % file. Labels come at once. The paper ran MOA of 2013: DDM follows "
    "MOA's rule, trees split at δ = 1e-7. Accuracy and kappas are over all rows. Except in tables "
    "3 and 5 and for Δ(48) the paper prints no numbers, so its claims are judged. Its table 1 and "
    "figures 1 and 8 show no data. Profile quick takes the first 50,000 rows of Cover and fewer "
    "orders in figure 6, and one seed instead of five in figure 7 except for Elec2; all else is as "
    "in profile full."
)


def parts(plan: Callable[[PaperStudy], Zliobaite2015Plan]) -> list[PaperPart]:
    """The parts of the paper, run by the plan of a study."""

    def planned(
        show: Callable[[PaperStudy, Zliobaite2015Plan], PaperSection],
    ) -> Callable[[PaperStudy], PaperSection]:
        return lambda study: show(study, plan(study))

    return [
        PaperPart("table2", "Table 2: baselines under four conditions", tables.table2),
        PaperPart("table3", "Table 3: data sets", tables.table3),
        PaperPart("table4", "Table 4: classifiers", tables.table4),
        PaperPart("table5", "Table 5: published accuracies on Elec2", tables.table5),
        PaperPart("propositions", "Propositions 5 to 9", planned(propositions.propositions)),
        PaperPart("text", "Kappas of the baselines, in the text", planned(propositions.text)),
        PaperPart("figure2", "Figure 2: accuracy and kappas", planned(figures.figure2)),
        PaperPart("figure3", "Figure 3: past labels", planned(figures.figure3)),
        PaperPart("figure4", "Figure 4: κ⁺ over time", planned(figures.figure4)),
        PaperPart("figure5", "Figure 5: order of dependence", planned(figures.figure5)),
        PaperPart("figure6", "Figure 6: number of past labels", planned(figures.figure6)),
        PaperPart("figure7", "Figure 7: false alarms", planned(figures.figure7)),
    ]


PAPER = Paper(
    "zliobaite2015",
    "Evaluation methods and decision theory for classification of streaming data with temporal "
    "dependence",
    _ABOUT,
    parts(plan_of),
)
