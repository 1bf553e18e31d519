"""The runs behind gama2013: streams, learners and detectors of each profile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from streamgauge.experiments.grid import Grid
from streamgauge.learners.learner_text import parse_detector
from streamgauge.papers.study import PaperStudy
from streamgauge.streams.stream_text import parse_stream

STREAMS = ("LED", "RBF", "RandomTree", "Waveform")
# VFDT of 2011: δ = 1e-7 was MOA's default.
LEAVES = {
    "MC": "HoeffdingTree(delta=1e-7, leaf_prediction='mc')",
    "NBa": "HoeffdingTree(delta=1e-7, leaf_prediction='nba')",
}
# Both concepts of each stream, as MOA draws them; both have the seed of the run, as where one
# option of MOA is set for a run. The drift of Waveform depends on it.
_CONCEPTS = {
    "LED": (
        "LED({n}, seed={seed}, irrelevant_features=True, compat='moa')",
        "LED({n}, seed={seed}, irrelevant_features=True, n_drift_features=7, compat='moa')",
    ),
    "RBF": (
        "RandomRBF({n}, seed={seed}, seed_model=1, compat='moa')",
        "RandomRBFDrift({n}, seed={seed}, seed_model=10, change_speed=0.01, compat='moa')",
    ),
    "RandomTree": (
        "RandomTree({n}, seed={seed}, seed_tree=1, compat='moa')",
        "RandomTree({n}, seed={seed}, seed_tree=2, compat='moa')",
    ),
    "Waveform": (
        "Waveform({n}, seed={seed}, compat='moa')",
        "Waveform({n}, seed={seed}, n_drift_features=21, compat='moa-2011')",
    ),
}
# In place of C4.5, which scikit-learn does not have; as in C4.5 a leaf has at least two rows.
_BATCH_TREE = "sklearn:tree.DecisionTreeClassifier(criterion='entropy', min_samples_leaf=2)"
ONCE, AGAIN = "batch tree, trained once", "batch tree, retrained"
FADING = ("Fading(0.997)", "Fading(0.9985)", "Fading(0.999)", "Fading(0.9993)", "Fading(0.9994)")
WINDOWS = ("Window(1000)", "Window(2000)", "Window(3000)", "Window(4000)", "Window(5000)")
LONG = (*FADING[2:], *WINDOWS[2:])  # the long estimates of Table 3
ALL_ROWS = "Cumulative()"
SHOWN = (ALL_ROWS, WINDOWS[0], WINDOWS[-1], FADING[0], FADING[-1])  # estimates of Figures 3 and 9

SEA_PERIOD = 15_000  # rows of a concept
NAIVE, RESETTING = "naive Bayes", "naive Bayes, reset by DDM"
_SEA = {NAIVE: "NaiveBayes()", RESETTING: "Resetting(NaiveBayes(), DDM())"}
DDM = "DDM()"
PH_SEA = "PageHinkley(delta=0.005, threshold=50)"  # MOA's and River's defaults
LOAD = {"AMRules": "AMRules()", "HoeffdingTreeRegressor": "HoeffdingTreeRegressor()"}


def plain(estimate: str) -> str:
    """The detector of a row of Table 2."""
    return repr(parse_detector(f"PageHinkley(on={estimate})"))


def ratio(long: str) -> str:
    """The detector of a row of Table 3."""
    short = FADING[0] if long in FADING else WINDOWS[0]
    return repr(parse_detector(f"RatioPageHinkley({short}, {long})"))


DETECTORS = (*map(plain, (ALL_ROWS, *FADING, *WINDOWS)), *map(ratio, LONG))


@dataclass(frozen=True)
class Gama2013Plan:
    """How much to run; a scale below 1 is for tests."""

    name: str
    seeds: int
    growth: int  # rows of Figure 1
    scale: float = 1.0

    def drift(self, stream: str) -> int:
        """The row of the drift."""
        return int(self.scale * (128_000 if stream == "LED" else 32_000))

    def rows(self, stream: str) -> int:
        """Rows of a stream with a drift: 64,000 follow it, in LED 128,000."""
        return self.drift(stream) + int(self.scale * (128_000 if stream == "LED" else 64_000))

    def around(self, stream: str) -> tuple[int, int]:
        """The rows around the drift that figures show."""
        drift = self.drift(stream)
        return drift - int(self.scale * 3000), drift + int(self.scale * 7000)

    @property
    def stationary(self) -> int:
        """Rows of a stream without drift."""
        return int(self.scale * 100_000)

    @property
    def memory(self) -> int:
        """Rows that fit in memory: those that train the batch tree of Figure 1."""
        return int(self.scale * 100_000)

    @property
    def test_rows(self) -> int:
        """Rows of a holdout test; one takes place every tenth of them."""
        return int(self.scale * 10_000)

    @property
    def sea_period(self) -> int:
        """Rows of a SEA concept."""
        return int(self.scale * SEA_PERIOD)


SIZES = {"quick": Gama2013Plan("quick", 3, 300_000), "full": Gama2013Plan("full", 10, 3_000_000)}


def size_of(study: PaperStudy) -> Gama2013Plan:
    """How much to run for a study."""
    return SIZES[study.profile]


def growth(size: Gama2013Plan) -> Grid:
    """Figure 1: a tree over many rows of the first RandomTree."""
    return _growth(size, "growth", {"VFDT": LEAVES["NBa"]})


def batch(size: Gama2013Plan) -> Grid:
    """Figure 1: a tree trained on the rows that fit in memory, once or repeatedly."""
    memory = size.memory
    once, again = (f"Windowed({_BATCH_TREE}, {memory}, every={n})" for n in (None, memory))
    return _growth(size, "batch", {ONCE: once, AGAIN: again})


def _growth(size: Gama2013Plan, what: str, learners: dict[str, str]) -> Grid:
    (stream,) = (each for each in _first(size.growth) if each["name"] == "RandomTree")
    window = size.growth // 100
    return Grid(
        [stream],
        learners,
        name=f"gama2013 {size.name} {what}",
        forget=[f"Window({window})"],
        metrics=["accuracy"],
        every=window,
        predictions=False,
    )


def drifting(size: Gama2013Plan) -> Grid:
    """Tables 2 and 3, Figures 9 and 10: one drift in each stream, all detectors."""
    streams = []
    for name, concepts in _CONCEPTS.items():
        at, rows = size.drift(name), size.rows(name)
        for run in range(1, size.seeds + 1):
            first, second = (
                text.format(n=n, seed=run)
                for text, n in zip(concepts, (at, rows - at), strict=True)
            )
            text = f"splice([{first}, {second}], at=[{at}], seed={run})"
            streams.append({"generate": text, "name": run_name(name, run)})
    return _grid(size, "drift", streams, LEAVES, seeds=1, detectors=list(DETECTORS))


def lost_features(run: int) -> int:
    """How many attributes of Waveform have no value after the drift of a run."""
    stream = parse_stream(_CONCEPTS["Waveform"][1].format(n=1, seed=run), run)
    return int(np.isnan(next(stream.blocks(1)).X).sum())


def run_name(stream: str, run: int) -> str:
    """The name of a stream with a drift: each run has its own, since its seed is in two places."""
    return f"{stream} {run}"


def stationary(size: Gama2013Plan) -> Grid:
    """Figures 2 and 3: the first concepts alone, scored row by row."""
    learners, every = {"VFDT": LEAVES["NBa"]}, size.test_rows // 10
    return _grid(size, "prequential", _first(size.stationary), learners, every=every)


def holdout(size: Gama2013Plan) -> Grid:
    """Figures 2 and 3: the same learner, tested repeatedly on the same rows."""
    test = size.test_rows
    protocol = f"Holdout({test // 10}, {test}, test='first')"
    return Grid(
        _first(size.stationary + test),
        {"VFDT": LEAVES["NBa"]},
        name=f"gama2013 {size.name} holdout",
        seeds=size.seeds,
        protocol=protocol,
        metrics=["error"],
        predictions=False,
    )


def sea(size: Gama2013Plan) -> Grid:
    """Figures 6 to 8: SEA with three drifts, naive Bayes with and without resets."""
    rows = size.sea_period
    concepts = ", ".join(f"SEA({rows}, variant={variant}, noise=0.1)" for variant in range(4))
    stream = {"generate": f"splice([{concepts}])", "name": "SEA"}
    return _grid(size, "SEA", [stream], _SEA, seeds=1, detectors=[DDM, PH_SEA])


def load(study: PaperStudy) -> Grid | None:
    """Figures 4 and 5: a stand-in for the paper's load data; None if it is missing."""
    streams = study.available({"bike rentals": {"load": "bike_hour"}})
    if not streams:
        return None
    return Grid(streams, LOAD, name=f"gama2013 {study.profile} load")


def _first(rows: int) -> list[dict[str, Any]]:
    return [
        {"generate": first.format(n=rows, seed="{seed}").replace(", seed={seed}", ""), "name": name}
        for name, (first, _) in _CONCEPTS.items()
    ]


def _grid(
    size: Gama2013Plan,
    what: str,
    streams: list[dict[str, Any]],
    learners: dict[str, str],
    **options: Any,
) -> Grid:
    return Grid(
        streams,
        learners,
        name=f"gama2013 {size.name} {what}",
        **{"seeds": size.seeds, "forget": list(SHOWN), "metrics": ["error"], **options},
    )
