"""Which cells ziffer2024 needs: its streams, learners and seeds, quick or in full."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from streamgauge._support.errors import DownloadError, MissingExtra, UsageError
from streamgauge.experiments.grid import Grid
from streamgauge.learners.adapters.torch import import_torch
from streamgauge.streams.datasets.catalog import load
from streamgauge.streams.generators.tenet import TENET

PARTS = ("table1", "table2", "table3", "fig3", "fig4", "fig5")
DRIFTS = ("abrupt", "gradual")
ORDER = 2  # of injection and of augmentation; "order 3" in the paper is the window of order 2
Key = tuple[str, str, bool]  # of a stream of Table II
FIG_4: Key = ("STAGGER", "abrupt", True)

_HAT = "HoeffdingAdaptiveTree()"
_ARF = "AdaptiveRandomForest(n_models=10)"  # as many trees as River, which the paper used, has
LEARNERS = {
    "HAT": _HAT,
    "ARF": _ARF,
    "SWT HAT": f"SWT({_HAT}, order={ORDER})",
    "SWT ARF": f"SWT({_ARF}, order={ORDER})",
    "cLSTM": "CLSTM()",
    # Not in the paper: the fair rivals of cLSTM, which sees past features too.
    "HAT+past": f"SWT({_HAT}, order={ORDER}, features=True)",
    "ARF+past": f"SWT({_ARF}, order={ORDER}, features=True)",
}
# Insects is not among them: no copy of it is verified, and the paper keeps two of its classes.
REAL = {
    "Elec2": {"load": "elec2", "variant": "papers"},
    "PowerSupply": {"load": "powersupply"},
    "Rialto": {"load": "rialto"},
    "Weather": {"load": "weather"},
}
_OF_REAL = {"table1", "table3", "fig5"}  # parts that need them


@dataclass(frozen=True)
class Profile:
    """How much of it is run."""

    name: str
    rows: int  # of each stream
    seeds: int
    runs: int  # of Fig. 3
    orders: tuple[int, ...]  # of Fig. 3
    drifts: tuple[str, ...]  # of Fig. 3
    streams: tuple[str, ...] = TENET
    real: tuple[str, ...] = tuple(REAL)
    learners: Mapping[str, str] = field(default_factory=lambda: LEARNERS)

    @property
    def bases(self) -> dict[str, str]:
        """The learners that Fig. 3 augments, by name."""
        return {name: self.learners[name] for name in ("HAT", "ARF") if name in self.learners}

    def keys(self, injected: bool, drifts: Iterable[str] = DRIFTS) -> list[Key]:
        """The streams of Table II: name, drift, whether injected."""
        return [(name, drift, injected) for name in self.streams for drift in drifts]

    @property
    def real_rows(self) -> int | None:
        """Real streams are shortened in the quick profile alone."""
        return self.rows if self.rows < 100_000 else None

    def with_learners(self, names: Iterable[str]) -> Profile:
        """The same with some of the learners; with all of them if none is named."""
        asked = tuple(names) or tuple(self.learners)
        for name in asked:
            if name not in self.learners:
                raise UsageError(f"learner {name!r}: ziffer2024 has {', '.join(self.learners)}")
        kept = {name: text for name, text in self.learners.items() if name in asked}
        return replace(self, learners=kept)

    def without_what_is_missing(self, parts: Iterable[str]) -> tuple[Profile, list[str]]:
        """The same with what some parts need and this machine has; a line for what it has not."""
        missing = []
        learners = dict(self.learners)
        try:
            import_torch()
        except MissingExtra as error:
            missing.append(f"cLSTM is left out: {error}")
            learners = {name: text for name, text in learners.items() if "CLSTM(" not in text}
        real = []
        for name in self.real if _OF_REAL & set(parts) else ():
            try:
                entry = REAL[name]
                load(entry["load"], entry.get("variant"))
                real.append(name)
            except DownloadError as error:
                missing.append(f"{name} is left out: {error}")
        return replace(self, learners=learners, real=tuple(real)), missing


PROFILES = {
    "quick": Profile("quick", 20_000, 1, 1, (0, 1, 2, 4, 8, 14), ("abrupt",)),
    "full": Profile("full", 100_000, 10, 20, tuple(range(15)), DRIFTS),
}


def check_parts(only: Iterable[str]) -> tuple[str, ...]:
    """What was asked for, in the paper's order; all of it by default."""
    asked = tuple(only) or PARTS
    for part in asked:
        if part not in PARTS:
            raise UsageError(f"only={part!r}: ziffer2024 has {', '.join(PARTS)}")
    return tuple(part for part in PARTS if part in asked)


def synthetic(name: str, drift: str, injected: bool) -> str:
    """What the experiment layer calls a stream of Table II."""
    return f"{name} {drift} inject={ORDER}" if injected else f"{name} {drift}"


def grids(profile: Profile, parts: Iterable[str]) -> dict[str, Grid]:
    """The experiments behind some parts; cells that two of them share are run once."""
    parts = set(parts)
    found = {}
    if parts & {"table2", "fig5"}:
        found["table2"] = _table_ii(profile, list(profile.streams), list(DRIFTS), [0, ORDER])
    elif "fig4" in parts:
        name, drift, _ = FIG_4
        found["table2"] = _table_ii(profile, [name], [drift], [ORDER])
    if parts & {"table3", "fig5"} and profile.real:
        found["table3"] = _grid(profile, "table3", _real(profile), profile.learners, profile.seeds)
    if "fig3" in parts and profile.bases:
        found["fig3"] = _grid(
            profile,
            "fig3",
            [_tenet(profile, list(profile.streams), list(profile.drifts), [0, ORDER])],
            {
                augmented(name, order): f"SWT({text}, order={order})" if order else text
                for name, text in profile.bases.items()
                for order in profile.orders
            },
            profile.runs,
        )
    return found


def augmented(name: str, order: int) -> str:
    """What Fig. 3 calls a learner with so many past labels."""
    return f"{name} order={order}"


def _table_ii(profile: Profile, names: list[str], drifts: list[str], orders: list[int]) -> Grid:
    streams = [_tenet(profile, names, drifts, orders)]
    return _grid(profile, "table2", streams, profile.learners, profile.seeds)


def _tenet(
    profile: Profile, names: list[str], drifts: list[str], orders: list[int]
) -> dict[str, Any]:
    return {"tenet": names, "drift": drifts, "inject": orders, "rows": profile.rows}


def _real(profile: Profile) -> list[dict[str, Any]]:
    rows = {} if profile.real_rows is None else {"rows": profile.real_rows}
    return [{**REAL[name], "name": name, **rows} for name in profile.real]


def _grid(
    profile: Profile,
    part: str,
    streams: list[dict[str, Any]],
    learners: Mapping[str, str],
    seeds: int,
) -> Grid:
    return Grid(
        streams,
        dict(learners),
        name=f"ziffer2024 {profile.name} {part}",
        seeds=seeds,
        forget=["Cumulative()", "Window(1000)"],
        metrics=["kappa", "kappa_temporal"],
        predictions=False,
    )
