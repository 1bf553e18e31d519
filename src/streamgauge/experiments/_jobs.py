"""Jobs: the cells of an experiment with all that is needed to run them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from streamgauge._support.errors import InputError, UsageError
from streamgauge.evaluation.evaluate import evaluate
from streamgauge.evaluation.options import EvaluationOptions
from streamgauge.evaluation.plan import make_plan
from streamgauge.experiments._cells import AS_THE_STREAM_SAYS, Cell
from streamgauge.experiments._parsing import (
    make_forgetting,
    make_importable,
    make_labels,
    make_learner,
)
from streamgauge.experiments._sources import OneStream, streams_of
from streamgauge.experiments._spec import Spec
from streamgauge.learners.base import name_of
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.runs.identity import identity_of, run_id
from streamgauge.runs.run import Run
from streamgauge.runs.store import place_name


class Job(msgspec.Struct, frozen=True):
    """All that a process needs to run a cell."""

    cell: Cell
    stream: OneStream
    learner: str
    forget: tuple[str, ...]
    metrics: str | tuple[str, ...]
    warmup: int
    every: int | None
    modules: tuple[str, ...]
    predictions: bool
    base: str

    def play(self, folder: Path) -> Path:
        """Run it and save the run under `folder`; the run's directory."""
        if self.modules:
            make_importable(self.base)
        run: Run = evaluate(
            self.stream.open(self.cell.seed),
            make_learner(self.learner, self.modules),
            labels=labels_of(self.cell.labels),
            forget=[make_forgetting(text) for text in self.forget],
            seed=self.cell.seed,
            warmup=self.warmup,
            metrics=self.metrics,
            every=self.every,
            keep=folder if self.predictions else "none",
            progress=False,
        )
        if run.id != self.cell.id:
            raise InputError(
                f"{self.cell.place}: this is another run than was planned ({run.id[:12]}): the "
                "data, the learner's code or a package differ here from where the experiment was "
                "started, or changed meanwhile; start it again, with the same files everywhere"
            )
        return folder / self.cell.place if self.predictions else run.save(folder)


def labels_of(text: str) -> LabelPolicy | None:
    """A label policy, or none: then the stream decides."""
    return None if text == AS_THE_STREAM_SAYS else make_labels(text)


def jobs_of(spec: Spec, base: Path) -> Iterator[Job]:
    """Every cell of an experiment, stream by stream; opening a stream, not running anything."""
    if spec.modules:
        make_importable(base)
    learners = {
        name: (text, made := make_learner(text, spec.modules), identity_of(made))
        for name, text in spec.named_learners.items()
    }
    policies = spec.labels or (AS_THE_STREAM_SAYS,)
    forget = [make_forgetting(text) for text in spec.forget]
    for one in _distinct(spec, base):
        for seed in spec.seed_list:
            stream = one.open(seed)
            fingerprint = stream.fingerprint()
            for labels in policies:
                options = EvaluationOptions(
                    labels=labels_of(labels), forget=forget, seed=seed, warmup=spec.warmup,
                    metrics=spec.metrics, every=spec.every, keep="none",
                )  # fmt: skip
                settings = make_plan(stream, options).settings()
                for name, (text, learner, identity) in learners.items():
                    key = run_id(fingerprint, identity, settings)
                    place = place_name(stream.name, name_of(learner), key)
                    cell = Cell(one.name, name, labels, seed, key, place)
                    yield Job(
                        cell, one, text, spec.forget, spec.metrics, spec.warmup, spec.every,
                        spec.modules, spec.predictions, str(base),
                    )  # fmt: skip


def _distinct(spec: Spec, base: Path) -> list[OneStream]:
    streams = [one for source in spec.sources for one in streams_of(source, base)]
    names = [one.name for one in streams]
    if twice := [name for name in names if names.count(name) > 1]:
        raise UsageError(
            f"streams: two are called {twice[0]!r}; leave one out, or give it another name = ..."
        )
    return streams
