"""Regressors on bike sharing and on Friedman's function, against CapyMOA and River."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import streamgauge as sg
from bench import capymoa_loop
from bench.arff import write_arff
from bench.clock import Line, time_against
from bench.naive_bayes import in_memory
from bench.parity.streams import friedman

_ROUNDS, _WARM_UP, _ROWS, _RIVER_ROWS = 5, 2, 40_000, 3000


def capymoas(name: str, schema: Any, seed: int = 1) -> Any:
    """CapyMOA's counterpart of our regressor of this name."""
    from capymoa.base import MOARegressor
    from capymoa.regressor import FIMTDD, AdaptiveRandomForestRegressor
    from jpype import JClass

    if name == "HoeffdingTreeRegressor":
        return FIMTDD(schema, random_seed=seed)
    if name == "HoeffdingTreeRegressor(leaf_prediction='mean')":
        return FIMTDD(schema, random_seed=seed, regression_tree=True)
    if name == "AdaptiveRandomForestRegressor":
        return AdaptiveRandomForestRegressor(schema, random_seed=seed, ensemble_size=10)
    rules = JClass("moa.classifiers.rules.AMRulesRegressor")()  # MOA's: CapyMOA has no class for it
    rules.prepareForUse()
    return MOARegressor(schema=schema, moa_learner=rules)


def rivers(name: str, seed: int = 1) -> Any:
    """River's counterpart, with the parameters of ours."""
    from river import forest, rules, tree

    if name == "HoeffdingTreeRegressor":
        return tree.HoeffdingTreeRegressor(leaf_prediction="model", delta=1e-7)
    if name == "HoeffdingTreeRegressor(leaf_prediction='mean')":
        return tree.HoeffdingTreeRegressor(leaf_prediction="mean", delta=1e-7)
    if name == "AdaptiveRandomForestRegressor":
        return forest.ARFRegressor(n_models=10, seed=seed)
    return rules.AMRules()


def measure() -> Iterator[Line]:
    """The ratios to CapyMOA and to River, and whether the cost per row stays constant."""
    promised = {"HoeffdingTreeRegressor": (15, 100), "AdaptiveRandomForestRegressor": (25, 50),
                "AMRules": (15, 100)}  # fmt: skip
    for stream in (in_memory(sg.load("bike_hour")), friedman(_ROWS)):
        rows = stream.rows or 0
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "stream.arff"
            write_arff(stream, path)
            for name, (least, least_river) in promised.items():

                def ours(name: str = name, stream: sg.Stream = stream) -> None:
                    sg.evaluate(stream, name)

                def theirs(name: str = name, path: Path = path) -> None:
                    capymoa_loop.play(path, partial(capymoas, name))

                ours()
                for _ in range(_WARM_UP):
                    theirs()
                took = time_against(_ROUNDS, ours, theirs)
                took["river"] = _river(name, stream)
                for who, seconds in took.items():
                    print(f"{name} on {stream.name}, {who}: {rows / seconds:,.0f} rows/s")
                what, ratio = f"{name} on {stream.name}", took["capymoa"] / took["ours"]
                yield Line(
                    f"{what}, against CapyMOA", f"{ratio:.1f}x", f">= {least}x", ratio >= least
                )
                ratio = took["river"] / took["ours"]
                yield Line(
                    f"{what}, against River", f"{ratio:.0f}x", f">= {least_river}x",
                    ratio >= least_river,
                )  # fmt: skip
    yield from _flat()


def _river(name: str, stream: sg.Stream) -> float:
    """Seconds for the whole stream; of the forest extrapolated from its first rows."""
    from river import metrics

    all_rows = stream.rows or 0
    block = next(stream.blocks(_RIVER_ROWS if "Forest" in name else all_rows))
    rows = [dict(zip(stream.schema.features, x, strict=True)) for x in block.X.tolist()]
    model, error = rivers(name), metrics.MAE()
    began = time.perf_counter()
    for x, y in zip(rows, block.y.tolist(), strict=True):
        error.update(y, model.predict_one(x))
        model.learn_one(x, y)
    return (time.perf_counter() - began) / len(rows) * all_rows


def _flat() -> Iterator[Line]:
    """Cost of rows 900,000 to 1,000,000 against rows 10,000 to 110,000."""
    whole = next(friedman(1_000_000).blocks(1_000_000))

    def seconds(learner: Any, start: int, stop: int) -> float:
        began = time.process_time()
        learner.learn(whole.X[start:stop], whole.y[start:stop], np.ones(stop - start))
        learner.predict(whole.X[start:stop])
        return time.process_time() - began

    boosted = partial(sg.StreamingGradientBoostedTreesRegressor, n_models=3, max_depth=8)
    kinds: tuple[Callable[[], Any], ...] = (sg.HoeffdingTreeRegressor, sg.AMRules, boosted)
    for kind in kinds:
        learner = kind()
        learner.start(friedman(1).schema, 1)
        seconds(learner, 0, 10_000)
        early = seconds(learner, 10_000, 110_000)
        seconds(learner, 110_000, 900_000)
        late = seconds(learner, 900_000, 1_000_000)
        what = f"{learner}: a row after 900,000 against one after 10,000"
        mega = learner.nbytes / 1e6
        yield Line(what, f"{late / early:.1f}x, {mega:.0f} MB", "<= 3x", late / early <= 3)
