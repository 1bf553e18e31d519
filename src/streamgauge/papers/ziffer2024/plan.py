"""The cells that ziffer2024 needs: streams, learners and seeds of each profile."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from streamgauge._support.errors import MissingExtra
from streamgauge.experiments.grid import Grid
from streamgauge.experiments.results import Results
from streamgauge.learners.learner_text import parse_learner
from streamgauge.papers.study import PaperStudy
from streamgauge.streams.generators.tenet import TENET

DRIFTS = ("abrupt", "gradual")
ORDER = 2  # of injection and of augmentation; "order 3" in the paper is the window of order 2
PAPERS = ("HAT", "ARF", "SWT HAT", "SWT ARF", "cLSTM")  # the learners that the paper ranks
NO_CHANGE = "No-Change"
BATCH = 128  # rows; the paper scores by the mean over batches
BATCHES = f"Window({BATCH})"  # where a batch ends, it has exactly its rows
ALL_ROWS = "Cumulative()"
WINDOW = "Window(1000)"  # of Figure 4

_HAT = "HoeffdingAdaptiveTree()"
_ARF = "AdaptiveRandomForest(n_models=10)"  # the default of River, which the paper used
LEARNERS = {
    "HAT": _HAT,
    "ARF": _ARF,
    "SWT HAT": f"SWT({_HAT}, order={ORDER})",
    "SWT ARF": f"SWT({_ARF}, order={ORDER})",
    "cLSTM": "CLSTM()",
    NO_CHANGE: "NoChange()",
    # Not in the paper: cLSTM sees past features, so a fair comparison gives them to trees too.
    "HAT+past": f"SWT({_HAT}, order={ORDER}, features=True)",
    "ARF+past": f"SWT({_ARF}, order={ORDER}, features=True)",
    "ESN": "ESN()",  # the paper's future work
    "Transition": "Transition()",
}
NETWORKS = {  # slow, so that the quick profile runs them on some streams only
    "cGRU": "CLSTM(cell='gru')",
    "cLSTM, logits": "CLSTM(average='logits', scale=False)",  # as in a co-author's code
}
FEW = ("SEA", "STAGGER", "Sine1")  # with abrupt drifts, injected
RIVER = {  # slower still: in the full profile only
    "River's HAT": "river:tree.HoeffdingAdaptiveTreeClassifier()",
    "River's ARF": "river:forest.ARFClassifier()",
}
# Insects is missing: no copy of it is verified, and the paper uses only two of its classes.
REAL: dict[str, dict[str, Any]] = {
    # "Consumption and prices", says the paper; which five is fitted to Table III.
    "Elec2": {"load": "elec2", "variant": "prices"},
    "PowerSupply": {"load": "powersupply"},
    "Rialto": {"load": "rialto"},
    "Weather": {"load": "weather"},
}


@dataclass(frozen=True)
class Ziffer2024Plan:
    """How much of the paper to run."""

    name: str
    rows: int | None  # per stream; None: as in the paper
    seeds: int
    runs: int  # seeds of Figure 3
    orders: tuple[int, ...]  # of Figure 3
    drifts: tuple[str, ...]  # of Figure 3
    streams: tuple[str, ...] = TENET
    real: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: REAL)
    learners: Mapping[str, str] = field(default_factory=lambda: LEARNERS)
    on_few: Mapping[str, str] = field(default_factory=dict)  # learners, on FEW streams only

    @property
    def further(self) -> list[str]:
        """The columns that the paper lacks."""
        names = [*self.learners, *self.on_few]
        return [name for name in names if name not in (*PAPERS, NO_CHANGE)]

    def table2(self, injected: bool, drifts: Iterable[str] = DRIFTS) -> list[str]:
        """The streams of Table II, by the names that an experiment gives them."""
        return [synthetic(name, drift, injected) for name in self.streams for drift in drifts]


PROFILES = {
    "quick": Ziffer2024Plan(
        "quick", 16_000, 1, 1, (0, 1, 2, 4, 8, 14), ("abrupt",), on_few=NETWORKS
    ),
    "full": Ziffer2024Plan(
        "full", None, 10, 20, tuple(range(15)), DRIFTS, learners=LEARNERS | NETWORKS | RIVER
    ),
}


def synthetic(name: str, drift: str, injected: bool) -> str:
    """The name that an experiment gives a stream of Table II."""
    return f"{name} {drift} inject={ORDER}" if injected else f"{name} {drift}"


def augmented(name: str, order: int) -> str:
    """The name in Figure 3 of a learner augmented with `order` past labels."""
    return f"{name} order={order}"


def run_table2(study: PaperStudy, profile: Ziffer2024Plan) -> list[Results]:
    """The runs of Table II."""
    streams = [_tenet(profile, profile.streams, DRIFTS, (0, ORDER))]
    found = [_run(study, profile, "table2", streams, profile.learners, profile.seeds)]
    if profile.on_few:
        names = [name for name in FEW if name in profile.streams]
        few = [_tenet(profile, names, DRIFTS[:1], [ORDER])]
        found.append(_run(study, profile, "table2 few", few, profile.on_few, profile.seeds))
    return found


def run_table3(study: PaperStudy, profile: Ziffer2024Plan) -> list[Results]:
    """The runs of Table III; empty if no real stream is available."""
    limit = {} if profile.rows is None else {"rows": profile.rows}
    streams = [{**entry, **limit} for entry in study.available(profile.real)]
    if not streams:
        return []
    return [_run(study, profile, "table3", streams, profile.learners, profile.seeds)]


def run_figure3(study: PaperStudy, profile: Ziffer2024Plan) -> Results:
    """The runs of Figure 3."""
    streams = [_tenet(profile, profile.streams, profile.drifts, (0, ORDER))]
    learners = {
        augmented(name, order): f"SWT({text}, order={order})" if order else text
        for name, text in profile.learners.items()
        if name in ("HAT", "ARF")
        for order in profile.orders
    }
    return _run(study, profile, "figure3", streams, learners, profile.runs)


def run_figure4(study: PaperStudy, profile: Ziffer2024Plan) -> Results:
    """The runs of Figure 4: STAGGER with abrupt drifts, injected."""
    streams = [_tenet(profile, ["STAGGER"], ["abrupt"], [ORDER])]
    return _run(study, profile, "figure4", streams, profile.learners, 1)


def _tenet(
    profile: Ziffer2024Plan, names: Iterable[str], drifts: Iterable[str], orders: Iterable[int]
) -> dict[str, Any]:
    entry = {"tenet": list(names), "drift": list(drifts), "inject": list(orders)}
    return entry if profile.rows is None else {**entry, "rows": profile.rows}


def _run(
    study: PaperStudy,
    profile: Ziffer2024Plan,
    part: str,
    streams: list[dict[str, Any]],
    learners: Mapping[str, str],
    seeds: int,
) -> Results:
    return study.run(
        Grid(
            streams,
            _installed(study, learners),
            name=f"ziffer2024 {profile.name} {part}",
            seeds=seeds,
            forget=[BATCHES, ALL_ROWS, WINDOW],
            every=BATCH // 4,
            metrics=["kappa", "kappa_temporal"],
            predictions=False,
        )
    )


def _installed(study: PaperStudy, learners: Mapping[str, str]) -> dict[str, str]:
    """The learners whose packages are installed."""
    found = {}
    for name, text in learners.items():
        try:
            parse_learner(text)
            found[name] = text
        except MissingExtra as error:
            study.miss(name, str(error))
    return found
