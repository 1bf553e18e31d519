"""The runs behind a paper: from the store where they are there, otherwise run now."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from streamgauge._support.errors import DownloadError, InputError, MissingExtra, UsageError
from streamgauge.experiments.grid import Grid
from streamgauge.experiments.results import Results
from streamgauge.experiments.run_grid import run_grid
from streamgauge.inspection.inspect import inspect
from streamgauge.inspection.profile import Profile
from streamgauge.streams.base import Stream
from streamgauge.streams.datasets.catalog import load

ProfileName = Literal["quick", "full"]


class PaperStudy:
    """Runs the experiments of a paper, and records what is missing."""

    def __init__(
        self,
        profile: ProfileName,
        store: Path,
        *,
        workers: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.profile, self.store = profile, store
        self.missing: list[str] = []  # what is missing and why, a sentence each
        self._workers, self._progress = workers, progress
        self._found: dict[str, Results] = {}
        self._loaded: dict[tuple[str, str | None], Stream | None] = {}
        self._profiles: dict[tuple[str, str | None], Profile] = {}

    @property
    def full(self) -> bool:
        """Whether everything is run as in the paper."""
        return self.profile == "full"

    def run(self, grid: Grid) -> Results:
        """The results of a grid; cells that the store has are not run again."""
        if grid.name not in self._found:
            # A single cell needs no process of its own, which would read the data again.
            workers = 0 if self._workers is None and len(grid.cells) == 1 else self._workers
            found = run_grid(grid, self.store, workers=workers, progress=self._progress)
            self._found[grid.name] = found
            for cell, failure in found.failures:
                self.miss(f"{cell.learner} on {cell.stream}, seed {cell.seed}", failure.message)
        return self._found[grid.name]

    def load(self, name: str, variant: str | None = None) -> Stream | None:
        """A data set, opened once; None if it is missing, with the reason in `missing`."""
        if (name, variant) not in self._loaded:
            try:
                self._loaded[name, variant] = load(name, variant)
            except (DownloadError, InputError, MissingExtra, UsageError) as error:
                self.miss(name, str(error))
                self._loaded[name, variant] = None
        return self._loaded[name, variant]

    def inspect(self, name: str, variant: str | None = None) -> Profile | None:
        """The profile of a data set; None if it is missing, with the reason in `missing`."""
        if (name, variant) not in self._profiles:
            stream = self.load(name, variant)
            if stream is None:
                return None
            self._profiles[name, variant] = inspect(stream, progress=self._progress)
        return self._profiles[name, variant]

    def available(self, streams: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The stream entries, by name, whose data is available: for a grid.

        >>> study = PaperStudy("quick", Path("results"))
        >>> study.available({"SEA": {"generate": "SEA(1000)"}})
        [{'generate': 'SEA(1000)', 'name': 'SEA'}]
        """
        return [
            {**entry, "name": name}
            for name, entry in streams.items()
            if "load" not in entry or self.load(entry["load"], entry.get("variant")) is not None
        ]

    def miss(self, what: str, why: str) -> None:
        """Record what is missing and why."""
        said = f"{what} is missing: {why}"
        if said not in self.missing:
            self.missing.append(said)
