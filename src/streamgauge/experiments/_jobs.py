"""Jobs: cells of an experiment with everything a process needs to run them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.inside import Inside
from streamgauge._support.seeding import GlobalRandom, is_random
from streamgauge._support.user_modules import find_modules
from streamgauge.evaluation.evaluate import evaluate
from streamgauge.evaluation.plan import Plan, make_plan
from streamgauge.evaluation.texts import read_options
from streamgauge.experiments._cells import BySeed, Cell
from streamgauge.experiments._objects import make_object
from streamgauge.experiments._sources import SingleStream, expand
from streamgauge.experiments._spec import Spec, is_kept, shown_text
from streamgauge.experiments._spec_texts import ParsedSpec
from streamgauge.learners.base import name_of
from streamgauge.prequential.protocols import FoldModel, PrequentialCV
from streamgauge.runs.directories import directory_name
from streamgauge.runs.facts import title_of
from streamgauge.runs.identity import identity_of, run_id
from streamgauge.runs.options import EvaluationOptions, Option
from streamgauge.runs.run import Run
from streamgauge.streams.origin import Origin


class Job(msgspec.Struct, frozen=True):
    """A cell and all its settings, as JSON for another process."""

    cell: Cell
    stream: SingleStream
    learner: str
    labels: str | None  # None: the stream decides
    options: dict[str, Any]  # of `evaluate`, as in the spec
    modules: tuple[str, ...]
    predictions: bool
    base: str

    @property
    def kept(self) -> list[str]:
        """What only the process of the grid has, in words."""
        listed: list[Any] = [self.learner, self.labels]
        for value in self.options.values():
            listed += value if isinstance(value, list | tuple) else [value]
        return [shown_text(each) for each in listed if is_kept(each)]

    def run(self, folder: Path) -> Path:
        """Evaluate the cell and save the run under `folder`; return the run's directory."""
        modules = find_modules(self.modules, Path(self.base))

        def make(option: Option, texts: Sequence[str]) -> list[Any]:
            return [make_object(text, option.kind, modules) for text in texts]

        options = read_options(self.options, make)
        if isinstance(options["protocol"], PrequentialCV):
            assert self.cell.model is not None
            options["protocol"] = FoldModel(options["protocol"], self.cell.model)
        run: Run = evaluate(
            self.stream.open(self.cell.seed),
            make_object(self.learner, "learner", modules),  # a new one: it may keep its state
            labels=self.labels and make_object(self.labels, "label policy", modules),
            seed=self.cell.seed,
            save=folder,
            predictions=self.predictions,
            progress=False,
            **options,
        )
        if run.id != self.cell.id:
            raise InputError(
                f"{self.cell.directory}: the run differs from the planned one (its id is "
                f"{run.id[:12]}): the data, the learner's code or a package changed after the "
                "experiment started, or differ on this machine, or the learner draws random "
                "numbers when it is made; start it again with the same files everywhere, and give "
                "every generator a seed"
            )
        return folder / self.cell.directory


class _Seeded(NamedTuple):
    """A stream opened for a seed, and the plan for each label policy."""

    seed: int
    name: str
    origin: Origin
    fingerprint: str
    plans: dict[str, Plan]
    random_references: bool


def make_jobs(spec: Spec, parsed: ParsedSpec, base: Path) -> Iterator[Job]:
    """Make the job of every cell, stream by stream; opens the streams but runs nothing.

    What does not depend on the seed has one cell, that of the first seed.
    """
    identities = _identities(parsed.learners)
    texts = spec.named_learners
    random_detectors = any(map(is_random, parsed.detectors))
    for single in _distinct_streams(spec, base):
        opened = [_open(single, seed, parsed) for seed in spec.seed_list]
        fixed = {
            labels: not random_detectors and _is_fixed(opened, labels) for labels in parsed.labels
        }
        for number, (seeded, labels) in enumerate(product(opened, parsed.labels)):
            plan, is_first = seeded.plans[labels], number < len(parsed.labels)
            for (name, learner), model in product(parsed.learners.items(), plan.models):
                by_seed: BySeed = "rows"
                if fixed[labels]:
                    by_seed = "learner" if is_random(learner) else "nothing"
                if by_seed == "nothing" and not is_first:
                    continue
                key = run_id(seeded.fingerprint, identities[name], plan.settings(model))
                fold = None if model is None else model.number
                full_name = title_of(name_of(learner), fold)
                cell = Cell(
                    single.name, name, shown_text(labels), seeded.seed, key,
                    directory_name(seeded.name, full_name, key), fold, seeded.origin, by_seed,
                )  # fmt: skip
                given = None if parsed.labels[labels] is None else labels
                yield Job(
                    cell, single, texts[name], given, spec.options, spec.modules,
                    spec.predictions, str(base),
                )  # fmt: skip


def _open(single: SingleStream, seed: int, parsed: ParsedSpec) -> _Seeded:
    """The stream for a seed; its rows are not kept."""
    stream = single.open(seed)
    with GlobalRandom(seed).in_use():  # as when the cell is run
        fingerprint = stream.fingerprint()
    plans = {
        labels: make_plan(stream, EvaluationOptions(labels=policy, seed=seed, **parsed.options))
        for labels, policy in parsed.labels.items()
    }
    first = next(iter(plans.values()))
    random = any(map(is_random, first.all_references(stream.schema)))
    return _Seeded(seed, stream.name, stream.origin, fingerprint, plans, random)


def _is_fixed(opened: Sequence[_Seeded], labels: str) -> bool:
    """Whether rows, labels and references are known to be the same for every one of several seeds.

    Code of the user among the settings may draw random numbers.
    """
    first, *others = opened
    settings = first.plans[labels].settings()
    return (
        len(others) > 0
        and first.plans[labels].is_plain
        and not first.random_references
        and all(
            each.fingerprint == first.fingerprint
            and replace(each.plans[labels].settings(), seed=settings.seed) == settings
            for each in others
        )
    )


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
