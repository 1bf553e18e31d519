"""`sg.Grid`: an experiment from Python or from a TOML file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from streamgauge._support.errors import StreamgaugeError, UsageError
from streamgauge._support.strict_toml import line_of
from streamgauge.experiments._cells import Cell
from streamgauge.experiments._jobs import Job, jobs_of, labels_of
from streamgauge.experiments._parsing import (
    make_forgetting,
    make_importable,
    make_learner,
    make_stream,
)
from streamgauge.experiments._spec import Generate, Spec, make_spec, read_spec
from streamgauge.learners.adapters.coerce import as_learner
from streamgauge.runs.identity import identity_of


class Grid:
    """Every stream × learner × label policy × seed is a cell.

    streams: tables as in TOML: {"load": "elec2"}, {"read": "my.csv", "target": "y"}, {"generate":
    "SEA(10000)"}, {"tenet": "all", "drift": "abrupt"}; each with rows, inject, name if you like.
    learners: texts, or a dict of names and texts; ours also as objects.
    options: name, seeds, labels, forget, metrics, warmup, every, modules, predictions, timeout,
    max_memory: see docs/experiments.md.
    """

    def __init__(
        self,
        streams: Sequence[Mapping[str, Any]],
        learners: Sequence[Any] | Mapping[str, Any],
        **options: Any,
    ) -> None:
        values = {"streams": streams, "learners": learners, **options}
        if isinstance(learners, Mapping):
            values["learners"] = {name: _text(each) for name, each in learners.items()}
        elif isinstance(learners, list | tuple):
            values["learners"] = [_text(each) for each in learners]
        for field in ("labels", "forget"):  # ours say of themselves how they are written
            if isinstance(values.get(field), list | tuple):
                values[field] = [str(each) for each in values[field]]
        self._set(make_spec(values, "Grid"), Path.cwd(), "Grid", "")

    @classmethod
    def read(cls, path: str | Path) -> Grid:
        """An experiment from its TOML file; files it reads and modules it names lie beside it."""
        spec, text = read_spec(path)
        grid = cls.__new__(cls)
        grid._set(spec, Path(path).resolve().parent, str(path), text)
        return grid

    def _set(self, spec: Spec, base: Path, where: str, text: str) -> None:
        self.spec, self._base = spec, base
        self._check(where, text)

    def _check(self, where: str, text: str) -> None:
        """Every text says something: better known now than after a night."""
        spec = self.spec
        if spec.modules:
            make_importable(self._base)
        generated = [source.generate for source in spec.sources if isinstance(source, Generate)]
        checks: dict[str, tuple[Sequence[str], Any]] = {
            "streams": (generated, lambda each: make_stream(each, 1)),
            "learners": (
                list(spec.named_learners.values()),
                lambda each: make_learner(each, spec.modules),
            ),
            "labels": (spec.labels, labels_of),
            "forget": (spec.forget, make_forgetting),
        }
        for field, (texts, make) in checks.items():
            for number, each in enumerate(texts):
                try:
                    make(each)
                except UsageError as error:
                    place = f"{where}{line_of(text, each)}: {field}[{number}]"
                    raise UsageError(f"{place}: {error}") from None

    @property
    def name(self) -> str:
        return self.spec.name

    @cached_property
    def jobs(self) -> list[Job]:
        """Every cell with all that is needed to run it. Streams are opened for it."""
        return list(jobs_of(self.spec, self._base))

    @property
    def cells(self) -> list[Cell]:
        """Every cell, in the order of streams, seeds, label policies, learners."""
        return [job.cell for job in self.jobs]

    def __repr__(self) -> str:
        spec = self.spec
        return (
            f"<grid {spec.name!r}: {len(spec.streams)} entries of streams, {len(spec.learners)} "
            f"learners, {max(1, len(spec.labels))} label policies, {len(spec.seed_list)} seeds>"
        )


def _text(learner: Any) -> Any:
    """A learner of ours as the text that makes it again; a text as it is."""
    if isinstance(learner, str):
        return learner
    text = repr(learner)
    try:
        same = identity_of(make_learner(text, ())) == identity_of(as_learner(learner))
    except StreamgaugeError:
        same = False
    if not same:
        raise UsageError(
            f"learners: {text[:200]} cannot be told to another process; give it as text, such as "
            "'river:tree.HoeffdingTreeClassifier()', or 'mine:Learner(x=1)' with modules=['mine']"
        )
    return text
