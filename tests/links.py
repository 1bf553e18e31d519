"""Links in the place of everything that streamgauge writes: none may reach what it points to.

Each scenario is run in an empty folder, to see which paths it writes or deletes. Then each of them
is replaced by each kind of link in turn, in an empty folder and in that of an earlier run, and the
scenario is run again. `python -m tests.links` says how many tries that makes (`count_tries`).
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

import streamgauge as sg
from streamgauge._support import jit, numba_hooks
from streamgauge._support.cache_dir import is_writable
from streamgauge._support.inside import Inside
from streamgauge.cli import main
from streamgauge.figures import javascript as bundle
from streamgauge.papers.paper import PaperFigure, PaperSection
from streamgauge.streams.datasets import _download_https as download
from tests.experiments.stores import write_spec
from tests.monitoring.loans import make_loans
from tests.papers.miniature_paper import MINIATURE
from tests.streams.datasets.site import serving

SPEC = """name = "links"
streams = ["SEA(120)"]
learners = ["NaiveBayes", "mine:Raising(50)"]
modules = ["mine"]
detectors = ["DDM"]
"""
CARD = """name = "mine"
title = "My table"
about = "-"
paper = "-"
licence = "-"
target = "y"
features = ["a"]
[https]
url = "{address}/table.csv"
"""
KERNEL = """
from streamgauge._support.jit import inner, kernel

@inner
def double(x):
    return 2 * x

@kernel
def total(x):
    return double(x) + 1
"""
_PACKAGE = tempfile.TemporaryDirectory()  # its path is part of the names in the cache


def _experiment(home: Path) -> None:
    """A run, a failure, alarms and a plan."""
    sg.run_grid(write_spec(home, SPEC), home / "folder", workers=0, retry=True)


def _stream_in_memory(home: Path) -> None:
    """A stream that the store keeps."""
    stream = sg.from_arrays(np.arange(40.0)[:, None], np.arange(40) % 2, name="mine")
    sg.run_grid(sg.Grid([stream], ["Majority"]), home / "folder", workers=0)


def _saved_twice(home: Path) -> None:
    """A run without its predictions; then with them, which are added."""
    folder = home / "folder"
    for kept in (False, True):
        sg.evaluate(sg.SEA(120, seed=1), "NaiveBayes", predictions=kept).save(folder)
    late, again = sg.Delay(9), sg.Reevaluate(3, 2)
    sg.evaluate(sg.SEA(120, seed=1), "NaiveBayes", labels=late, reevaluate=again, save=folder)


def _monitor(home: Path) -> None:
    """A monitor that is stopped and goes on, as its log grows."""
    (home / "log").mkdir(exist_ok=True)
    config = make_loans(home / "log", rows=120).read_text()
    (home / "monitor.toml").write_text(f'state = "folder"\n{config}')
    for _ in range(2):
        for name in ("asked.csv", "answers.csv"):
            before = (home / name).stat().st_size if (home / name).exists() else 0
            whole = (home / "log" / name).read_bytes()
            (home / name).write_bytes(whole[: before + len(whole) // 5])
        monitor = sg.Monitor(home / "monitor.toml")
        try:
            monitor.catch_up()
            monitor.save()
        finally:
            monitor.close()


def _download(home: Path) -> None:
    """A download that breaks off, and goes on."""
    with serving() as site, patch.multiple(download, _PAUSE=0.0, _ATTEMPTS=1):
        site.files["/table.csv"] = b"a,y\n" + b"1,yes\n2,no\n" * 50
        site.cuts = [100]
        # The card is the same in every folder, and so is the name of its file in the cache.
        with patch.object(download, "check_url"), _same_address(site.address):
            (home / "mine.toml").write_text(CARD.format(address="https://example.org"))
            for _ in range(2):
                with suppress(sg.DownloadError):  # the first time; a file in the cache needs none
                    sg.load(str(home / "mine.toml"))


@contextmanager
def _same_address(address: str) -> Iterator[None]:
    def open_here(request: Any, title: str) -> Any:
        request.full_url = request.full_url.replace("https://example.org", address)
        return opened(request, title)

    opened = download._open
    with patch.object(download, "_open", open_here):
        yield


def _kernels(home: Path) -> None:
    """Compiled kernels, and an older version of them that is removed."""
    package = Path(_PACKAGE.name)
    with patch.object(jit, "_PACKAGE", package), patch.object(jit, "_KEPT_VERSIONS", 1):
        for text in (KERNEL, f"{KERNEL}# of a later version"):
            for known in (jit.kernel_cache, jit._imported, is_writable, numba_hooks.available):
                known.cache_clear()
            (package / "kernels.py").write_text(text)
            compiled: dict[str, Any] = {}
            exec(compile(text, str(package / "kernels.py"), "exec"), compiled)
            assert compiled["total"](3) == 7


def _javascript(home: Path) -> None:
    """What draws charts."""
    import vl_convert

    bundle.javascript.cache_clear()
    with patch.object(vl_convert, "javascript_bundle", return_value="var x;"):
        assert bundle.javascript() == "var x;"
    bundle.javascript.cache_clear()


def _figures(home: Path) -> None:
    """The figures beside a report."""
    from streamgauge.papers._figure_files import save_figures

    class Chart:
        def save(self, path: Path) -> None:
            path.write_text("<svg/>")

    section = PaperSection(figures=[PaperFigure("figure1", Chart)])
    (home / "folder").mkdir(exist_ok=True)
    assert [found[1] for found in save_figures(section, home / "folder" / "report.md", "svg")]


def _default_pages(home: Path) -> None:
    """Pages whose name the user has not given."""
    folder = home / "folder"
    folder.mkdir(exist_ok=True)
    if not (home / "runs").exists():
        sg.evaluate(sg.SEA(120, seed=1), "NaiveBayes").save(home / "runs")
    with patch("streamgauge.reports.page.javascript", return_value="var x;"):
        _command(folder, "report", str(home / "runs"))
        with patch("streamgauge.papers.reproduce.find_paper", return_value=MINIATURE):
            _command(folder, "reproduce", "mini2000", "--store", str(folder), "--only", "text")


def _command(folder: Path, *arguments: str) -> None:
    before, where = sys.argv, Path.cwd()
    sys.argv = ["streamgauge", *arguments, "--debug"]
    os.chdir(folder)
    try:
        with patch("streamgauge.cli._fail", side_effect=_raise):
            main()
    except SystemExit:
        pass
    finally:
        sys.argv = before
        os.chdir(where)


def _raise(error: Exception) -> int:
    raise error


SCENARIOS: dict[str, Callable[[Path], None]] = {
    "experiment": _experiment,
    "stream in memory": _stream_in_memory,
    "saved runs": _saved_twice,
    "monitor": _monitor,
    "download": _download,
    "kernels": _kernels,
    "javascript": _javascript,
    "figures": _figures,
    "default pages": _default_pages,
}
MOVED = "to where it was moved"
KINDS = ("to a folder", "to a file", "to nothing", MOVED, "hard, to a file")
STATES = ("new", "used")  # the folder


class Try(NamedTuple):
    """A path, relative to the folder, and what stands in its place."""

    path: str
    kind: str
    state: str


def run(scenario: str, home: Path) -> None:
    """Run a scenario; it writes into home/folder, which is also the cache."""
    with patch.dict(os.environ, {"STREAMGAUGE_CACHE": str(_cache(scenario, home))}):
        os.environ.pop("STREAMGAUGE_DATA", None)
        SCENARIOS[scenario](home)


def _cache(scenario: str, home: Path) -> Path | str:
    own = scenario in ("download", "kernels", "javascript")
    return home / "folder" if own else os.environ.get("STREAMGAUGE_CACHE", "")


def written(scenario: str, home: Path) -> set[str]:
    """The paths below the folder that a scenario writes or deletes, those that are gone too."""
    home.mkdir(parents=True)
    folder = (home / "folder").absolute()
    found: set[Path] = set()
    place = Inside._place

    def watched(self: Inside) -> Any:
        found.add(self.path)
        return place(self)

    with patch.object(Inside, "_place", watched), _audited(found):
        run(scenario, home)
    found |= set(folder.rglob("*"))
    below = {path for path in found if path.is_relative_to(folder) and path != folder}
    names = {path.relative_to(folder) for path in below}
    return {str(each) for name in names for each in (name, *name.parents) if each.parts}


_AUDITED: list[set[Path]] = []
_EVENTS = ("open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.truncate", "os.link")


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    if _AUDITED and event in _EVENTS:
        for each in arguments[:2]:
            if isinstance(each, str) and os.path.isabs(each):
                _AUDITED[-1].add(Path(each))


@contextmanager
def _audited(found: set[Path]) -> Iterator[None]:
    """See also what is written by another way than `Inside`."""
    if not hasattr(_audit, "added"):
        sys.addaudithook(_audit)  # for good: Python has no way to remove it
        _audit.added = True  # type: ignore[attr-defined]
    _AUDITED.append(found)
    try:
        yield
    finally:
        _AUDITED.pop()


class Battery:
    """The tries of one scenario, in a folder of their own."""

    def __init__(self, scenario: str, folder: Path) -> None:
        self._scenario, self._folder = scenario, folder
        self._used = folder / "used"
        written_here = written(scenario, self._used)
        # Other paths have random names, where no link can wait.
        self._names = sorted(written_here & written(scenario, folder / "again"))
        self._tried = 0

    def tries(self) -> Iterator[Try]:
        """All tries: only what an earlier run has left can have moved elsewhere."""
        for path, kind, state in product(self._names, KINDS, STATES):
            left = state == "used" and (self._used / "folder" / path).exists()
            if kind != MOVED or left:
                yield Try(path, kind, state)

    def failure(self, each: Try) -> str:
        """What is wrong after a try; empty if what the link points to is as before."""
        self._tried += 1
        home = self._folder / str(self._tried)
        victim = home / "victim"
        if each.state == "used":
            shutil.copytree(self._used, home, symlinks=True)
        (victim / "photos").mkdir(parents=True)
        (victim / "photos" / "cat.jpg").write_bytes(b"a cat")
        (victim / "letter.txt").write_text("Dear reader")
        link = home / "folder" / each.path
        plant(link, each.kind, victim)
        before = tree(victim)
        said = ""
        try:
            run(self._scenario, home)
        except (sg.StreamgaugeError, OSError) as error:
            said = str(error)
        after = tree(victim)
        changed = {name for name in before | after if before.get(name) != after.get(name)}
        shutil.rmtree(home)
        if changed:
            return f"changed or removed: {sorted(changed)}"
        return "" if not said or link.name in said else f"names not the link: {said}"


def count_tries() -> int:
    """The number of tries of all scenarios: paths × kinds of links × states of the folder."""
    with tempfile.TemporaryDirectory() as folder:
        return sum(
            len(list(Battery(scenario, Path(folder, str(number))).tries()))
            for number, scenario in enumerate(SCENARIOS)
        )


def plant(path: Path, kind: str, victim: Path) -> None:
    """Put a link in the place of a path."""
    moved = victim / "moved"
    if kind == MOVED:
        shutil.move(path, moved)
    elif path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "hard, to a file":
        os.link(victim / "letter.txt", path)
        return
    targets = {"to a folder": victim, "to a file": victim / "letter.txt"}
    path.symlink_to(targets.get(kind, moved))


def tree(folder: Path) -> dict[str, bytes | str]:
    """All that is in a folder, byte for byte."""
    return {
        str(path.relative_to(folder)): os.readlink(path)
        if path.is_symlink()
        else "a folder"
        if path.is_dir()
        else path.read_bytes()
        for path in folder.rglob("*")
    }


if __name__ == "__main__":
    print(f"{count_tries():,} tries")
