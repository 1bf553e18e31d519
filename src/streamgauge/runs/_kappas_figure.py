"""All kappas of runs as a figure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import UsageError
from streamgauge.figures.kappa_family import kappa_family
from streamgauge.runs._forgetting_choice import chosen_forgettings

if TYPE_CHECKING:
    from streamgauge.runs.run import Run

KAPPAS = "kappas"  # what `plot` calls them all
MEANINGS = {  # what a learner scores like whose value of the kappa is 0
    "kappa": "predicting at random",
    "kappa_majority": "the majority class",
    "kappa_temporal": "repeating the last label",
    "kappa_transition": "the usual next label",
    "kappa_seasonal": "the label of a season ago",
    "kappa_plus": "random or repeating",
}
_RANGE = (0.1, 0.9)  # of the points along the stream


def kappas_figure(named: Mapping[str, Run], forget: Any) -> Any:
    """Draw every kappa over the whole stream, and its range along it."""
    first = next(iter(named.values()))
    if first.confusion is None:
        raise UsageError("metric='kappas': kappas are for classification; expected e.g. 'mae'")
    (kept, *more) = chosen_forgettings(first.curve, forget)
    if more:
        raise UsageError(f"forget: got {1 + len(more)} forgettings; 'kappas' shows one")
    rows = []
    for metric in MEANINGS:
        for name, run in named.items():
            curve = run.curve[metric, kept]
            known = curve[np.isfinite(curve)]
            low, high = np.quantile(known, _RANGE).tolist() if len(known) else (None, None)
            value = run.overall.get(metric, math.nan)
            shown = None if math.isnan(value) else float(value)
            rows.append(
                {"series": name, "metric": metric, "value": shown, "low": low, "high": high}
            )
    return kappa_family(
        pa.Table.from_pylist(rows, schema=_SCHEMA),
        MEANINGS,
        title=f"{first.stream.name}: every kappa",
        caption=[
            "Points: over the whole stream. 0: no better than what is named on the left.",
            f"Bars: from the 10 % lowest to the 10 % highest values along the stream, {kept}.",
        ],
    )


_SCHEMA = pa.schema(
    [("series", pa.string()), ("metric", pa.string())]
    + [(name, pa.float64()) for name in ("value", "low", "high")]
)
