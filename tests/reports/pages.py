"""Pages for tests: parsed by the standard library, and stores with many runs."""

from __future__ import annotations

import hashlib
import json
import shutil
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import streamgauge as sg
from streamgauge.runs.directories import directory_name
from streamgauge.runs.integrity import sealed

_EMPTY = ("meta", "input", "br")


class Page(HTMLParser):
    """Tags with their attributes and text, after checking that every element is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: dict[str, list[str]] = {}  # by the innermost element
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == [], "elements are left open"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in _EMPTY:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        if self._open:
            self.words.setdefault(self._open[-1], []).append(data)

    def all(self, tag: str, **attributes: str) -> list[dict[str, str | None]]:
        """The attributes of the elements with this tag and these attributes."""
        found = [values for name, values in self.tags if name == tag]
        return [each for each in found if attributes.items() <= each.items()]

    @property
    def charts(self) -> list[dict[str, Any]]:
        """The charts, from their JSON."""
        data, script = self.words["script"]
        assert "vegaEmbed" in script
        charts: list[dict[str, Any]] = json.loads(data)
        return charts

    @property
    def curves(self) -> list[dict[str, Any]]:
        """The charts of metrics along the stream."""
        labels = {str(each["aria-label"]): each for each in self.all("div", role="img")}
        return [
            self.charts[int(str(each["data-chart"]))]
            for label, each in labels.items()
            if "accuracy, " in label
        ]


def read(path: Path) -> Page:
    return Page(path.read_text(encoding="utf-8"))


def copy_runs(path: Path, folder: Path, count: int, streams: int) -> None:
    """Copies of one saved run, with other ids, streams and learners."""
    document = json.loads((path / "run.json").read_text())
    del document["checksum"]
    for number in range(count):
        run_id = hashlib.sha256(str(number).encode()).hexdigest()
        stream, learner = f"stream {number % streams}", f"Learner{number // streams}"
        copied = folder / directory_name(stream, learner, run_id)
        shutil.copytree(path, copied)
        origin = {"maker": "memory", "arguments": {"name": stream}}
        made_from = document["stream"] | {"name": stream, "origin": origin}
        changed = {"id": run_id, "stream": made_from, "name": learner}
        (copied / "run.json").write_bytes(sealed(document | changed))


def small_run(**options: Any) -> sg.Run:
    run: sg.Run = sg.evaluate(sg.SEA(600, seed=1), sg.NaiveBayes(), **options)
    return run
