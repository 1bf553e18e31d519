"""The cells that ziffer2024 needs: streams, learners and seeds of each profile."""

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
Key = tuple[str, str, bool]  # stream of Table II: name, drift, whether injected
FIG_4: Key = ("STAGGER", "abrupt", True)

_HAT = "HoeffdingAdaptiveTree()"
_ARF = "AdaptiveRandomForest(n_models=10)"  # the default of River, which the paper used
LEARNERS = {
    "HAT": _HAT,
    "ARF": _ARF,
    "SWT HAT": f"SWT({_HAT}, order={ORDER})",
    "SWT ARF": f"SWT({_ARF}, order={ORDER})",
    "cLSTM": "CLSTM()",
    # Not in the paper: cLSTM sees past features, so a fair comparison gives them to trees too.
    "HAT+past": f"SWT({_HAT}, order={ORDER}, features=True)",
    "ARF+past": f"SWT({_ARF}, order={ORDER}, features=True)",
}
# Insects is missing: no copy of it is verified, and the paper uses only two of its classes.
REAL = {
    "Elec2": {"load": "elec2", "variant": "papers"},
    "PowerSupply": {"load": "powersupply"},
    "Rialto": {"load": "rialto"},
    "Weather": {"load": "weather"},
}
_NEED_REAL = {"table1", "table3", "fig5"}  # parts that use real streams


@dataclass(frozen=True)
class Profile:
    """How much of the paper to run."""

    name: str
    rows: int  # per stream
    seeds: int
    runs: int  # seeds of Figure 3
    orders: tuple[int, ...]  # of Figure 3
    drifts: tuple[str, ...]  # of Figure 3
    streams: tuple[str, ...] = TENET
    real: tuple[str, ...] = tuple(REAL)
    learners: Mapping[str, str] = field(default_factory=lambda: LEARNERS)

    @property
    def bases(self) -> dict[str, str]:
        """The learners that Figure 3 augments, by name."""
        return {name: self.learners[name] for name in ("HAT", "ARF") if name in self.learners}

    def keys(self, injected: bool, drifts: Iterable[str] = DRIFTS) -> list[Key]:
        """The streams of Table II: name, drift, whether injected."""
        return [(name, drift, injected) for name in self.streams for drift in drifts]

    @property
    def real_rows(self) -> int | None:
        """Row limit of real streams; None in the full profile."""
        return self.rows if self.rows < 100_000 else None

    def with_learners(self, names: Iterable[str]) -> Profile:
        """Keep only these learners; no names keep all."""
        asked = tuple(names) or tuple(self.learners)
        for name in asked:
            if name not in self.learners:
                raise UsageError(
                    f"learner {name!r}: not in ziffer2024; expected {', '.join(self.learners)}"
                )
        kept = {name: text for name, text in self.learners.items() if name in asked}
        return replace(self, learners=kept)

    def without_missing(self, parts: Iterable[str]) -> tuple[Profile, list[str]]:
        """Drop what this machine lacks of what the parts need; also return a line for each drop."""
        missing = []
        learners = dict(self.learners)
        try:
            import_torch()
        except MissingExtra as error:
            missing.append(f"cLSTM was left out: {error}")
            learners = {name: text for name, text in learners.items() if "CLSTM(" not in text}
        real = []
        for name in self.real if _NEED_REAL & set(parts) else ():
            try:
                entry = REAL[name]
                load(entry["load"], entry.get("variant"))
                real.append(name)
            except DownloadError as error:
                missing.append(f"{name} was left out: {error}")
        return replace(self, learners=learners, real=tuple(real)), missing


PROFILES = {
    "quick": Profile("quick", 20_000, 1, 1, (0, 1, 2, 4, 8, 14), ("abrupt",)),
    "full": Profile("full", 100_000, 10, 20, tuple(range(15)), DRIFTS),
}


def check_parts(only: Iterable[str]) -> tuple[str, ...]:
    """Check the parts asked for and put them in the paper's order; none means all."""
    asked = tuple(only) or PARTS
    for part in asked:
        if part not in PARTS:
            raise UsageError(f"only={part!r}: not in ziffer2024; expected {', '.join(PARTS)}")
    return tuple(part for part in PARTS if part in asked)


def synthetic(name: str, drift: str, injected: bool) -> str:
    """The name that an experiment gives a stream of Table II."""
    return f"{name} {drift} inject={ORDER}" if injected else f"{name} {drift}"


def grids(profile: Profile, parts: Iterable[str]) -> dict[str, Grid]:
    """The experiments that the parts need; a cell that two of them share runs once."""
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
    """The name in Figure 3 of a learner augmented with `order` past labels."""
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
