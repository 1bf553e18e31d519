"""ziffer2024 (TENET): its parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from streamgauge.papers.paper import Paper, PaperPart, PaperSection
from streamgauge.papers.study import PaperStudy
from streamgauge.papers.ziffer2024.figures import figure1, figure3, figure4, figure5
from streamgauge.papers.ziffer2024.plan import PROFILES, Ziffer2024Plan
from streamgauge.papers.ziffer2024.tables import table1, table2, table3

_ABOUT = (
    "Kappa in percent, scored as the paper does: the mean over batches of 128 rows, then over the "
    "seeds; kappa over all rows is beside it. Profile "
    "quick: 16,000 rows per stream and one seed; cGRU and the cLSTM of a co-author's code run only "
    "on SEA, STAGGER and Sine1 with abrupt drifts and injection, and Figure 3 on abrupt drifts "
    "with six numbers of labels. Profile full: 100,000 rows, ten seeds (Figure 3: twenty), as in "
    "the paper, and River's HAT and ARF. SWT: with the last two labels as features; +past: with "
    "the last two feature vectors as well. cLSTM uses Adam with rate 0.01 instead of the printed "
    "SGD with rate 0.1, which converges slowly, and standardised numeric features; cLSTM, logits "
    "averages outputs before the loss and does not standardise, as a co-author's code does; cGRU "
    "is cLSTM with a GRU; ESN is an echo-state network. Fitted to the printed tables, since the "
    "paper does not say: the functions of STAGGER (2, 1, 2, 2) and Agrawal (0 to 3), five moving "
    "centroids in RBF, 1.0 as the abrupt change of RBF and Hyperplane, and the five features of "
    "Elec2."
)


def make_paper(profiles: Mapping[str, Ziffer2024Plan]) -> Paper:
    """The paper, run by these profiles."""

    def part(
        name: str, title: str, show: Callable[[PaperStudy, Ziffer2024Plan], PaperSection]
    ) -> PaperPart:
        return PaperPart(name, title, lambda study: show(study, profiles[study.profile]))

    return Paper(
        "ziffer2024",
        "Tenet: Benchmarking Data Stream Classifiers in Presence of Temporal Dependence",
        _ABOUT,
        [
            part("table1", "Table I: the streams", table1),
            part("figure1", "Figure 1: the concepts of Sine1, injected", figure1),
            part("table2", "Table II: kappa on the synthetic streams", table2),
            part("table3", "Table III: kappa on the real streams", table3),
            part("figure3", "Figure 3: how many past labels help", figure3),
            part("figure4", "Figure 4: STAGGER with abrupt drifts, injected", figure4),
            part("figure5", "Figure 5: average ranks", figure5),
        ],
    )


PAPER = make_paper(PROFILES)
