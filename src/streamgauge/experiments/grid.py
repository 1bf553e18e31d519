"""`sg.Grid`: an experiment from Python or from a TOML file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from streamgauge._support.errors import UsageError
from streamgauge._support.strict_toml import line_of
from streamgauge._support.user_modules import find_modules
from streamgauge.experiments._cells import Cell
from streamgauge.experiments._jobs import Job, make_jobs
from streamgauge.experiments._objects import text_of
from streamgauge.experiments._parsing import parse_spec
from streamgauge.experiments._spec import Spec, make_spec, read_spec
from streamgauge.experiments._stream_entries import entry_of
from streamgauge.learners.base import Learner, Player
from streamgauge.runs.options import OPTIONS


class Grid:
    """An experiment: every combination of stream, learner, label policy and seed is a cell.

    Parameters
    ----------
    streams
        Texts: "elec2", "my.csv", "SEA(10000)". Objects: a stream, a frame, a River data set. Or
        tables as in TOML: {"load": "elec2"}, {"read": "my.csv", "target": "y"},
        {"generate": "SEA(10000)"}, {"tenet": "all", "drift": "abrupt"}; each may also have rows,
        inject and name. Rows that are only in memory are written to the store.
    learners
        Texts and objects, or a dict of them by name.
    **options
        name, seeds, labels, protocol, reevaluate, forget, detectors, metrics, references, warmup,
        every, max_labels, cost, oracle, modules, predictions, timeout, max_memory: see
        docs/experiments.md. Learners, label policies, metrics and references of your own may be
        objects; their cells run in the process that calls `sg.run`.

    Examples
    --------
    >>> import streamgauge as sg
    >>> streams = ["SEA(1000)", "Sine1(1000)"]
    >>> grid = sg.Grid(streams, ["NaiveBayes", "HoeffdingTree"], seeds=2, labels=["Delay(50)"])
    >>> len(grid.cells)
    8
    >>> grid.cells[0].stream, grid.cells[0].learner, grid.cells[0].labels, grid.cells[0].seed
    ('SEA(1000)', 'NaiveBayes', 'Delay(50)', 1)
    """

    def __init__(
        self,
        streams: Sequence[Any],
        learners: Sequence[Any] | Mapping[str, Any],
        **options: Any,
    ) -> None:
        streams = streams if isinstance(streams, list | tuple | Mapping) else [streams]
        learners = learners if isinstance(learners, list | tuple | Mapping) else [learners]
        values = {"streams": streams, "learners": learners, **options}
        parsed: dict[str, Learner | Player] = {}  # learners given as objects, by their text

        def text(thing: Any, kind: str) -> Any:
            if isinstance(thing, str):
                return thing
            written, made = text_of(thing, kind)
            if kind == "learner":
                parsed[written] = made
            return written

        if isinstance(streams, list | tuple):
            values["streams"] = [
                each if isinstance(each, str | Mapping) else entry_of(each) for each in streams
            ]
        if isinstance(learners, Mapping):
            named = {name: text(each, "learner") for name, each in learners.items()}
            values["learners"] = named
        else:
            values["learners"] = [text(each, "learner") for each in learners]
        for option in OPTIONS:
            given = values.get(option.name)
            if given is None:
                continue
            if option.form == "texts" or option.name == "labels":
                listed = given if isinstance(given, list | tuple) else [given]
                values[option.name] = [text(each, option.kind) for each in listed]
            elif option.kind:
                values[option.name] = text(given, option.kind)
            elif option.form == "matrix" and hasattr(given, "tolist"):
                values[option.name] = given.tolist()
        detectors = values.get("detectors", ())
        detectors = detectors if isinstance(detectors, list | tuple) else [detectors]
        values["detectors"] = [str(each) for each in detectors]
        self._set(make_spec(values, "Grid"), Path.cwd(), "Grid", "", parsed)

    @classmethod
    def read(cls, path: str | Path) -> Grid:
        """Read an experiment from a TOML file; its data files and modules are relative to it.

        The file is only read: no module of its own and no other library is imported, and no data
        file opened, before `cells` are asked for.
        """
        spec, text = read_spec(path)
        grid = cls.__new__(cls)
        grid._set(spec, Path(path).resolve().parent, str(path), text, {})
        return grid

    def _set(
        self, spec: Spec, base: Path, where: str, text: str, parsed: dict[str, Learner | Player]
    ) -> None:
        self.spec, self._base = spec, base
        try:
            modules = find_modules(spec.modules, base)
        except UsageError as error:
            line = line_of(text, "modules")
            raise UsageError(f"{where}{line}: modules: {error}") from None
        self._parse = partial(parse_spec, spec, where, text, parsed, modules)
        self._parse(only_ours=True)

    @property
    def name(self) -> str:
        """The name of the experiment."""
        return self.spec.name

    @cached_property
    def jobs(self) -> list[Job]:
        """The job of every cell; the first access runs the modules and opens the streams."""
        return list(make_jobs(self.spec, self._parse(), self._base))

    @property
    def cells(self) -> list[Cell]:
        """Every cell, in the order of streams, seeds, label policies, learners."""
        return [job.cell for job in self.jobs]

    def __repr__(self) -> str:
        spec = self.spec
        return (
            f"<grid {spec.name!r}: {len(spec.streams)} stream entries, {len(spec.learners)} "
            f"learners, {max(1, len(spec.labels))} label policies, {len(spec.seed_list)} seeds>"
        )
