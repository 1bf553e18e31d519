"""`make accuracy`: what our learners reach on whole streams; writes bench/accuracy.md.

No peer runs here (`make parity` compares), so that the page is written in a minute.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import streamgauge as sg
from bench.parity.streams import friedman

PAGE = Path(__file__).parent / "accuracy.md"
_HEAD = """\
# What our learners reach on whole streams

Written by `make accuracy`; do not edit. Labels are immediate unless a heading says otherwise.
Figures over several seeds, from 1 on, are the mean ± standard deviation. [parity.md](parity.md) has
CapyMOA and River beside us, on the first rows of more streams.
"""
_PUBLISHED = {  # accuracy of MOA's on Elec2 with 6 and with 8 features
    "HoeffdingAdaptiveTree": ("82.43", "84.45"),
    "AdaptiveRandomForest": ("87.57", "89.33"),
    "LeveragingBagging": ("86.41", "89.34"),
}
_REGRESSORS = {  # and the number of seeds
    "HoeffdingTreeRegressor": 10,
    'HoeffdingTreeRegressor(leaf_prediction="mean")': 1,
    "AMRules": 10,
    "AdaptiveRandomForestRegressor": 5,
    "AdaptiveRandomForestRegressor(warning_delta=0, drift_delta=0)": 5,
}
_BINS = (0, 45, 51)  # those that Table 2 of grzenda2019 prints


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _over_seeds(values: Sequence[float], digits: int) -> str:
    mean = f"{np.mean(values):.{digits}f}"
    return mean if len(values) == 1 else f"{mean} ± {np.std(values, ddof=1):.{digits}f}"


def _runs(stream: sg.Stream, learner: str, seeds: int, **options: Any) -> list[sg.Run]:
    return [
        run
        for seed in range(1, seeds + 1)
        for run in sg.evaluate(stream, [learner], seed=seed, **options)
    ]


def _accuracy(stream: sg.Stream, learner: str, seeds: int = 1, **options: Any) -> str:
    runs = _runs(stream, learner, seeds, **options)
    return _over_seeds([100 * run.overall["accuracy"] for run in runs], 2)


def _elec2() -> Iterator[Sequence[str]]:
    yield ["accuracy in %", "seeds", "6 features", "MOA, published", "8 features", "MOA, published"]
    six, eight = sg.load("elec2"), sg.load("elec2", "all")
    for learner, seeds in {
        "HoeffdingAdaptiveTree": 4, "AdaptiveRandomForest": 10,
        'AdaptiveRandomForest(compat="moa")': 10, "LeveragingBagging": 4,
    }.items():  # fmt: skip
        moa = _PUBLISHED[learner.partition("(")[0]]
        ours = _accuracy(six, learner, seeds), _accuracy(eight, learner, seeds)
        yield [f"`{learner}`", str(seeds), ours[0], moa[0], ours[1], moa[1]]


def _booster_size() -> Iterator[Sequence[str]]:
    yield ["", "accuracy in %", "MB at the end"]
    for learner in ("StreamingGradientBoostedTrees", "StreamingGradientBoostedTrees(max_depth=8)"):
        (run,) = _runs(sg.load("elec2"), learner, 1)
        accuracy, megabytes = 100 * run.overall["accuracy"], run.learner.nbytes / 1e6
        yield [f"`{learner}`", f"{accuracy:.1f}", f"{megabytes:.0f}"]


def _features_and_labels() -> Iterator[Sequence[str]]:
    yield ["accuracy in %", "learner", "features", "last label alone", "both"]
    elec2, covtype = sg.load("elec2", "papers"), sg.load("covtype").take(100_000)
    for name, stream, policy, base in (
        ("Elec2, the papers' 5 features", elec2, sg.Immediate(), "NaiveBayes"),
        ("Elec2, the papers' 5 features", elec2, sg.Immediate(), "HoeffdingTree"),
        ("the same, `Delay(48)`", elec2, sg.Delay(48), "NaiveBayes"),
        ("the same, `Delay(48)`", elec2, sg.Delay(48), "HoeffdingTree"),
        ("covtype, first 100,000 rows", covtype, sg.Immediate(), "HoeffdingTree"),
    ):
        learners = base, f"LabelsOnly({base})", f"TemporallyAugmented({base})"
        accuracies = [_accuracy(stream, learner, labels=policy) for learner in learners]
        yield [name, f"`{base}`", *accuracies]


def _regression() -> Iterator[Sequence[str]]:
    yield ["mean absolute error", "seeds", "bike sharing", "Friedman, 40,000 rows"]
    streams = sg.load("bike_hour"), friedman(40_000, seed=1)
    for learner, seeds in _REGRESSORS.items():
        runs = [_runs(stream, learner, seeds) for stream in streams]
        errors = [_over_seeds([run.overall["mae"] for run in each], 2) for each in runs]
        yield [f"`{learner}`", str(seeds), *errors]


def _late_regression() -> Iterator[Sequence[str]]:
    yield ["mean absolute error in bin", "seeds", *map(str, _BINS)]
    late: dict[str, Any] = {"labels": sg.Delay(168), "reevaluate": sg.Reevaluate()}
    for learner, seeds in _REGRESSORS.items():
        runs = _runs(sg.load("bike_hour"), learner, seeds, **late)
        errors = [_over_seeds([float(run.bins["mae"][b]) for run in runs], 1) for b in _BINS]
        yield [f"`{learner}`", str(seeds), *errors]


_SECTIONS = {
    "Elec2": _elec2,
    "The size of a booster on Elec2, 6 features": _booster_size,
    "Features and the last label": _features_and_labels,
    "Regression": _regression,
    "Regression on bike sharing, labels 168 rows late": _late_regression,
}


def page() -> str:
    """The whole page."""
    text = _HEAD
    for title, rows in _SECTIONS.items():
        head, *others = rows()
        text += f"\n## {title}\n\n{_table(head, others)}"
    return text


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
