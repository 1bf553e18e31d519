"""Runs each side on a stream and returns its figures."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import streamgauge as sg
from bench.arff import write_arff
from streamgauge._support.types import Targets
from streamgauge.learners.adapters.capymoa import CapyMOALearner
from streamgauge.learners.learner_text import parse_learner

Figures = dict[str, float]  # accuracy and kappa in percent; for a regressor mae and rmse


class Theirs(NamedTuple):
    """Predictions (-1: none) and figures of CapyMOA's own loop."""

    predictions: Targets
    figures: Figures


def capymoas(path: Path, learner: str, seed: int = 1, optimise: bool = True) -> Theirs:
    """Run CapyMOA's own prequential loop on an ARFF file. Without `optimise` it reports where it
    predicts nothing; the optimised loop scores class 0 there."""
    from capymoa.evaluation import prequential_evaluation
    from capymoa.stream import ARFFStream

    source = ARFFStream(str(path))
    adapted = parse_learner(f"capymoa:{learner}")
    assert isinstance(adapted, CapyMOALearner)
    model = adapted.build(source.get_schema(), seed)
    results = prequential_evaluation(source, model, store_predictions=True, optimise=optimise)
    overall = results.cumulative
    if source.get_schema().is_regression():
        figures = {"mae": float(overall.mae()), "rmse": float(overall.rmse())}
        return Theirs(np.array(results.predictions(), np.float64), figures)
    codes = np.array([-1 if code is None else int(code) for code in results.predictions()])
    return Theirs(codes, {"accuracy": float(overall.accuracy()), "kappa": float(overall.kappa())})


def predictions_of(run: sg.Run, stream: sg.Stream) -> Targets:
    """Predictions of a run as class codes (-1 for an abstention) or as targets (NaN for one)."""
    column = run.predictions["prediction"].to_pylist()
    if stream.schema.regression:
        return np.array([math.nan if value is None else value for value in column])
    code: dict[Any, int] = {label: i for i, label in enumerate(stream.schema.classes)}
    return np.array([code.get(label, -1) for label in column])


def ours(stream: sg.Stream, learner: str, seed: int = 1) -> Figures:
    """Figures of our learner, with an abstention scored as 0 as MOA does."""
    run = sg.evaluate(stream, learner, seed=seed, progress=False)
    predicted = predictions_of(run, stream)
    y = np.concatenate([block.y for block in stream.blocks(1 << 20)])
    if stream.schema.regression:
        off = np.nan_to_num(predicted) - y
        return {"mae": float(np.abs(off).mean()), "rmse": float(np.sqrt((off**2).mean()))}
    scored = sg.score(y, np.maximum(predicted, 0))
    return _percent(scored.overall)


def in_our_loop(stream: sg.Stream, learner: str, seed: int = 1) -> Figures:
    """Figures of any learner in our own loop, where an abstention is wrong; used with River."""
    text = learner.replace("{seed}", str(seed))
    overall = sg.evaluate(stream, text, seed=seed, progress=False).overall
    if stream.schema.regression:
        return {name: float(overall[name]) for name in ("mae", "rmse")}
    return _percent(overall)


def _percent(overall: dict[str, float]) -> Figures:
    return {name: 100 * float(overall[name]) for name in ("accuracy", "kappa")}


def as_arff(stream: sg.Stream, folder: Path) -> Path:
    """Write the stream as an ARFF file, once."""
    path = folder / (re.sub(r"\W+", "_", stream.name) + ".arff")
    if not path.exists():
        write_arff(stream, path)
    return path
