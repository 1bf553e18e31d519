"""The seven synthetic streams of the TENET benchmark (ziffer2024 §V-A; semantics §12)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.types import Block
from streamgauge.streams.base import Stream
from streamgauge.streams.generators._checks import check_count
from streamgauge.streams.generators.agrawal import Agrawal
from streamgauge.streams.generators.hyperplane import Hyperplane
from streamgauge.streams.generators.random_rbf_drift import RandomRBFDrift
from streamgauge.streams.generators.sea import SEA
from streamgauge.streams.generators.sine import Sine1, Sine2
from streamgauge.streams.generators.stagger import STAGGER
from streamgauge.streams.transforms.drift import drift as splice

DriftType = Literal["abrupt", "gradual"]

_CONCEPTS = 4
_CHANGE = {"abrupt": 1.0, "gradual": 0.2}  # of Hyperplane and RBF, per row
_AGRAWAL = (0, 1, 2, 3)  # functions; of all sets of four, the one closest to Table I
_RBF_MODEL = 16  # a seed whose class proportions are .506 and .494
_RBF_DRIFTING = 10  # of 50 centroids: if all moved, nothing could be learned

# Streams of several concepts: the j-th concept, from rows, seed and j.
_SPLICED: Mapping[str, Callable[[int, int, int], Stream]] = {
    "SEA": lambda n, seed, j: SEA(n, seed, variant=j),
    # Two of STAGGER's functions only: so both P(M) fit Table I.
    "STAGGER": lambda n, seed, j: STAGGER(n, seed, classification_function=j % 2),
    "Sine1": lambda n, seed, j: Sine1(n, seed, reverse=j % 2 == 1),
    "Sine2": lambda n, seed, j: Sine2(n, seed, reverse=j % 2 == 1),
    "Agrawal": lambda n, seed, j: Agrawal(n, seed, classification_function=_AGRAWAL[j]),
}
# Streams that change with every row, from rows, seed and change.
_MOVING: Mapping[str, Callable[[int, int, float], Stream]] = {
    "Hyperplane": lambda n, seed, change: Hyperplane(n, seed, mag_change=change),
    "RBF": lambda n, seed, change: RandomRBFDrift(
        n, seed, _RBF_MODEL, change_speed=change, n_drift_centroids=_RBF_DRIFTING
    ),
}
PREFIX = "tenet:"
TENET = ("SEA", "STAGGER", "Sine1", "Sine2", "Hyperplane", "RBF", "Agrawal")  # as in Table I


def tenet_streams(
    drift: DriftType = "abrupt", rows: int = 100_000, seed: int = 1
) -> dict[str, Stream]:
    """Return the seven synthetic streams of the TENET benchmark by name.

    Labels have no temporal dependence yet: see `inject`. A stream has four concepts, one after
    another, each a quarter of the rows. An abrupt drift is 1 row wide, a gradual one a twentieth of
    all rows (5,000 of 100,000). Hyperplane and RBF move with every row instead, by 1.0 ("abrupt")
    or 0.2 ("gradual").

    Parameters
    ----------
    drift
        "abrupt" or "gradual".
    rows
        Number of rows of each stream, 4 or more.
    seed
        Random seed.

    Returns
    -------
    dict
        A stream per name.

    References
    ----------
    ziffer2024 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> streams = sg.tenet_streams("gradual", rows=1000)
    >>> list(streams)
    ['SEA', 'STAGGER', 'Sine1', 'Sine2', 'Hyperplane', 'RBF', 'Agrawal']
    >>> [drift.position for drift in streams["SEA"].drifts]
    [250, 500, 750]
    """
    return {name: tenet_stream(name, drift, rows, seed) for name in TENET}


def tenet_stream(
    name: str, drift: DriftType = "abrupt", rows: int = 100_000, seed: int = 1
) -> Stream:
    """One stream of the benchmark."""
    if name not in TENET:
        raise UsageError(f"TENET has no stream {name!r}; expected {', '.join(TENET)}")
    if drift not in _CHANGE:
        raise UsageError(f"tenet_streams(drift={drift!r}): expected 'abrupt' or 'gradual'")
    check_integer("tenet_streams: rows", rows)
    if rows < _CONCEPTS:
        raise UsageError(f"tenet_streams(rows={rows}): expected a row for each concept, 4 or more")
    check_count("tenet_streams", "seed", seed, 0)
    if name in _MOVING:
        made = _MOVING[name](rows, seed, _CHANGE[drift])
    else:
        concepts = [_SPLICED[name](rows, _CONCEPTS * seed + j, j) for j in range(_CONCEPTS)]
        at = [rows * j // _CONCEPTS for j in range(1, _CONCEPTS)]
        width = 1 if drift == "abrupt" else max(1, rows // 20)
        made = splice(concepts, at, width, rows, seed)
    return _Named(f"{PREFIX}{name}:{drift}({rows}, seed={seed})", made)


def tenet_by_text(text: str) -> Stream:
    """Return a stream by its name on the command line: tenet:SEA, tenet:sine1:gradual."""
    name, _, drift = text.removeprefix(PREFIX).partition(":")
    spelled = {each.lower(): each for each in TENET}
    return tenet_stream(spelled.get(name.lower(), name), drift or "abrupt")  # type: ignore[arg-type]


class _Named(Stream):
    """A stream under a short name, because the name of spliced concepts is long."""

    def __init__(self, name: str, source: Stream) -> None:
        self.name, self._source = name, source
        self.schema, self.rows, self.drifts = source.schema, source.rows, source.drifts

    def fingerprint(self) -> str:
        return self._source.fingerprint()

    def blocks(self, size: int) -> Iterator[Block]:
        return self._source.blocks(size)
