"""A profile as a figure: classes, lags, transitions, repeats and waits."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import UsageError, did_you_mean
from streamgauge._support.printable import printable
from streamgauge._support.types import Floats, Longs
from streamgauge.figures.autocorrelation import autocorrelation
from streamgauge.figures.class_priors import class_priors
from streamgauge.figures.panels import WHOLE, PanelSize, panels
from streamgauge.figures.repeats import repeats
from streamgauge.figures.transition_matrix import transition_matrix
from streamgauge.figures.waits import waits
from streamgauge.inspection._waits_text import advise_on_waits

if TYPE_CHECKING:
    from streamgauge._support.types import Clock
    from streamgauge.inspection.profile import Profile

_KINDS = ("priors", "autocorrelation", "transitions", "repeats", "waits")
_SMALL = PanelSize(205, 130)
_SENTENCES = 3  # of the advice in the overview
_MOST_CLASSES = 6  # as many colours as a figure has
_MOST_CELLS = 12  # classes in the transition matrix
_MOST_LAGS = 2000
_MOST_REPEATS = 10
_FEWEST_ROWS = 30  # behind a Δ(ℓ): with fewer it is mostly chance
_TOGETHER = "all classes"
_UNITS = ((86400e9, "days"), (3600e9, "hours"), (60e9, "minutes"), (1e9, "seconds"))


def draw_profile(profile: Profile, what: str | None) -> Any:
    """The figure that `Profile.plot` returns."""
    if what is not None and what not in _KINDS:
        close = did_you_mean(str(what), _KINDS)
        raise UsageError(f"plot({what!r}): unknown figure{close}; expected {', '.join(_KINDS)}")
    title = f"{printable(profile.stream.name)}: the order of the labels"
    if what == "waits":
        return _draw_waits(profile)
    size = _SMALL if what is None else WHOLE
    drawn: dict[str, Callable[[], Any]] = {
        "priors": lambda: class_priors(_priors(profile), profile.priors.window, size),
        "autocorrelation": lambda: autocorrelation(
            _lags(profile), [peak.lag for peak in profile.autocorrelation.peaks], size
        ),
        "transitions": lambda: transition_matrix(_transitions(profile), size),
        "repeats": lambda: repeats(_repeats(profile), _TOGETHER, size),
    }
    charts = [draw() for kind, draw in drawn.items() if what in (None, kind)]
    caption = [printable(each) for each in profile.advice[:_SENTENCES]]
    k = len(profile.classes)
    most = _MOST_CELLS if what == "transitions" else _MOST_CLASSES
    if k > most and what != "autocorrelation":
        caption.append(f"Only the most frequent of {k:,} classes are drawn.")
    why = (
        "a regression stream has no classes"
        if profile.regression
        else f"too few labels ({profile.labelled:,})"
    )
    return panels(charts, title=title, caption=caption, why=why)


def _shown(profile: Profile, most: int) -> Longs:
    """The most frequent classes, in their order."""
    return np.sort(np.argsort(-profile.counts, kind="stable")[:most])


def _names(profile: Profile, codes: Longs) -> list[str]:
    return [printable(str(profile.classes[i])) for i in codes]


def _priors(profile: Profile) -> pa.Table:
    shown = _shown(profile, _MOST_CLASSES)
    points = len(profile.priors.rows)
    shares = profile.priors.shares[:, shown]
    return pa.table(
        {
            "series": pa.array(_names(profile, shown) * points, pa.string()),
            "rows": np.repeat(profile.priors.rows, len(shown)),
            "share": shares.ravel(),
        }
    )


def _lags(profile: Profile) -> pa.Table:
    """All lags but 0; of very many an even selection, with the peaks."""
    lags = profile.autocorrelation
    step = -(-len(lags) // _MOST_LAGS)
    kept = np.unique([*range(1, len(lags), step), *(peak.lag for peak in lags.peaks)])
    kept = kept.astype(np.int64)
    return pa.table({"lag": kept, "value": _nulls(lags.values[kept]), "band": lags.band[kept]})


def _transitions(profile: Profile) -> pa.Table:
    shown = _shown(profile, _MOST_CELLS)
    names = _names(profile, shown)
    return pa.table(
        {
            "last": pa.array([name for name in names for _ in names], pa.string()),
            "next": pa.array(names * len(names), pa.string()),
            "value": _nulls(profile.transition[np.ix_(shown, shown)].ravel()),
        }
    )


def _repeats(profile: Profile) -> pa.Table:
    """Δ(ℓ) for the first ℓ, where enough rows are behind both of its probabilities."""
    own, shown = profile.repeats, _shown(profile, _MOST_CLASSES)
    if not len(profile.classes):
        return pa.table(
            {"series": pa.array([], pa.string()), "times": [], "delta": _nulls(np.empty(0))}
        )
    delta = np.column_stack([own.delta[:, shown], own.pooled_delta])[: _MOST_REPEATS + 1]
    rows = np.column_stack([own.rows[:, shown], own.pooled_rows])[1 : len(delta) + 1]
    names = [*_names(profile, shown), _TOGETHER]
    values = np.where(rows >= _FEWEST_ROWS, delta, np.nan)
    return pa.table(
        {
            "series": pa.array([name for name in names for _ in range(len(delta))], pa.string()),
            "times": np.tile(np.arange(len(delta)), len(names)),
            "delta": _nulls(values.T.ravel()),
        }
    )


def _nulls(values: Floats) -> pa.Array:
    return pa.array(values, mask=~np.isfinite(values))


def _draw_waits(profile: Profile) -> Any:
    if profile.waits is None:
        raise UsageError(
            "plot('waits'): this stream has no reveal times; expected a stream with a column of "
            "reveal times: sg.read(..., revealed=...)"
        )
    schema, found = profile.stream.schema, profile.waits.by_class
    size, unit = _unit(float(profile.waits.quantiles[-2]), schema.clock, schema.time)
    spread, along, note = found.frames(profile.classes or ("all rows",), size)
    caption = [printable(each) for each in advise_on_waits(profile)]
    title = f"{printable(profile.stream.name)}: how long labels take"
    return waits(spread, along, unit, title=title, caption=[*caption, *note])


def _unit(long: float, clock: Clock, timed: bool) -> tuple[float, str]:
    """What waits are divided by, and its name; the largest unit in which a long wait is above 2."""
    if clock == "integers":
        return 1.0, "the stream's unit" if timed else "rows"
    return next(((size, name) for size, name in _UNITS if long >= 2 * size), _UNITS[-1])
