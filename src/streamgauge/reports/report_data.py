"""What a page is about: runs, cells without a run, comparisons, plans."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from streamgauge._support.errors import InputError, StreamgaugeError, UsageError
from streamgauge._support.paths import exists
from streamgauge.comparison.result import Comparison, Comparisons
from streamgauge.experiments.plans import plan_to_toml, plans
from streamgauge.experiments.results import Results, results
from streamgauge.ranking.ranking import Ranking
from streamgauge.rendering.words import unique_names
from streamgauge.runs.directories import RUN_FILE
from streamgauge.runs.facts import title_of
from streamgauge.runs.open_run import open_run
from streamgauge.runs.run import Run
from streamgauge.runs.runs import Runs
from streamgauge.streams.origin import Origin

Group: TypeAlias = tuple[str, Origin, str]  # experiment, stream, labels

_EXPECTED = (
    "expected a folder of results, a saved run, runs that `evaluate` returned, or a comparison"
)


class NamedRun(NamedTuple):
    """A run, and what the page calls it."""

    learner: str
    stream: str
    labels: str
    seed: int
    run: Run
    experiment: str | None = None
    fixed: bool = False  # whether it is the same for every seed

    @property
    def seed_text(self) -> str:
        """The seed in words."""
        return "any seed" if self.fixed else f"seed {self.seed}"

    @property
    def group(self) -> Group:
        """Runs that one figure shows: of the same stream and labels, whatever the seed."""
        return (self.experiment or "", self.run.stream.origin.unseeded, self.labels)

    @property
    def draw(self) -> tuple[int, ...]:
        """The seeds of the run and of its stream."""
        return (self.seed, *self.run.stream.origin.seeds)


class MissingRun(NamedTuple):
    """A cell without a run that can be used: failed, damaged or missing, and why."""

    what: str
    status: str
    reason: str
    traceback: str = ""


@dataclass(frozen=True)
class ReportData:
    """Everything that a page shows."""

    title: str
    entries: tuple[NamedRun, ...] = ()
    holes: tuple[MissingRun, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    results: tuple[Results, ...] = ()  # one per experiment
    tomls: Mapping[str, str | None] = field(default_factory=dict)  # experiment → its file
    detectors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of each experiment
    folder: str = ""
    left_out: int = 0  # runs of the folder that belong to no experiment

    @cached_property
    def groups(self) -> dict[Group, list[NamedRun]]:
        """The runs by stream and labels, of the seed for which most learners have one."""
        groups: dict[Group, dict[tuple[int, ...], dict[str, NamedRun]]] = {}
        for entry in self.entries:
            seeds = groups.setdefault(entry.group, {})
            seeds.setdefault(entry.draw, {}).setdefault(entry.learner, entry)
        most = {key: max(seeds.values(), key=len) for key, seeds in groups.items()}
        return {key: list(group.values()) for key, group in most.items()}

    def seeds_of(self, entry: NamedRun) -> int:
        """How many seeds the runs on the same stream and labels have."""
        return len({each.draw for each in self.entries if each.group == entry.group})

    def rankings_of(self, found: Results, metric: str | None = None) -> dict[str, Ranking]:
        """The rankings of an experiment by label policy; none before runs are complete."""
        try:
            return (found.table(value=metric) if metric else found.table()).rankings
        except StreamgaugeError:
            return {}

    @property
    def learners(self) -> list[str]:
        """The names of the learners, in the order of the runs."""
        return list(dict.fromkeys(entry.learner for entry in self.entries))

    @property
    def references(self) -> list[str]:
        """The names of the references."""
        return list(dict.fromkeys(r for entry in self.entries for r in entry.run.references))


def gather(what: Any, experiment: str | None = None, title: str | None = None) -> ReportData:
    """What a page about `what` shows; runs that cannot be read are holes."""
    if isinstance(what, str | Path):
        what = [what]
    if isinstance(what, Results):
        return _of_results(what, title)
    if isinstance(what, Comparison | Comparisons):
        pairs = tuple(what) if isinstance(what, Comparisons) else (what,)
        names = f"{pairs[0].names[0]} against {' and '.join(pair.names[1] for pair in pairs)}"
        return ReportData(title or f"{names} on {pairs[0].conditions.stream}", comparisons=pairs)
    if isinstance(what, Run):
        what = [what]
    if isinstance(what, Mapping):
        what = list(what.values())
    if not isinstance(what, Iterable):
        raise UsageError(f"{type(what).__name__}: {_EXPECTED}")
    given = list(what)
    if not given:
        raise UsageError(f"nothing to report; {_EXPECTED}")
    if len(given) == 1 and _is_path(given[0]) and not (Path(given[0]) / RUN_FILE).exists():
        return _of_results(results(given[0], experiment), title)
    if experiment is not None:
        raise UsageError("experiment: only a folder of results has experiments")
    return _of_runs(given, title)


def _is_path(what: Any) -> bool:
    return isinstance(what, str | Path)


def _of_runs(given: Sequence[Any], title: str | None) -> ReportData:
    runs: list[Run] = []
    holes: list[MissingRun] = []
    for each in given:
        if isinstance(each, Runs):
            runs += each
        elif isinstance(each, Run):
            runs.append(each)
        elif _is_path(each):
            path = Path(each)
            if not exists(path):
                raise UsageError(f"{path}: no such folder; {_EXPECTED}")
            if not (path / RUN_FILE).exists():
                raise UsageError(f"{path}: not a saved run; give a folder of results by itself")
            try:
                runs.append(_readable(open_run(path)))
            except InputError as error:
                holes.append(MissingRun(path.name, "damaged", str(error)))
        else:
            raise UsageError(f"{type(each).__name__}: {_EXPECTED}")
    _check_any(runs, holes, "these runs")
    named: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        named.setdefault((run.stream.name, run.settings.labels), []).append(run)
    entries = tuple(
        NamedRun(name, run.stream.name, run.settings.labels, run.settings.seed, run)
        for group in named.values()
        for name, run in zip(unique_names(run.title for run in group), group, strict=True)
    )
    drawn: dict[Origin, set[str]] = {}
    for entry in entries:
        drawn.setdefault(entry.run.stream.origin.unseeded, set()).add(entry.stream)
    streams = [each.title if len(names) > 1 else names.pop() for each, names in drawn.items()]
    learners = list(dict.fromkeys(run.name for run in runs))
    shown = f"{_first(learners, 'learners')} on {_first(streams, 'streams')}"
    return ReportData(title or shown, entries, tuple(holes))


def _first(names: Sequence[str], what: str) -> str:
    return " and ".join(names) if len(names) < 3 else f"{len(names)} {what}"


def _of_results(found: Results, title: str | None) -> ReportData:
    entries: list[NamedRun] = []
    holes: list[MissingRun] = []
    if not found.cell_results:
        raise UsageError(
            f"{found.folder}: has no runs and no experiment; expected a folder written by `run`, "
            "`save` or --save"
        )
    for each in found.cell_results:
        cell, why = each.cell, each.damage
        if each.run is not None:
            try:
                run = _readable(each.run)
            except InputError as error:  # a large file of it is damaged
                why = str(error)
            else:
                learner = title_of(cell.learner, cell.model)
                labels = run.settings.labels
                own = NamedRun(learner, cell.stream, labels, cell.seed, run, each.experiment)
                entries.append(own._replace(fixed=cell.is_fixed))
                continue
        if why is not None:
            holes.append(MissingRun(str(cell), "damaged", why))
        elif each.failure is not None:
            failure = each.failure
            reason = f"{failure.kind}: {failure.message or 'no message'}"
            holes.append(MissingRun(str(cell), "failed", reason, failure.traceback))
        else:
            holes.append(MissingRun(str(cell), "missing", "not run yet"))
    kept = [plan for plan in plans(found.folder) if found.name in (None, plan.name)]
    names = [plan.name for plan in kept]
    if title is None:
        title = names[0] if len(names) == 1 else found.folder.name
    return ReportData(
        title,
        tuple(entries),
        tuple(holes),
        results=tuple(results(found.folder, name) for name in names) or (found,),
        tomls={plan.name: plan_to_toml(plan) for plan in kept},
        detectors={plan.name: tuple(plan.spec.get("detectors", ())) for plan in kept},
        folder=str(found.folder),
        left_out=len(found.left_out),
    )


def _readable(run: Run) -> Run:
    """The run, if the files that figures need can be read; else an InputError."""
    _ = run.curve
    return run


def _check_any(runs: Sequence[Run], holes: Sequence[MissingRun], where: str) -> None:
    if not runs:
        reasons = "; ".join(hole.reason for hole in holes)
        raise UsageError(f"{where}: no run can be used: {reasons}")
