"""DynamicWeightedMajority: dynamic weighted majority (Kolter & Maloof 2007), as in MOA."""

from __future__ import annotations

import math
from itertools import repeat
from typing import Annotated, Final, Literal

import numpy as np

from streamgauge._support.cpu_clock import helpers
from streamgauge._support.declared import Declared
from streamgauge._support.rng import new_rng
from streamgauge._support.types import Schema
from streamgauge.learners._parameters import Count, NJobs
from streamgauge.learners.base import CompiledLearner, Events, state_bytes
from streamgauge.learners.ensembles._experts import (
    DUE,
    FIRST_EXPERTS,
    N_EXPERTS,
    NOTHING,
    POOLS,
    STOP,
    WeightParams,
    add_expert,
    count_votes,
    doubled_experts,
    lacks_room,
    new_batch,
    new_experts,
    play_team,
    remove_expert,
    start_next,
    to_be_removed,
    update_weights,
)
from streamgauge.learners.trees._memory import pool_bytes, repacked
from streamgauge.learners.trees._nodes import Pools, doubled, new_pools
from streamgauge.learners.trees._params import TreeOptions

BaseLearner = Annotated[Literal["naive_bayes", "hoeffding_tree"], Declared()]
_Beta = Annotated[float, Declared(above=0, below=1)]
_Theta = Annotated[float, Declared(least=0, most=1)]
_MaxExperts = Annotated[int, Declared(least=2)]
_MOST_TEAMS: Final = 64  # each has pools of its own


class DynamicWeightedMajority(CompiledLearner):
    """Dynamic weighted majority (DWM): experts that lose weight by mistakes, and are replaced.

    Every expert learns every row. At every `update_period`-th row an expert that is wrong has its
    weight multiplied by `beta`; weights are then scaled so that the largest is 1, experts below
    `theta` are removed, and a new one with weight 1 is added if the ensemble was wrong. Each expert
    votes for one class with its weight. Defaults are CapyMOA's.

    Parameters
    ----------
    base_learner
        The experts: "naive_bayes", or "hoeffding_tree" with the defaults of `HoeffdingTree`.
    update_period
        Rows between two updates of weights and experts.
    beta
        Factor by which a mistake reduces the weight of an expert.
    theta
        Remove an expert whose weight is below this fraction of the largest.
    max_experts
        Maximum number of experts. When it is reached, the one with the lowest weight makes room.
    n_jobs
        Number of threads; the result does not depend on it. They meet at every update, so that
        several are faster only if periods are long.

    References
    ----------
    kolter2007 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> concepts = [sg.STAGGER(1500, seed=1), sg.STAGGER(1500, seed=2, classification_function=2)]
    >>> stream = sg.splice(concepts, at=[1500])
    >>> for run in sg.evaluate(stream, [sg.NaiveBayes(), sg.DynamicWeightedMajority()]):
    ...     print(f"{run.name}: {run.summary['accuracy']:.3f}")
    NaiveBayes: 0.703
    DynamicWeightedMajority: 0.975
    """

    random = False

    def __init__(
        self,
        base_learner: BaseLearner = "naive_bayes",
        update_period: Count = 50,
        beta: _Beta = 0.5,
        theta: _Theta = 0.01,
        max_experts: _MaxExperts = 10_000,
        n_jobs: NJobs = 1,
    ) -> None:
        self.base_learner: BaseLearner = base_learner
        self.update_period, self.beta, self.theta = update_period, beta, theta
        self.max_experts, self.n_jobs = max_experts, n_jobs
        self._weight_params = WeightParams(update_period, float(beta), float(theta), max_experts)

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        if self.base_learner == "naive_bayes":  # a tree that is never due to split
            options = TreeOptions(1, 0.5, 0.0, "nb", "info_gain")
            self._params = options.for_schema(schema)._replace(grace_period=math.inf)
        else:
            self._params = TreeOptions(200, 1e-3, 0.05, "nba", "info_gain").for_schema(schema)
        n_teams = min(self.n_jobs, self.max_experts, _MOST_TEAMS)
        self._pools = [self._new_pools(seed) for _ in range(n_teams)]
        self._experts = new_experts(len(schema.classes))
        self._batch = new_batch(self._experts)
        add_expert(self._pools[0], self._experts, 0)

    def _new_pools(self, seed: int) -> Pools:
        pools = new_pools(self._schema, len(self._schema.features), new_rng(seed))
        if self.base_learner == "naive_bayes":
            return repacked(pools, 2 * FIRST_EXPERTS, FIRST_EXPERTS)
        return pools

    @property
    def nbytes(self) -> int:
        return sum(map(pool_bytes, self._pools)) + state_bytes(self._experts)

    @property
    def n_experts(self) -> int:
        """Number of experts."""
        return int(self._experts.counters[N_EXPERTS])

    def play(self, events: Events) -> None:
        self._batch.span[:] = 0
        teams = range(len(self._pools))
        with helpers(len(teams)) as each:
            while True:
                list(each(self._play_team, teams, repeat(events)))
                if len(teams) == 1:
                    return
                count_votes(events, self._experts, self._batch)
                if self._batch.span[DUE]:
                    self._update_experts(int(events.y[events.slots[self._batch.span[STOP]]]))
                if not start_next(events, self._experts, self._batch, self._weight_params):
                    return

    def _play_team(self, team: int, events: Events) -> None:
        """Play the batch with a team, and all batches after it if there is no other team."""
        while True:
            lacks = play_team(
                events, self._pools[team], self._params, self._experts, self._batch,
                self._weight_params, team, len(self._pools) == 1,
            )  # fmt: skip
            if lacks == NOTHING:
                return
            self._make_room(team, lacks)

    def _update_experts(self, y: int) -> None:
        """Update weights and experts where there are several teams; one alone does so itself."""
        experts, settings = self._experts, self._weight_params
        is_wrong = update_weights(experts, settings, y)
        while (which := to_be_removed(experts, settings, is_wrong)) >= 0:
            remove_expert(self._pools[experts.team[which]], self._params, experts, which)
        if is_wrong:
            sizes = np.bincount(experts.team[: self.n_experts], minlength=len(self._pools))
            team = int(sizes.argmin())
            while (lacks := lacks_room(self._pools[team], self._params, experts)) != NOTHING:
                self._make_room(team, lacks)
                experts = self._experts
            add_expert(self._pools[team], experts, team)

    def _make_room(self, team: int, lacks: int) -> None:
        """Make room for more experts, or for more nodes and leaves of a team."""
        if lacks == POOLS:
            self._pools[team] = doubled(self._pools[team])
            return
        self._experts, self._batch = doubled_experts(self._experts, self._batch)
