"""Predictions and labels that were logged apart, joined by the id of the instance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge._support.errors import InputError
from streamgauge._support.types import NEVER, Longs, Mask
from streamgauge.streams.formats.arrow_cells import as_text

_REPEATED = "a second prediction of an id; the first one counts"
_EMPTY = "a label that is empty"
_UNKNOWN = "a label without a prediction"
_SAME = "a second label of an id, the same as the first"
_OTHER = "a second label of an id, not the same; the first one counts"


@dataclass(frozen=True)
class Joined:
    """Which lines belong together.

    Attributes
    ----------
    predictions
        The lines of the first prediction of each id, in order.
    labels
        For each of them the line of its label, -1 without one.
    skipped
        The number of other lines, by reason.
    """

    predictions: Longs
    labels: Longs
    skipped: dict[str, int]


@dataclass(frozen=True)
class Ids:
    """A column of ids, and how to name its source and a line of it."""

    column: pa.Array
    name: str
    source: str
    where: Callable[[int], str]

    def texts(self) -> pa.Array:
        """The ids as text; every line has one."""
        texts = as_text(self.column)
        if texts.null_count:
            line = int(np.argmax(np.asarray(pc.is_null(texts).to_numpy(False))))
            raise InputError(
                f"{self.where(line)}: empty id in column {self.name!r}; every line needs one"
            )
        return texts


def join(
    predictions: Ids,
    labels: Ids,
    truth: pa.Array,
    revealed: pa.Array | None,
    classes: Sequence[str] = (),
) -> Joined:
    """Join labels to predictions; of several labels of an id, the one revealed first counts.

    Parameters
    ----------
    predictions, labels
        The ids of both logs.
    truth
        The labels.
    revealed
        When they were revealed; None: in the order of their lines.
    classes
        The declared classes as text: a label "None" is missing unless it is one of them.
    """
    asked, answered = predictions.texts(), labels.texts()
    ids = pc.unique(asked)
    who = np.asarray(pc.index_in(asked, ids).to_numpy(False), np.int64)
    first = _first(who, np.arange(len(who)))
    texts = as_text(truth, classes)
    empty = np.asarray(pc.is_null(texts).to_numpy(False))
    found = np.asarray(pc.fill_null(pc.index_in(answered, ids), -1).to_numpy(False), np.int64)
    unknown = (found < 0) & ~empty
    usable = np.flatnonzero((found >= 0) & ~empty)
    order = usable
    if revealed is not None:  # a missing time is last
        times = pc.fill_null(revealed.cast(pa.int64()), NEVER).to_numpy()
        order = usable[np.argsort(times[usable], kind="stable")]
    chosen = order[_first(found[order], np.arange(len(order)))]
    line_of = np.full(len(ids), -1, np.int64)
    line_of[found[chosen]] = chosen
    if not len(chosen) and unknown.any():
        raise InputError(
            f"no id of {labels.source} is in {predictions.source}: ids such as "
            f"{answered[int(np.argmax(unknown))].as_py()!r} and {asked[0].as_py()!r}; expected the "
            "same ids in both: check the columns"
        )
    repeats = np.setdiff1d(usable, chosen)
    codes = np.asarray(pc.dictionary_encode(texts).indices.fill_null(-1).to_numpy(False))
    same: Mask = codes[repeats] == codes[line_of[found[repeats]]]
    counts = {
        _REPEATED: len(who) - len(first),
        _EMPTY: int(empty.sum()),
        _UNKNOWN: int(unknown.sum()),
        _SAME: int(same.sum()),
        _OTHER: int((~same).sum()),
    }
    return Joined(first, line_of[who[first]], {reason: n for reason, n in counts.items() if n})


def _first(keys: Longs, places: Longs) -> Longs:
    """The place of the first of each key, in order."""
    _, first = np.unique(keys, return_index=True)
    return np.sort(places[first])
