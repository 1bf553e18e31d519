"""The streams, learners and cells of zliobaite2015."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from streamgauge.experiments.grid import Grid
from streamgauge.inspection.profile import Profile
from streamgauge.papers._cells import Entry, run_cells, shuffled_entry
from streamgauge.papers.scores import CellScores
from streamgauge.papers.study import PaperStudy

STREAMS: dict[str, Entry] = {
    "Elec2": {"load": "elec2", "variant": "papers"},
    "Cover": {"load": "covtype"},
    "KDD99": {"load": "kdd99_10pct"},
    "Ozone": {"load": "ozone_onehr"},
}
DEPENDENT = ("Elec2", "Cover", "KDD99")  # streams whose labels come in runs
LEAKING = "Elec2, 6 features"  # not in the paper: what a feature that leaks the label changes
# MOA's settings of 2013: its trees split at δ = 1e-7.
LEARNERS = {
    "NB": "NaiveBayes()",
    "DDM": "Resetting(NaiveBayes(), DDM(compat='moa'))",
    "HT": "HoeffdingTree(delta=1e-7)",
    "HAT": "HoeffdingAdaptiveTree(delta=1e-7)",
    "LBAG": "LeveragingBagging()",
}
BASELINES = ("Majority", "Persistent")
WRAPPERS = ("", "TC", "TA")  # ordinary, Temporal Correction, Temporally Augmented
# §6.3: the weight of the newest row, 1 − a; the paper gives none for Ozone.
FADING = {"Elec2": 0.999, "Cover": 0.9999, "KDD99": 0.99999}
PROBABILITIES = (0.0001, 0.001, 0.01, 0.1, 1.0)  # of a false alarm
SIZES = (1, 3, 10, 30, 100, 300, 1000)  # training sample sizes of Proposition 9
SMALL = 100  # the largest of them that we call small
_SHUFFLE = {"shuffled": "shuffled", "temporal": "shuffled_within_class"}
_WHOLE = "Cumulative()"
_SHUFFLES = 5  # of Proposition 8
VERSIONS = ("original", "temporal", "shuffled")  # of Figure 7


@dataclass(frozen=True)
class Zliobaite2015Plan:
    """How much of the paper to run."""

    streams: Mapping[str, Entry] = field(default_factory=lambda: STREAMS)
    learners: Mapping[str, str] = field(default_factory=lambda: LEARNERS)
    figure6: Mapping[str, Entry] = field(
        default_factory=lambda: {name: STREAMS[name] for name in ("Elec2", "Cover")}
    )
    orders: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)  # of Figure 6
    long_order: int = 48  # a day; on Elec2 alone
    figure7: Mapping[str, tuple[Entry, int]] = field(  # with the number of seeds
        default_factory=lambda: {
            "Elec2": (STREAMS["Elec2"], 5),
            LEAKING: ({"load": "elec2"}, 5),
            "Cover": (STREAMS["Cover"], 5),
        }
    )


FULL = Zliobaite2015Plan()
QUICK = Zliobaite2015Plan(
    figure6={"Elec2": STREAMS["Elec2"], "Cover": {**STREAMS["Cover"], "rows": 50_000}},
    orders=(1, 2, 3, 5, 10),
    figure7={
        "Elec2": FULL.figure7["Elec2"],
        LEAKING: (FULL.figure7[LEAKING][0], 1),
        "Cover": (STREAMS["Cover"], 1),
    },
)


def plan_of(study: PaperStudy) -> Zliobaite2015Plan:
    """The plan of the study's profile."""
    return FULL if study.full else QUICK


def profile_of(study: PaperStudy, stream: str) -> Profile | None:
    """The profile of one of the paper's data sets, if it is available."""
    entry = STREAMS[stream]
    return study.inspect(entry["load"], entry.get("variant"))


def version_name(stream: str, version: str) -> str:
    """The name of a stream in its original order or shuffled."""
    return stream if version == "original" else f"{stream} {version}"


def _versions(
    study: PaperStudy, streams: Mapping[str, Entry], versions: Iterable[str] = ("original",)
) -> list[Entry]:
    """The entries of the streams whose data is available, in each version."""
    return [
        each if version == "original" else
        shuffled_entry({**each, "name": version_name(each["name"], version)}, _SHUFFLE[version])
        for each in study.available(streams)
        for version in versions
    ]  # fmt: skip


def ordinary(study: PaperStudy, plan: Zliobaite2015Plan) -> CellScores:
    """The five classifiers on the original and the shuffled streams (Figures 2, 3, 4)."""
    streams = _versions(study, plan.streams, ("original", "shuffled"))
    return CellScores(run_cells(study, "figure2", streams, plan.learners))


def wrapped_name(kind: str, base: str) -> str:
    """The name of a wrapped classifier: "TA NB"."""
    return f"{kind} {base}".strip()


def _wrap(kind: str, text: str, stream: str) -> str:
    if kind == "TC":
        fading = f", forget=Fading({FADING[stream]})" if stream in FADING else ""
        return f"TemporalCorrection({text}{fading})"
    return f"TemporallyAugmented({text})" if kind else text


def wrapped(
    study: PaperStudy, plan: Zliobaite2015Plan, figure: str, bases: Iterable[str]
) -> CellScores:
    """Classifiers ordinary, corrected (TC) and augmented (TA), on the original streams."""
    found = []
    for name, entry in plan.streams.items():
        learners = {
            wrapped_name(kind, base): _wrap(kind, plan.learners[base], name)
            for base in bases
            for kind in WRAPPERS
        }
        streams = _versions(study, {name: entry})
        found += run_cells(study, f"{figure} {name}", streams, learners)
    return CellScores(found)


def orders_of(plan: Zliobaite2015Plan, stream: str) -> tuple[int, ...]:
    """The numbers of past labels in Figure 6."""
    return (*plan.orders, plan.long_order) if stream == "Elec2" else plan.orders


def augmented(study: PaperStudy, plan: Zliobaite2015Plan) -> CellScores:
    """Temporally Augmented classifiers by the number of past labels (Figure 6)."""
    found = []
    for name, entry in plan.figure6.items():
        learners = {
            f"{base} {order}": f"TemporallyAugmented({text}, order={order})"
            for base, text in plan.learners.items()
            for order in orders_of(plan, name)
        }
        streams = _versions(study, {name: entry})
        found += run_cells(study, f"figure6 {name}", streams, learners)
    return CellScores(found)


def false_alarms(study: PaperStudy, plan: Zliobaite2015Plan) -> CellScores:
    """Naive Bayes, with DDM, and with random alarms (Figure 7)."""
    learners = {name: plan.learners[name] for name in ("NB", "DDM")} | {
        random_name(p): f"Resetting({plan.learners['NB']}, RandomAlarm({p}))" for p in PROBABILITIES
    }
    found = []
    for name, (entry, seeds) in plan.figure7.items():
        streams = _versions(study, {name: entry}, VERSIONS)
        found += run_cells(study, f"figure7 {name}", streams, learners, seeds)
    return CellScores(found)


def random_name(p: float) -> str:
    """The name of naive Bayes that is reset with probability p at every row."""
    return f"DDM-random {p:g}"


def errors(study: PaperStudy, plan: Zliobaite2015Plan) -> CellScores:
    """Naive Bayes on Elec2, original and shuffled, with its predictions (Proposition 8)."""
    streams = _versions(study, {"Elec2": plan.streams["Elec2"]}, ("original", "shuffled"))
    if not streams:
        return CellScores([])
    learners = {"NB": plan.learners["NB"]}
    entries = [dict(each) for each in streams]
    grid = Grid(entries, learners, name="proposition8", seeds=_SHUFFLES, forget=[_WHOLE])
    return CellScores([study.run(grid)])


def majorities(study: PaperStudy, plan: Zliobaite2015Plan) -> CellScores:
    """The majority among the last n labels (Proposition 9)."""
    dependent = {name: entry for name, entry in plan.streams.items() if name in DEPENDENT}
    learners = {f"Majority {n}": f"Majority(forget=Window({n}))" for n in SIZES}
    streams = _versions(study, dependent)
    return CellScores(run_cells(study, "proposition9", streams, learners))
