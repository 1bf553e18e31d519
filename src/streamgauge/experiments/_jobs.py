"""Jobs: cells of an experiment with everything a process needs to run them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import msgspec

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.inside import Inside
from streamgauge._support.seeding import GlobalRandom
from streamgauge._support.user_modules import find_modules
from streamgauge.evaluation.evaluate import evaluate
from streamgauge.evaluation.options import EvaluationOptions
from streamgauge.evaluation.plan import make_plan
from streamgauge.experiments._cells import Cell
from streamgauge.experiments._parsing import (
    ParsedSpec,
    make_forgetting,
    make_labels,
    make_learner,
    make_protocol,
)
from streamgauge.experiments._sources import SingleStream, expand
from streamgauge.experiments._spec import Spec
from streamgauge.learners.base import name_of
from streamgauge.prequential.protocols import FoldModel, Holdout, PrequentialCV
from streamgauge.runs.directories import directory_name
from streamgauge.runs.identity import identity_of, run_id
from streamgauge.runs.run import Run


class Job(msgspec.Struct, frozen=True):
    """A cell and all its settings, as JSON for another process."""

    cell: Cell
    stream: SingleStream
    learner: str
    labels: str | None  # None: the stream decides
    forget: tuple[str, ...] | None  # None: as in `evaluate`
    metrics: str | tuple[str, ...]
    references: tuple[str, ...]
    warmup: int
    every: int | None
    modules: tuple[str, ...]
    predictions: bool
    base: str
    protocol: str | None = None
    reevaluate: str | None = None
    max_labels: int | None = None

    def run(self, folder: Path) -> Path:
        """Evaluate the cell and save the run under `folder`; return the run's directory."""
        modules = find_modules(self.modules, Path(self.base))
        run: Run = evaluate(
            self.stream.open(self.cell.seed),
            make_learner(self.learner, modules),  # a new one: a learner may keep its state
            labels=None if self.labels is None else make_labels(self.labels),
            forget=None if self.forget is None else [*map(make_forgetting, self.forget)],
            protocol=self._protocol(),
            reevaluate=self.reevaluate,
            seed=self.cell.seed,
            warmup=self.warmup,
            metrics=self.metrics,
            references=[make_learner(text, modules) for text in self.references],
            every=self.every,
            max_labels=self.max_labels,
            keep=folder if self.predictions else "none",
            progress=False,
        )
        if run.id != self.cell.id:
            raise InputError(
                f"{self.cell.directory}: the run differs from the planned one (its id is "
                f"{run.id[:12]}): the data, the learner's code or a package changed after the "
                "experiment started, or differ on this machine, or the learner draws random "
                "numbers when it is made; start it again with the same files everywhere, and give "
                "every generator a seed"
            )
        return folder / self.cell.directory if self.predictions else run.save(folder)

    def _protocol(self) -> Holdout | FoldModel | None:
        """The protocol; of a cross-validation, the cell's model."""
        protocol = None if self.protocol is None else make_protocol(self.protocol)
        if isinstance(protocol, PrequentialCV):
            assert self.cell.model is not None
            return FoldModel(protocol, self.cell.model)
        return protocol


def make_jobs(spec: Spec, parsed: ParsedSpec, base: Path) -> Iterator[Job]:
    """Make the job of every cell, stream by stream; opens the streams but runs nothing."""
    identities = _identities(parsed.learners)
    texts = spec.named_learners
    for single in _distinct_streams(spec, base):
        for seed in spec.seed_list:
            stream = single.open(seed)
            with GlobalRandom(seed).in_use():  # as when the cell is run
                fingerprint = stream.fingerprint()
            for labels, policy in parsed.labels.items():
                options = EvaluationOptions(
                    labels=policy, forget=parsed.forget, seed=seed, warmup=spec.warmup,
                    metrics=spec.metrics, references=parsed.references, every=spec.every,
                    protocol=parsed.protocol, reevaluate=parsed.reevaluate, keep="none",
                    max_labels=spec.max_labels,
                )  # fmt: skip
                plan = make_plan(stream, options)
                for (name, learner), model in product(parsed.learners.items(), plan.models):
                    key = run_id(fingerprint, identities[name], plan.settings(model))
                    number = None if model is None else model.number
                    full_name = name_of(learner) + ("" if model is None else f" [{number}]")
                    directory = directory_name(stream.name, full_name, key)
                    cell = Cell(
                        single.name, name, labels, seed, key, directory, number, stream.origin
                    )
                    yield Job(
                        cell, single, texts[name], None if policy is None else labels, spec.forget,
                        spec.metrics, spec.references, spec.warmup, spec.every, spec.modules,
                        spec.predictions, str(base), spec.protocol, spec.reevaluate,
                        spec.max_labels,
                    )  # fmt: skip


def _identities(learners: Mapping[str, Any]) -> dict[str, str]:
    """The identity of each learner; two of one identity would be one cell, twice in a table."""
    found = {name: identity_of(learner) for name, learner in learners.items()}
    names: dict[str, str] = {}
    for name, identity in found.items():
        if (other := names.setdefault(identity, name)) != name:
            raise UsageError(
                f"learners: {other!r} and {name!r} are the same learner, with the same parameters: "
                f"{identity[:200]}; remove one of them"
            )
    return found


def share_streams(jobs: list[Job], folder: Inside) -> list[Job]:
    """The jobs for other processes: streams in memory are written to files in `folder`."""
    stored = {each: each.stored_in(folder) for each in {job.stream for job in jobs}}
    return [msgspec.structs.replace(job, stream=stored[job.stream]) for job in jobs]


def _distinct_streams(spec: Spec, base: Path) -> list[SingleStream]:
    streams = [single for source in spec.sources for single in expand(source, base)]
    names = [single.name for single in streams]
    if duplicates := [name for name in names if names.count(name) > 1]:
        raise UsageError(
            f"streams: two have the name {duplicates[0]!r}; remove one, or set another name = ..."
        )
    return streams
