"""`sg.Grid`: an experiment from Python or from a TOML file."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy.typing as npt

from streamgauge._support.errors import UsageError
from streamgauge._support.strict_toml import line_of
from streamgauge._support.user_modules import find_modules
from streamgauge._support.valid_text import valid_text
from streamgauge.detectors.base import Detector
from streamgauge.experiments._cells import Cell
from streamgauge.experiments._jobs import Job, make_jobs
from streamgauge.experiments._objects import text_of
from streamgauge.experiments._sources import keep_in_memory
from streamgauge.experiments._spec import Spec, make_spec, read_spec
from streamgauge.experiments._spec_texts import parse_spec
from streamgauge.learners.base import Learner, Player
from streamgauge.measures.forgetting import Forgetting
from streamgauge.measures.metric import Metric
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.prequential.protocols import Holdout, PrequentialCV
from streamgauge.prequential.reevaluation.reevaluate import Reevaluate
from streamgauge.runs.options import OPTIONS
from streamgauge.streams.base import DEFAULT_SEED
from streamgauge.streams.coerce import as_stream


class Grid:
    """An experiment: every combination of stream, learner, label policy and seed is a cell.

    What no seed changes has one cell for all seeds.

    Parameters
    ----------
    streams
        Texts: "elec2", "my.csv", "SEA(10000)". Objects: a stream, a frame, a River data set. Or
        tables as in TOML: {"load": "elec2"}, {"read": "my.csv", "target": "y"},
        {"generate": "SEA(10000)"}, {"tenet": "all", "drift": "abrupt"}; each may also have rows,
        inject and name. Rows that are only in memory are written to the store.
    learners
        Texts and objects, or a dict of them by name.
    name
        The name of the experiment in its store.
    seeds
        A list of seeds, or how many: 3 means 1, 2, 3.
    labels
        Label policies, each for every cell. By default the stream's reveal times if it has them,
        else immediate labels.
    detectors
        Detectors to run over the predictions of every run.
    protocol, forget, warmup, metrics, references, cost, every, oracle, reevaluate, max_labels
        As in `evaluate`, for every cell. Learners, label policies, metrics and references of your
        own may be objects; their cells run in the process that calls `sg.run_grid`.
    modules
        Files of your own beside the experiment, without ".py": learners may be "mine:Model()".
    predictions
        Whether to save the predictions of every run.
    timeout
        Seconds after which a cell is stopped.
    max_memory
        Bytes, or a text such as "2 GB", beyond which a cell is stopped.

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
        *,
        name: str = "experiment",
        seeds: int | Sequence[int] = 1,
        labels: LabelPolicy | str | Sequence[LabelPolicy | str] = (),
        detectors: Detector | str | Sequence[Detector | str] = (),
        protocol: Holdout | PrequentialCV | str | None = None,
        forget: Forgetting | str | Sequence[Forgetting | str] | None = None,
        warmup: int = 0,
        metrics: str | Metric | Sequence[str | Metric] = "labels",
        references: Sequence[Any] = (),
        cost: npt.ArrayLike | None = None,
        every: int | None = None,
        oracle: bool = False,
        reevaluate: Reevaluate | str | None = None,
        max_labels: int | None = None,
        modules: Sequence[str] = (),
        predictions: bool = True,
        timeout: float | None = None,
        max_memory: int | str | None = None,
    ) -> None:
        values = {each: given for each, given in locals().items() if each != "self"}
        streams = streams if isinstance(streams, list | tuple | Mapping) else [streams]
        learners = learners if isinstance(learners, list | tuple | Mapping) else [learners]
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
            if given is None or given is option.default:
                continue
            if option.form == "texts" or option.name == "labels":
                several = given if isinstance(given, list | tuple) else [given]
                values[option.name] = [text(each, option.kind) for each in several]
            elif option.kind:
                values[option.name] = text(given, option.kind)
            elif option.form == "matrix" and hasattr(given, "tolist"):
                values[option.name] = given.tolist()
        listed = detectors if isinstance(detectors, list | tuple) else [detectors]
        values["detectors"] = [str(each) for each in listed]
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


@valid_text()
def entry_of(thing: Any) -> dict[str, Any]:
    """The table that describes a stream; its rows stay in memory if only this process has them."""
    stream = as_stream(thing, seed=None)
    name, origin = stream.name, stream.origin
    given = origin.arguments
    if origin.maker == "load":
        return {"load": given["name"]} | {k: each for k, each in given.items() if k == "variant"}
    if origin.maker == "read":
        path = str(Path(given["path"]).resolve())
        return {"read": path, "name": name} | {k: each for k, each in given.items() if k != "path"}
    readers = ("read", "read_events")  # of files whose path may be relative
    if origin.is_repeatable and not any(each.maker in readers for each in origin.walk()):
        return {"generate": origin.text} | ({} if origin.text == name else {"name": name})
    stream = stream.seeded(DEFAULT_SEED)
    key = hashlib.sha256(f"{name} {stream.fingerprint()}".encode()).hexdigest()[:16]
    keep_in_memory(key, stream)
    return {"memory": key, "name": name}
