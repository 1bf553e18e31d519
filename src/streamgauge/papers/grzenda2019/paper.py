"""grzenda2019: its parts."""

from __future__ import annotations

from functools import partial

from streamgauge.papers.grzenda2019.sections import (
    along_section,
    beyond,
    bins_section,
    figure11,
    figure12,
    figure13,
    table1,
    table2,
)
from streamgauge.papers.paper import Paper, PaperPart

_ABOUT = (
    "While a row waits for its label it is predicted again after every K = 10 labels; its wait is "
    "divided into B = 50 bins. Everything follows the authors' published program "
    "(compat='moa-fork') on the authors' own streams, which are read from STREAMGAUGE_DATA or "
    "their repository; no licence is stated with them. Settings that the paper does not state "
    "follow MOA: trees with delta 1e-7, its default then, kNN with 10 neighbours in a window of "
    "1,000. Cover type is its first 25,500 rows with nominal binary features and labels 1,000 rows "
    "late. LED has labels first at equal times, the others arrivals first, as in the files. HAT "
    "and ARF draw random numbers, so ours differ from the printed ones; of ARF the paper gives no "
    "parameters, and its printed values do not come out with MOA's own forest either."
)
_BINS = {
    "figure3": ("Hyperplane", "Figure 3: Hyperplane"),
    "figure4": ("Airlines", "Figure 4: Airlines"),
    "figure5": ("Electricity", "Figure 5: Electricity"),
    "figure7": ("Cover type", "Figure 7: Cover type"),
    "figure8": ("LED", "Figure 8: LED"),
    "figure9": ("Agrawal", "Figure 9: Agrawal"),
}
_ALONG = {
    "figure6": ("Electricity", "Figure 6: Electricity along the stream"),
    "figure10": ("Agrawal", "Figure 10: Agrawal along the stream"),
}


def _parts() -> list[PaperPart]:
    parts = [PaperPart("table1", "Table 1: accuracy while labels are awaited", table1)]
    figures = [
        PaperPart(name, title, partial(bins_section, data=data, figure=name))
        for name, (data, title) in _BINS.items()
    ]
    figures += [
        PaperPart(name, title, partial(along_section, data=data, figure=name))
        for name, (data, title) in _ALONG.items()
    ]
    parts += sorted(figures, key=lambda part: int(part.name.removeprefix("figure")))
    parts += [
        PaperPart("figure11", "Figure 11: predictions made and held", figure11),
        PaperPart("figure12", "Figure 12: predictions per labelled row", figure12),
        PaperPart("figure13", "Figure 13: the number of bins", figure13),
        PaperPart("table2", "Table 2 and Figure 14: bike sharing, a regression", table2),
        PaperPart("beyond", "Beyond the paper: coverage, and bins along the stream", beyond),
    ]
    return parts


PAPER = Paper("grzenda2019", "Delayed labelling evaluation for data streams", _ABOUT, _parts())
