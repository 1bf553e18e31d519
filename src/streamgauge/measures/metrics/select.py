"""The metrics that a run computes: those asked for that fit its stream."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from streamgauge._support import registry
from streamgauge._support.errors import UsageError, instead_of
from streamgauge._support.types import Schema
from streamgauge.measures.metric import Metric
from streamgauge.measures.metrics.classes import per_class
from streamgauge.measures.metrics.kappa import kappa_metric
from streamgauge.measures.metrics.references import accuracy_metric
from streamgauge.measures.reference import accuracy_column, column_of

_SETS = ("labels", "all")


def known_metrics(
    schema: Schema, cost: bool = False, references: Sequence[str] = ()
) -> tuple[Metric, ...]:
    """Our metrics that fit a stream; `references`: those added to the default ones."""
    task = "regression" if schema.regression else "classification"
    known = [m for m in _own_metrics() if m.task in (None, task) and (cost or m.needs != "cost")]
    if not schema.regression:
        known += per_class(schema.classes)
        for reference in references:
            known.append(accuracy_metric(accuracy_column(reference), reference))
            known.append(kappa_metric(f"kappa_{column_of(reference)}", reference))
    return tuple(known)


@cache
def _own_metrics() -> tuple[Metric, ...]:
    return tuple(registry.find(name, "metric") for name in registry.own_names("metric"))


def metrics_for(
    schema: Schema,
    asked: str | Sequence[str | Metric] = "labels",
    cost: bool = False,
    references: Sequence[str] = (),
) -> tuple[Metric, ...]:
    """The metrics asked for: "labels" (all that need no probabilities), "all", names, metrics."""
    known = known_metrics(schema, cost, references)
    by_name = {metric.name: metric for metric in known}
    chosen: list[Metric] = []
    if not isinstance(asked, str | Metric | Sequence):
        raise UsageError(f"metrics={asked!r}: expected 'labels', 'all', or a list of names")
    for each in [asked] if isinstance(asked, str | Metric) else asked:
        if each in _SETS:
            chosen += (m for m in known if each == "all" or m.needs != "probabilities")
        elif isinstance(each, Metric):
            chosen.append(_checked(each, by_name, schema, cost))
        elif each in by_name:
            chosen.append(by_name[each])
        elif each in registry.names("metric") and each not in registry.own_names("metric"):
            chosen.append(_checked(registry.find(each, "metric"), by_name, schema, cost))
        else:
            raise _unknown(each, by_name)
    if not chosen:
        raise UsageError("metrics=[]: expected at least one name, or 'labels' or 'all'")
    unique = {metric.name: metric for metric in chosen}
    for metric in chosen:
        if unique[metric.name] != metric:
            raise UsageError(f"metrics: two metrics have the name {metric.name!r}; rename one")
    return tuple(unique.values())


def _checked(metric: object, by_name: dict[str, Metric], schema: Schema, cost: bool) -> Metric:
    """A metric of the user's, if it fits the stream."""
    if not isinstance(metric, Metric):
        raise UsageError(f"metrics: expected a Metric, got {metric!r}; make one: Metric(name, f)")
    if metric != by_name.get(metric.name, metric):
        raise UsageError(
            f"Metric({metric.name!r}): streamgauge has a metric of this name; choose another"
        )
    task = "regression" if schema.regression else "classification"
    if metric.task not in (None, task):
        raise UsageError(
            f"Metric({metric.name!r}) needs {metric.needs!r} and is for {metric.task}, this stream "
            f"is for {task}"
        )
    if metric.needs == "cost" and not cost:
        raise UsageError(f"Metric({metric.name!r}) needs a cost matrix: cost=...")
    return metric


def _unknown(name: object, by_name: dict[str, Metric]) -> UsageError:
    hint = " (give a cost matrix: cost=...)" if name == "cost_loss" else ""
    module, colon, own = name.partition(":") if isinstance(name, str) else ("", "", "")
    if colon and module.isidentifier():
        return UsageError(
            f"unknown metric {name!r}: no module {module!r} is given; name its file, {module}.py, "
            f"in `modules` of an experiment or with --module, or give the Metric {own} itself"
        )
    named = ("labels", "all", *by_name)
    return UsageError(
        f"unknown metric {name!r}{hint or instead_of(name, named, '`streamgauge names metrics`')}"
    )
