"""README and docs: examples run, links resolve, every metric is explained."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import streamgauge
from tests.test_docstrings import NAMES, find

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def python_blocks(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)


@pytest.mark.parametrize("page", [p for p in PAGES if python_blocks(p)], ids=lambda p: p.name)
def test_python_blocks_run(
    page: Path,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)  # some write files
    names: dict[str, object] = {}
    for block in python_blocks(page):
        exec(compile(block, str(page), "exec"), names)
    printed = capsys.readouterr().out
    assert "Persistent" in printed
    for quote in re.findall(r"^> (.*(?:\n> .*)*)", page.read_text(), re.MULTILINE):
        assert quote.replace("\n> ", " ") in printed, "a quote that no example prints"


@pytest.mark.parametrize(("package", "printed"), [("torch", "CLSTM"), ("sklearn", "retrained")])
def test_python_blocks_marked_with_a_package_run(
    package: str, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Blocks marked `python torch` need PyTorch; the others run without it."""
    pytest.importorskip(package)
    for page in PAGES:
        marked = re.findall(rf"```python {package}\n(.*?)```", page.read_text(), re.DOTALL)
        for block in marked:
            exec(compile("import streamgauge as sg\n" + block, str(page), "exec"), {})
    assert printed in capsys.readouterr().out


def test_numbers_page_explains_every_metric() -> None:
    from streamgauge._support.types import Schema
    from streamgauge.measures.metrics.select import metrics_for

    page = (ROOT / "docs" / "numbers.md").read_text()
    for schema in (Schema((), (), ("c", "d")), Schema((), (), ())):
        for metric in metrics_for(schema, "all", cost=True):
            assert f"`{metric.name.replace('[d]', '[c]')}`" in page


def test_relative_links_exist() -> None:
    for page in (*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_no_placeholders_are_left() -> None:
    for page in PAGES:
        assert not re.findall(r"@[A-Z]+@|TODO|FIXME", page.read_text()), page.name


def test_examples_of_other_docstrings_run() -> None:
    """Those of public names run in test_docstrings.py, in a test each."""
    public = {f"{find(name).__module__}.{find(name).__qualname__}" for name in NAMES}
    runner = doctest.DocTestRunner(verbose=False)
    for info in pkgutil.walk_packages(streamgauge.__path__, "streamgauge."):
        for example in doctest.DocTestFinder().find(importlib.import_module(info.name)):
            if example.name not in public:
                report: list[str] = []
                runner.run(example, out=report.append)
                assert not report, "".join(report)
    assert runner.tries > 3
