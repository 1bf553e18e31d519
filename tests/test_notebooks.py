"""Notebooks: every result shows itself in HTML, and the gallery runs from top to bottom."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import streamgauge as sg
from tests.hostile_text import hostile, problems
from tests.rendering.test_html import Tags

GALLERY = Path(__file__).parent.parent / "examples" / "gallery.ipynb"
TAGS = {"div", "p", "strong", "table", "thead", "tbody", "tr", "th", "td", "span", "img"}


def hostile_results(tmp_path: Path) -> Iterator[Any]:
    """One of each kind of result, with hostile names everywhere."""
    rows = 300
    X = [[float(i % 7), float(i % 3)] for i in range(rows)]
    y = [hostile("yes") if i % 5 < 2 else hostile("no") for i in range(rows)]
    stream = sg.from_arrays(X, y, features=[hostile("a"), hostile("b")], name=hostile("stream"))
    learners = {hostile("one"): sg.NaiveBayes(), hostile("two"): sg.HoeffdingTree()}
    runs = sg.evaluate(stream, learners)
    yield from runs
    yield runs
    yield sg.evaluate(stream, learners, protocol=sg.PrequentialCV(2))
    yield sg.compare(*runs)
    yield sg.compare(runs[0], "Majority", "Persistent")
    yield sg.inspect(stream)
    yield sg.ablate(stream, learners)[hostile("one")]
    found = sg.detect(runs[0], ["DDM"])
    yield found
    yield sg.score_detectors({hostile("d"): [10, 90]}, drifts=[50], n=100)
    yield sg.table(runs)
    streams = [
        {"generate": f"{each}(200)", "name": hostile(each), "inject": [0, 2]}
        for each in ("SEA", "Sine1")
    ]
    texts = {hostile("one"): "NaiveBayes()", hostile("two"): "Majority()"}
    results = sg.run_grid(sg.Grid(streams, texts, name="x"), tmp_path / "store", workers=0)
    yield results
    yield results.table()
    yield results.table("stream", value=["kappa", "seconds"])
    rankings = sg.rank(results)
    yield rankings
    yield next(iter(rankings.values()))


@pytest.mark.parametrize("figures", [False, pytest.param(True, marks=pytest.mark.long)])
def test_every_result_shows_itself_with_hostile_names_escaped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, figures: bool
) -> None:
    kinds, drawn = set(), set()
    if not figures:
        monkeypatch.setitem(sys.modules, "altair", None)  # as if it were not installed
    for result in hostile_results(tmp_path):
        kinds.add(type(result).__name__)
        shown = result._repr_html_()
        if "<img" in shown:
            drawn.add(type(result).__name__)
        tags = Tags(shown)
        assert tags.open == []
        assert tags.seen <= TAGS
        assert "table" in tags.seen
        assert not {name for name in tags.attributes if name.startswith("on")}
        assert problems(shown) == []
    assert kinds == {
        "Run", "Runs", "Comparison", "Comparisons", "Profile", "Ablation", "Detections",
        "Scorecard", "Tables", "ResultTable", "Results", "Ranking", "Rankings",
    }  # fmt: skip
    tables = {"ResultTable", "Tables"}
    expected = {kind for kind in kinds - tables if hasattr(getattr(sg, kind), "plot")}
    assert drawn == (expected | {"Ablation"} if figures else set())


def test_verdict_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    run = sg.evaluate(sg.SEA(1000, seed=1), "NaiveBayes")
    shown = run._repr_html_()
    first = re.search(r"<strong>(.*?)</strong>", shown)
    assert first
    assert first[1].startswith("NaiveBayes is better than guessing the majority class (Majority:")
    assert shown.index("</strong>") < shown.index("<table") < shown.index("over all scored rows")


def test_results_without_one_table_say_why(tmp_path: Path) -> None:
    assert "0 cells: none" in sg.results(tmp_path)._repr_html_()
    for name in ("one", "two"):
        sg.run_grid(sg.Grid(["SEA(100)"], ["Majority"], name=name), tmp_path, workers=0)
    shown = sg.results(tmp_path)._repr_html_()
    assert "No table: " in shown
    assert "has 2 experiments: name one of one, two" in shown
    values = [float(i) for i in range(200)]
    regression = sg.from_arrays([[v] for v in values], values, task="regression", name="line")
    sg.evaluate(regression, sg.HoeffdingTreeRegressor()).save(tmp_path / "r")
    assert "mae under" in sg.results(tmp_path / "r")._repr_html_()
    assert "mean absolute error of" in sg.inspect(regression)._repr_html_()


def sources() -> list[str]:
    cells = json.loads(GALLERY.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def test_gallery_has_no_outputs() -> None:
    """Outputs would age, and change with every run: times, pictures."""
    for cell in json.loads(GALLERY.read_text(encoding="utf-8"))["cells"]:
        assert cell.get("outputs", []) == []
        assert cell.get("execution_count") is None


def test_gallery_runs_as_a_script(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Jupyter and Altair: what a cell ends with shows itself in HTML."""
    monkeypatch.setitem(sys.modules, "altair", None)
    names: dict[str, Any] = {}
    shown = 0
    for source in sources():
        *body, last = ast.parse(source).body
        if not isinstance(last, ast.Expr):
            exec(source, names)
            continue
        exec(compile(ast.Module(body, []), "gallery", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "gallery", "eval"), names)
        if value is not None:
            assert "<table" in value._repr_html_()
            shown += 1
    assert shown >= 10


@pytest.mark.long
def test_gallery_runs_in_jupyter() -> None:
    missing = [name for name in ("nbclient", "ipykernel") if not importlib.util.find_spec(name)]
    if missing:
        pytest.skip(f"{' and '.join(missing)} not installed; pip install 'streamgauge[test]'")
    import nbclient
    import nbformat

    book = nbformat.read(GALLERY, as_version=4)
    nbclient.NotebookClient(book, timeout=300, kernel_name="python3").execute()
    outputs = [output for cell in book.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output["output_type"] == "error"]
    shown = [o["data"]["text/html"] for o in outputs if "text/html" in o.get("data", {})]
    assert len(shown) >= 10
    assert any("data:image/svg+xml;base64," in each for each in shown)
    assert not any("<script" in each for each in shown)
