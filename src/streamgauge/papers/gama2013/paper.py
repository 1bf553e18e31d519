"""gama2013: On evaluating stream learning algorithms."""

from __future__ import annotations

from streamgauge.papers.gama2013.drifts import show_figure8, show_figure9, show_figure10
from streamgauge.papers.gama2013.estimates import show_figure2, show_figure3
from streamgauge.papers.gama2013.growth import show_figure1
from streamgauge.papers.gama2013.pairs import (
    show_figure4,
    show_figure5,
    show_figure6,
    show_figure7,
)
from streamgauge.papers.gama2013.tables import show_table2, show_table3
from streamgauge.papers.gama2013.text import show_text
from streamgauge.papers.paper import Paper, PaperPart

_ABOUT = (
    "VFDT is a Hoeffding tree with δ = 1e-7, MOA's default of 2011; MC has majority votes in its "
    "leaves, NBa naive Bayes where it has been right more often. The streams are MOA's, row for "
    "row; seeds vary the rows, and the drift of Waveform. LED has 24 attributes, of which seven "
    "are swapped at row 128,000; the other streams change at row 32,000. RBF: model seed 1, then "
    "10 with centroids that move by 0.01 per row. RandomTree: tree seed 1, MOA's default, then 2. "
    "Waveform: 21 attributes, then the drift of MOA's generator of 2011, which rearranges the "
    "attributes among themselves and leaves some without a value. Both concepts of a run have its "
    "number as their seed. 64,000 rows follow the drift, in LED 128,000. Page–Hinkley has δ = 0.1 "
    "and λ = 100. The paper names neither the trees nor the seeds nor the rows that follow: these "
    "are MOA's defaults where there are any, and the rows were chosen so that the error over all "
    "rows has the time that the paper prints. The quick profile has three runs in place of ten."
)

PAPER = Paper(
    "gama2013",
    "On evaluating stream learning algorithms",
    _ABOUT,
    [
        PaperPart("text", "In the text: rows, precision, weights", show_text),
        PaperPart("figure1", "Figure 1: accuracy and the number of rows", show_figure1),
        PaperPart("figure2", "Figure 2: holdout and prequential error", show_figure2),
        PaperPart("figure3", "Figure 3: estimates of the error without drift", show_figure3),
        PaperPart("figure4", "Figure 4: Q over all rows", show_figure4),
        PaperPart("figure5", "Figure 5: Q over a window and with fading", show_figure5),
        PaperPart("figure6", "Figure 6: McNemar's statistic over all rows", show_figure6),
        PaperPart("figure7", "Figure 7: McNemar's statistic with forgetting", show_figure7),
        PaperPart("figure8", "Figure 8: Page–Hinkley on SEA", show_figure8),
        PaperPart("table2", "Table 2: delay of Page–Hinkley on an estimate", show_table2),
        PaperPart("figure9", "Figure 9: estimates of the error around a drift", show_figure9),
        PaperPart("table3", "Table 3: delay of Page–Hinkley on a ratio", show_table3),
        PaperPart("figure10", "Figure 10: ratios of estimates around a drift", show_figure10),
    ],
)
