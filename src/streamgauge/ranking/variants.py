"""Tables of scores whose rows are different streams.

Several label policies, injections or shuffles of one stream are not independent rows: each gets a
table of its own. Several seeds of a stream are averaged into one row. Semantics §10.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from streamgauge._support.errors import InputError
from streamgauge.ranking.score_table import LearnerScore, ScoreTable
from streamgauge.streams.origin import Origin

_PLAIN = "original labels"
_Draw: TypeAlias = tuple[str, tuple[int, ...], int | None]  # seed of the run, of the stream; model


class _Place(NamedTuple):
    """Where a score belongs."""

    stream: Origin | str  # the stream itself; its name if no more is known
    change: str  # how its labels or the order of its rows were changed
    seeds: tuple[int, ...]  # that it was drawn from


def _place_of(score: LearnerScore) -> _Place:
    origin = score.origin
    if origin is None:
        return _Place(score.stream, "", ())
    changes = " ".join(map(_in_words, origin.unseeded.changes))
    return _Place(origin.independent.unseeded, changes, origin.seeds)


def _in_words(change: Origin) -> str:
    return "=".join([change.maker, *map(str, change.arguments.values())])


def tables_of(scores: Sequence[LearnerScore]) -> dict[str, ScoreTable]:
    """One table per label policy and change of the streams, by name; "" if one holds all.

    Policies and changes are told apart only where some stream has several of them: streams that
    each have their own policy stay in one table.
    """
    places = [_place_of(score) for score in scores]
    policy = _values_of_each((p.stream, s.labels) for p, s in zip(places, scores, strict=True))
    change = _values_of_each((p.stream, p.change) for p in places)
    groups: dict[str, list[tuple[_Place, LearnerScore]]] = defaultdict(list)
    for place, score in zip(places, scores, strict=True):
        parts = [score.labels] if policy else []
        parts += [place.change or _PLAIN] if change else []
        groups[" with ".join(parts)].append((place, score))
    return {variant: _average(group) for variant, group in groups.items()}


def _values_of_each(pairs: Iterable[tuple[Hashable, str]]) -> bool:
    """Whether a stream has several values."""
    values = defaultdict(set)
    for stream, value in pairs:
        values[stream].add(value)
    return any(len(each) > 1 for each in values.values())


def _average(group: Sequence[tuple[_Place, LearnerScore]]) -> ScoreTable:
    """Average over seeds and models; a learner that lacks one of them has no score there.

    A score that is the same for every seed is there once for all of them.
    """
    found: dict[tuple[Origin | str, str], dict[_Draw, LearnerScore]] = defaultdict(dict)
    seeds: dict[tuple[Origin | str, bool], set[_Draw]] = defaultdict(set)
    names: dict[Origin | str, set[str]] = defaultdict(set)
    for (stream, _, drawn), score in group:
        place, seed = (stream, score.learner), (score.seed, drawn, score.model)
        if seed in found[place]:
            with_seed = f" with seed {score.seed}" if score.seed else ""
            raise InputError(
                f"two scores of {score.learner} on {score.stream}{with_seed}; expected one per "
                "learner, stream, label policy and seed"
            )
        found[place][seed] = score
        seeds[stream, score.fixed].add(seed)
        names[stream].add(score.stream)
    streams = list(names)
    learners = list(dict.fromkeys(learner for _, learner in found))
    mean, sd = (np.full((len(streams), len(learners)), np.nan) for _ in range(2))
    runs = np.zeros(mean.shape, np.int64)
    for (stream, learner), by_seed in found.items():
        at = streams.index(stream), learners.index(learner)
        values = [score.value for score in by_seed.values()]
        runs[at] = sum(score.runs for score in by_seed.values())
        fixed = all(score.fixed for score in by_seed.values())
        if len(values) == len(seeds[stream, fixed]):
            mean[at] = np.mean(values)
        sd[at] = np.std(values, ddof=1) if len(values) > 1 else next(iter(by_seed.values())).sd
    shown = [
        next(iter(names[each])) if len(names[each]) == 1 or isinstance(each, str) else each.title
        for each in streams
    ]
    return ScoreTable(tuple(shown), tuple(learners), mean, sd, runs)
