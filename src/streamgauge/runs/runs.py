"""`Runs`: several runs, of several learners, or of one with several seeds or models."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, overload

import pyarrow as pa

from streamgauge._support import registry
from streamgauge._support.errors import UsageError, instead_of
from streamgauge._support.printable import printable_lines, printed
from streamgauge.rendering.frames import frame_of
from streamgauge.rendering.html import figure_html, notebook_html, page_part
from streamgauge.rendering.layout import wrap
from streamgauge.rendering.plain_values import plain
from streamgauge.rendering.sheet import sheet_of
from streamgauge.rendering.words import plural, unique_names
from streamgauge.runs._spread import Spread
from streamgauge.runs.answer import show_answer
from streamgauge.runs.facts import COSTS
from streamgauge.runs.plot import plot
from streamgauge.runs.run import Run
from streamgauge.runs.text import header, show_runs, table_lines, table_notes, words_on


class Runs(Sequence[Run]):
    """Several runs: of several learners, or of one learner with several seeds or models.

    `evaluate` and `score` return it for several learners and for a cross-validation, whose models
    have a run each. Iterating yields the runs; `runs[0]` is the first, `runs["NaiveBayes"]` the
    only one of that learner. Printing them shows their tables and verdicts; of a learner with
    several runs, mean ± standard deviation.

    Parameters
    ----------
    runs
        The runs, such as those that `evaluate` returned or `open_run` opened.

    Examples
    --------
    >>> import streamgauge as sg
    >>> runs = sg.evaluate(sg.SEA(2000, seed=1), ["NaiveBayes", "HoeffdingTree"])
    >>> runs.names, round(runs["NaiveBayes"].summary["accuracy"], 3)
    (('NaiveBayes', 'HoeffdingTree'), 0.933)
    >>> models = sg.evaluate(sg.SEA(2000, seed=1), "NaiveBayes", protocol=sg.PrequentialCV(4))
    >>> len(models), f"{models.mean['accuracy']:.3f} ± {models.sd['accuracy']:.3f}"
    (4, '0.930 ± 0.015')
    """

    def __init__(self, runs: Iterable[Run]) -> None:
        self._runs = tuple(runs)
        for each in self._runs:
            if not isinstance(each, Run):
                raise UsageError(
                    f"Runs: got {type(each).__name__}; expected runs of `evaluate` or `open_run`"
                )

    @overload
    def __getitem__(self, which: int | str) -> Run: ...
    @overload
    def __getitem__(self, which: slice) -> Runs: ...
    def __getitem__(self, which: int | str | slice) -> Run | Runs:
        if isinstance(which, slice):
            return Runs(self._runs[which])
        if not isinstance(which, str):
            return self._runs[which]
        if which not in self.names:
            raise UsageError(f"runs[{which!r}]: no such learner{instead_of(which, self.names)}")
        found = self.by_learner[which]
        if len(found) > 1:
            raise UsageError(
                f"runs[{which!r}]: this learner has {len(found)} runs; "
                f"runs.by_learner[{which!r}] has them all"
            )
        return found[0]

    def __add__(self, more: Iterable[Run]) -> Runs:
        return Runs([*self._runs, *more])

    def __len__(self) -> int:
        return len(self._runs)

    def __iter__(self) -> Iterator[Run]:
        return iter(self._runs)

    def __contains__(self, what: object) -> bool:
        return what in self.names if isinstance(what, str) else what in self._runs

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the learners."""
        return tuple(self.by_learner)

    @cached_property
    def by_learner(self) -> dict[str, Runs]:
        """The runs of each learner; different learners of one name get numbers."""
        found = _grouped(self, lambda run: (run.name, run.identity))
        names = unique_names(each[0].name for each in found)
        return dict(zip(names, found, strict=True))

    @cached_property
    def by_stream(self) -> dict[str, Runs]:
        """The runs on each stream; what a generator makes with several seeds is one stream."""
        found = _grouped(self, lambda run: run.stream.origin.unseeded)
        names = []
        for each in found:
            own = {run.stream.name for run in each}
            names.append(own.pop() if len(own) == 1 else each[0].stream.origin.unseeded.title)
        return dict(zip(unique_names(names), found, strict=True))

    @property
    def mean(self) -> dict[str, float]:
        """The mean of each cumulative metric over the runs of one learner; NaN if one is."""
        return self._spread("mean").mean

    @property
    def sd(self) -> dict[str, float]:
        """The standard deviation between the runs of one learner; NaN of a single run."""
        return self._spread("sd").sd

    def to_arrow(self) -> pa.Table:
        """One line per run and forgetting, one column per metric and cost; `to_frame` shows it."""
        lines = [
            {
                "stream": run.stream.name, "learner": name, "labels": run.settings.labels,
                "seed": run.settings.seed, "model": run.settings.model, **numbers,
            }
            for name, runs in self.by_learner.items() for run in runs
            for numbers in number_lines(run)
        ]  # fmt: skip
        heads = {"stream": pa.string(), "learner": pa.string(), "labels": pa.string()}
        heads |= {"seed": pa.int64(), "model": pa.int64()}
        return pa.Table.from_pylist(lines, pa.schema([*heads.items(), *number_fields(self)]))

    def to_frame(self, kind: str | None = None) -> Any:
        """One line per run and forgetting, one column per metric and cost.

        Parameters
        ----------
        kind
            "pandas", "polars" or "arrow"; by default the first of them that is installed.
        """
        return frame_of(self.to_arrow(), kind)

    def plot(
        self,
        metric: str | None = None,
        *,
        forget: Any = None,
        references: bool | Sequence[str] = True,
        alarms: Iterable[int] = (),
        zoom: bool = False,
    ) -> Any:
        """Draw a metric along the stream: an Altair chart; see `sg.plot` (docs/figures.md)."""
        return plot(self, metric, forget=forget, references=references, alarms=alarms, zoom=zoom)

    def rank(self, **options: Any) -> Any:
        """Rank the learners over several streams; see `sg.rank` for the options."""
        return registry.find("rank")(self, **options)

    def save(self, folder: str | Path) -> list[Path]:
        """Save every run under `folder` and return their directories."""
        return [run.save(folder) for run in self]

    def to_dict(self) -> dict[str, Any]:
        """Plain values: `learners`, each with `name`, `mean`, `sd` and `runs` (docs/json.md).

        Mean and standard deviation are None if the runs of a learner are not of one setting.
        """
        learners = []
        for name, runs in self.by_learner.items():
            spread = None if len(_settings(runs)) > 1 else Spread(name, runs)
            mean, sd = (None, None) if spread is None else (plain(spread.mean), plain(spread.sd))
            own = [run.to_dict() for run in runs]
            learners.append({"name": name, "mean": mean, "sd": sd, "runs": own})
        return {"learners": learners}

    @property
    def details(self) -> str:
        """Everything there is to say of the runs, as text; printing them shows the answer only."""
        shown = [show_runs(part) if isinstance(part, Runs) else str(part) for part in self._parts()]
        return printable_lines("\n\n".join(shown))

    @printed
    def __str__(self) -> str:
        parts = self._parts()
        shown = [show_answer(part) if isinstance(part, Runs) else wrap(str(part)) for part in parts]
        return "\n\n".join(shown) or "no runs"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        shown = []
        for part in self._parts():
            if isinstance(part, Runs):
                notes = [header(part[0]), *table_notes(part)]
                words, sheet = list(map(words_on, part)), sheet_of(table_lines(part), notes)
            else:
                words, sheet = part.words(), sheet_of(part.lines(), [part.head(), part.note()])
            shown.append(notebook_html(words, sheet, None))
        return page_part(*shown, figure_html(self)) if shown else page_part("no runs")

    def _parts(self) -> list[Runs | Spread]:
        """What has a table: the learners on one stream, or the several runs of a learner on it.

        Runs that failed have a line each.
        """
        parts: list[Runs | Spread] = []
        for runs in _settings(self):
            by_learner = runs.by_learner.items()
            if len(by_learner) == len(runs) or any(run.failure for run in runs):
                parts.append(runs)
            else:
                parts += [own if len(own) == 1 else Spread(name, own) for name, own in by_learner]
        return parts

    def _spread(self, what: str) -> Spread:
        if len(self.names) != 1:
            raise UsageError(
                f"runs.{what}: these are runs of {plural(len(self.names), 'learner')}; expected "
                f"those of one: runs.by_learner[...].{what}"
            )
        if len(_settings(self)) > 1:
            raise UsageError(
                f"runs.{what}: these runs differ in stream, labels or protocol; expected runs that "
                f"differ in seed or model, e.g. runs.by_stream[...].{what}"
            )
        return Spread(self.names[0], self)


def number_lines(run: Run) -> Iterator[dict[str, Any]]:
    """The numbers of a run under each of its forgettings, null where they are undefined."""
    counts = {"rows": run.counts.rows, "scored": run.counts.scored}
    for forgetting, values in run.summaries.items():
        numbers = values | run.cost.numbers()
        defined = {name: None if math.isnan(each) else each for name, each in numbers.items()}
        yield {"forgetting": forgetting, **counts, **defined}


def number_fields(runs: Iterable[Run]) -> list[tuple[str, pa.DataType]]:
    """The columns of `number_lines`."""
    metrics = dict.fromkeys(m for run in runs for each in run.summaries.values() for m in each)
    heads = [("forgetting", pa.string()), ("rows", pa.int64()), ("scored", pa.int64())]
    return [*heads, *((name, pa.float64()) for name in (*metrics, *COSTS))]


def _settings(runs: Runs) -> list[Runs]:
    """The runs that differ in nothing but learner, seed and model."""

    def setting(run: Run) -> Hashable:
        return run.stream.origin.unseeded, run.settings.labels, run.settings.protocol

    return _grouped(runs, setting)


def _grouped(runs: Iterable[Run], key: Any) -> list[Runs]:
    found: dict[Hashable, list[Run]] = {}
    for run in runs:
        found.setdefault(key(run), []).append(run)
    return list(map(Runs, found.values()))
