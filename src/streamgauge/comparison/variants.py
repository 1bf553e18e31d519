"""Tables of scores whose rows are different streams.

Several label policies, injections or shuffles of one stream are not independent rows: each gets a
table of its own. Several seeds of a stream are averaged into one row. Semantics §10.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from streamgauge._support.errors import InputError
from streamgauge.comparison.score_table import Score, ScoreTable

_SEED_PART = re.compile(r"(?:, *)?\bseed=(\d+)")
_CHANGED = re.compile(
    r"(inject|shuffled|shuffled_within_class)\((.*?)((?:, (?:order=)?\d+)?)\)", re.DOTALL
)
_INJECTED = re.compile(r"(.*) inject=(\d+)", re.DOTALL)  # a name may have line breaks
_PLAIN = "original labels"
_Seed: TypeAlias = tuple[str, str, int | None]  # of the run, of the stream; model


class StreamName(NamedTuple):
    """A stream's name in three parts: the stream itself, how it was changed, the seeds."""

    stream: str
    change: str
    seed: str


def parse_name(name: str) -> StreamName:
    """Split the name of a run's or an experiment's stream.

    >>> parse_name("inject(SEA(500, seed=2, noise=0.1), order=2)")
    StreamName(stream='SEA(500, noise=0.1)', change='inject=2', seed='2')
    >>> parse_name("elec2 inject=4")
    StreamName(stream='elec2', change='inject=4', seed='')
    """
    seed = " ".join(_SEED_PART.findall(name))
    stream, changes = _SEED_PART.sub("", name), []
    while found := _CHANGED.fullmatch(stream):
        verb, stream, order = found.groups()
        order = order.removeprefix(", ").removeprefix("order=") or "2"
        changes.append(f"inject={order}" if verb == "inject" else verb)
    if found := _INJECTED.fullmatch(stream):
        stream = found[1]
        changes.append(f"inject={found[2]}")
    return StreamName(stream, " ".join(changes), seed)


def tables_of(scores: Sequence[Score]) -> dict[str, ScoreTable]:
    """One table per label policy and change of the streams, by name; "" if one holds all.

    Policies and changes are told apart only where some stream has several of them: streams that
    each have their own policy stay in one table.
    """
    parsed = [parse_name(score.stream) for score in scores]
    policy = _values_of_each((n.stream, s.labels) for n, s in zip(parsed, scores, strict=True))
    change = _values_of_each((n.stream, n.change) for n in parsed)
    groups: dict[str, list[tuple[StreamName, Score]]] = defaultdict(list)
    for name, score in zip(parsed, scores, strict=True):
        parts = [score.labels] if policy else []
        parts += [name.change or _PLAIN] if change else []
        groups[" with ".join(parts)].append((name, score))
    return {variant: _average(group) for variant, group in groups.items()}


def _values_of_each(pairs: Iterable[tuple[str, str]]) -> bool:
    """Whether a stream has several values."""
    values = defaultdict(set)
    for stream, value in pairs:
        values[stream].add(value)
    return any(len(each) > 1 for each in values.values())


def _average(group: Sequence[tuple[StreamName, Score]]) -> ScoreTable:
    """Average over seeds and models; a learner that lacks one of them has no score there."""
    found: dict[tuple[str, str], dict[_Seed, Score]] = defaultdict(dict)
    seeds: dict[str, set[_Seed]] = defaultdict(set)
    names: dict[str, set[str]] = defaultdict(set)
    for (stream, _, drawn), score in group:
        place, seed = (stream, score.learner), (score.seed, drawn, score.model)
        if seed in found[place]:
            with_seed = f" with seed {score.seed}" if score.seed else ""
            raise InputError(
                f"two scores of {score.learner} on {score.stream}{with_seed}; expected one per "
                "learner, stream, label policy and seed"
            )
        found[place][seed] = score
        seeds[stream].add(seed)
        names[stream].add(score.stream)
    streams = list(seeds)
    learners = list(dict.fromkeys(learner for _, learner in found))
    mean, sd = (np.full((len(streams), len(learners)), np.nan) for _ in range(2))
    runs = np.zeros(mean.shape, np.int64)
    for (stream, learner), by_seed in found.items():
        at = streams.index(stream), learners.index(learner)
        values = [score.value for score in by_seed.values()]
        runs[at] = sum(score.runs for score in by_seed.values())
        if len(values) == len(seeds[stream]):
            mean[at] = np.mean(values)
        sd[at] = np.std(values, ddof=1) if len(values) > 1 else next(iter(by_seed.values())).sd
    shown = [next(iter(names[s])) if len(names[s]) == 1 else s for s in streams]
    return ScoreTable(tuple(shown), tuple(learners), mean, sd, runs)
