"""ziffer2024 (TENET): its parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from streamgauge.papers.paper import Paper, Part, Section
from streamgauge.papers.study import Study
from streamgauge.papers.ziffer2024.figures import figure3, figure4, figure5
from streamgauge.papers.ziffer2024.plan import PROFILES, Profile
from streamgauge.papers.ziffer2024.tables import table1, table2, table3

_ABOUT = (
    "Kappa over all rows in percent, mean over the seeds. Profile quick: 20,000 rows per stream "
    "and one seed; full: 100,000 rows and ten seeds (Figure 3: twenty), as in the paper. SWT: with "
    "the last two labels as features; +past: with the last two feature vectors as well. cLSTM uses "
    "Adam with rate 0.01 instead of the printed SGD with rate 0.1, which converges slowly, and "
    "standardised numeric features."
)


def make_paper(profiles: Mapping[str, Profile]) -> Paper:
    """The paper, run by these profiles."""

    def part(name: str, title: str, show: Callable[[Study, Profile], Section]) -> Part:
        return Part(name, title, lambda study: show(study, profiles[study.profile]))

    return Paper(
        "ziffer2024",
        "Tenet: Benchmarking Data Stream Classifiers in Presence of Temporal Dependence",
        _ABOUT,
        [
            part("table1", "Table I: the streams", table1),
            part("table2", "Table II: kappa on the synthetic streams", table2),
            part("table3", "Table III: kappa on the real streams", table3),
            part("figure3", "Figure 3: how many past labels help", figure3),
            part("figure4", "Figure 4: STAGGER with abrupt drifts, injected", figure4),
            part("figure5", "Figure 5: average ranks", figure5),
        ],
    )


PAPER = make_paper(PROFILES)
