"""The seven synthetic streams of the TENET benchmark (ziffer2024 §V-A; semantics §12)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Literal

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.types import Block
from streamgauge.streams.base import DEFAULT_SEED, Stream
from streamgauge.streams.generators._checks import check_count
from streamgauge.streams.generators.agrawal import Agrawal
from streamgauge.streams.generators.hyperplane import Hyperplane
from streamgauge.streams.generators.random_rbf_drift import RandomRBFDrift
from streamgauge.streams.generators.sea import SEA
from streamgauge.streams.generators.sine import Sine1, Sine2
from streamgauge.streams.generators.stagger import STAGGER
from streamgauge.streams.origin import TENET_PREFIX, Origin
from streamgauge.streams.transforms.splice import splice

DriftType = Literal["abrupt", "gradual"]

_CONCEPTS = 4  # of a spliced stream
_CHANGE = {"abrupt": 1.0, "gradual": 0.2}  # of Hyperplane and RBF, per row
_RBF_MODEL = 16  # a seed whose class proportions are .506 and .494
_RBF_DRIFTING = 5  # of 50 centroids; fitted: so ARF scores what Table II prints

# Streams of several concepts: their functions, and a concept from rows, seed and function.
_SPLICED: Mapping[str, tuple[tuple[int, ...], Callable[[int, int, int], Stream]]] = {
    "SEA": ((0, 1, 2, 3), lambda n, seed, f: SEA(n, seed, variant=f)),
    # Fitted: of all choices of four, this one gives the P(M) and P(T) of Table I.
    "STAGGER": ((2, 1, 2, 2), lambda n, seed, f: STAGGER(n, seed, classification_function=f)),
    "Sine1": ((0, 1, 0, 1), lambda n, seed, f: Sine1(n, seed, reverse=f == 1)),
    "Sine2": ((0, 1, 0, 1), lambda n, seed, f: Sine2(n, seed, reverse=f == 1)),
    # Fitted: of all sets of four, the one closest to Table I.
    "Agrawal": ((0, 1, 2, 3), lambda n, seed, f: Agrawal(n, seed, classification_function=f)),
}
# Streams that change with every row, from rows, seed and change.
_MOVING: Mapping[str, Callable[[int, int, float], Stream]] = {
    "Hyperplane": lambda n, seed, change: Hyperplane(n, seed, mag_change=change),
    "RBF": lambda n, seed, change: RandomRBFDrift(
        n, seed, _RBF_MODEL, change_speed=change, n_drift_centroids=_RBF_DRIFTING
    ),
}
TENET = ("SEA", "STAGGER", "Sine1", "Sine2", "Hyperplane", "RBF", "Agrawal")  # as in Table I


def tenet_streams(
    drift: DriftType = "abrupt", rows: int = 100_000, seed: int | None = None
) -> dict[str, Stream]:
    """Return the seven synthetic streams of the TENET benchmark by name.

    Labels have no temporal dependence yet: see `inject`. A stream has four concepts, one after
    another, each a quarter of the rows. An abrupt drift is 1 row wide, a gradual one a twentieth of
    all rows (5,000 of 100,000). STAGGER's last two concepts are equal, so it has two drifts.
    Hyperplane and RBF move with every row instead, by 1.0 ("abrupt") or 0.2 ("gradual").

    The paper does not name its concepts: those of STAGGER and Agrawal, and the number of RBF's
    moving centroids, are fitted to its tables (docs/tenet.md).

    Parameters
    ----------
    drift
        "abrupt" or "gradual".
    rows
        Number of rows of each stream, 4 or more.
    seed
        Random seed; by default the run's.

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
    name: str, drift: DriftType = "abrupt", rows: int = 100_000, seed: int | None = None
) -> Stream:
    """One stream of the benchmark."""
    if name not in TENET:
        raise UsageError(f"TENET has no stream {name!r}; expected {', '.join(TENET)}")
    if drift not in _CHANGE:
        raise UsageError(f"tenet_streams(drift={drift!r}): expected 'abrupt' or 'gradual'")
    check_integer("tenet_streams: rows", rows)
    if rows < _CONCEPTS:
        raise UsageError(f"tenet_streams(rows={rows}): expected a row for each concept, 4 or more")
    drawn = DEFAULT_SEED if seed is None else seed
    check_count("tenet_streams", "seed", drawn, 0)
    if name in _MOVING:
        return _TenetStream(name, drift, rows, seed, _MOVING[name](rows, drawn, _CHANGE[drift]))
    functions, make = _SPLICED[name]
    concepts = [make(rows, _CONCEPTS * drawn + j, f) for j, f in enumerate(functions)]
    at = [rows * j // _CONCEPTS for j in range(1, _CONCEPTS)]
    width = 1 if drift == "abrupt" else max(1, rows // 20)
    made = _TenetStream(name, drift, rows, seed, splice(concepts, at, width, rows, drawn))
    changes = zip(made.drifts, pairwise(functions), strict=True)
    made.drifts = tuple(each for each, (before, after) in changes if before != after)
    return made


def tenet_by_text(text: str) -> Stream:
    """Return a stream by its name on the command line: tenet:SEA, tenet:sine1:gradual."""
    name, _, drift = text.removeprefix(TENET_PREFIX).partition(":")
    spelled = {each.lower(): each for each in TENET}
    return tenet_stream(spelled.get(name.lower(), name), drift or "abrupt")  # type: ignore[arg-type]


class _TenetStream(Stream):
    """A stream of the benchmark under a short name: that of spliced concepts is long."""

    def __init__(
        self, name: str, drift: DriftType, rows: int, seed: int | None, source: Stream
    ) -> None:
        drawn = "" if seed is None else f", seed={seed}"
        self.name, self._source = f"{TENET_PREFIX}{name}:{drift}({rows}{drawn})", source
        self.schema, self.rows, self.drifts = source.schema, source.rows, source.drifts
        arguments = {"name": name, "drift": drift, "rows": rows, "seed": seed}
        given = {key: value for key, value in arguments.items() if value is not None}
        self._origin = Origin("tenet", given)

    def _with_seeds(self, seeds: Iterator[int]) -> Stream:
        given = self.origin.arguments
        return self if "seed" in given else tenet_stream(**given, seed=next(seeds))

    def fingerprint(self) -> str:
        return self._source.fingerprint()

    def blocks(self, size: int) -> Iterator[Block]:
        return self._source.blocks(size)
