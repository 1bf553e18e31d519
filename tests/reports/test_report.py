"""`report`: one file with the answer first, everything escaped, nothing loaded."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shlex
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import streamgauge as sg
from streamgauge.figures.javascript import javascript
from streamgauge.reports._provenance import command
from tests.cli.running import Shell
from tests.experiments.stores import grid, write_failure
from tests.hostile_text import hostile, problems
from tests.reports.pages import Page, copy_runs, read, small_run


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight cells: six complete, one missing, one failed with a hostile traceback."""
    folder = tmp_path_factory.mktemp("report") / "store"
    made = grid()
    sg.run_grid(made, folder, workers=0)
    lost, failed = made.cells[0], made.cells[1]
    for cell in (lost, failed):
        shutil.rmtree(folder / cell.directory)
    trace = "Trace </pre><script>x</script>"
    write_failure(folder, failed, "raised", "zero <b>weight</b>", trace)
    return folder


@pytest.fixture(scope="module")
def page(store: Path) -> Page:
    return read(sg.report(store, store.parent / "page.html"))


def text(page: Page) -> str:
    return "\n".join(word for tag, words in page.words.items() if tag != "script" for word in words)


def test_own_loss_is_best_where_it_is_lowest(tmp_path: Path) -> None:
    loss = sg.Metric("own_loss", lambda s: 1 - s.accuracy, direction="lower")
    silent = sg.Metric("silent", lambda s: 1 - s.accuracy)
    for noise in (0, 0.1):
        for learner in (sg.NaiveBayes(), sg.Majority()):
            stream = sg.SEA(400, noise=noise, seed=1)
            sg.evaluate(stream, learner, metrics=["labels", loss, silent]).save(tmp_path / "store")
    page = read(sg.report(tmp_path / "store", tmp_path / "page.html", metric="own_loss"))
    assert "Best own_loss on the 2 streams: NaiveBayes on 2." in text(page)
    page = read(sg.report(tmp_path / "store", tmp_path / "page.html", metric="silent"))
    assert "Best silent" not in text(page)


def test_answer_comes_first_and_in_words(page: Page) -> None:
    headings = page.words["h2"]
    assert headings == [
        "Answer", "Against the strongest reference", "Scores", "Along the stream",
        "The best against the second best", "Confusion of the best", "Cost", "Every run",
        "Cells without a run", "Settings, ids and commands",
    ]  # fmt: skip
    assert "6 of 8 cells are complete: 1 failed and 1 not run yet" in text(page)
    assert "NaiveBayes against the strongest reference on 2 streams: better on" in text(page)


def test_every_run_is_a_line_that_can_be_sorted(page: Page) -> None:
    table = page.all("table", id="runs-table")
    assert len(table) == 1
    headings = [each for each in page.all("th") if each.get("aria-sort") == "none"]
    assert len(headings) >= 8
    assert "better (Majority)" in text(page)
    assert "6 of 6 runs" in text(page)


def test_failed_cells_are_named_with_reason_and_traceback(page: Page) -> None:
    said = text(page)
    assert "raised: zero <b>weight</b>" in said
    assert "Trace </pre><script>x</script>" in said
    assert len(page.all("script")) == 2


def test_charts_have_captions_and_data(page: Page) -> None:
    figures = page.all("div", role="img")
    assert len(figures) == len(page.charts)
    assert len(page.curves) == 2
    for figure in figures:
        assert len(str(figure["aria-label"]).split()) > 8
    series = next(iter(page.curves[0]["data"].values()))["columns"]["series"]["names"]
    assert {"NaiveBayes", "Majority"} <= set(series)


def test_figure_of_one_of_several_seeds_says_so(page: Page) -> None:
    captions = [str(each["aria-label"]) for each in page.all("div", role="img")]
    only = "seed 1 only; the tables show the mean over 2 seeds."
    assert sum(only in each for each in captions) == 2  # the pair, the confusion
    assert sum("every seed." in each for each in captions) == 1  # the curve is their mean
    assert sum(each.endswith("seed 2.") for each in captions) == 3  # the other has one seed


def test_a_button_for_each_series(page: Page) -> None:
    buttons = [each for each in page.all("button") if "data-series" in each]
    assert {each["data-series"] for each in buttons} >= {"NaiveBayes", "Majority", "Persistent"}
    assert {each["aria-pressed"] for each in buttons} == {"true"}


def test_policy_allows_only_what_is_in_the_file(store: Path) -> None:
    source = (store.parent / "page.html").read_text(encoding="utf-8")
    page = Page(source)
    (policy,) = page.all("meta", **{"http-equiv": "Content-Security-Policy"})
    rules = dict(rule.split(" ", 1) for rule in str(policy["content"]).split("; "))
    assert rules["default-src"] == rules["connect-src"] == "'none'"
    assert "unsafe" not in str(policy["content"])
    script = page.words["script"][1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert rules["script-src"] == f"'sha256-{digest}'"
    loaded = [
        values
        for _, values in page.tags
        if "src" in values or str(values.get("href", "#"))[:1] != "#"
    ]
    assert loaded == []
    assert not re.search(r"url\(|@import", page.words["style"][0])


def test_headings_captions_and_labels_for_screen_readers(page: Page) -> None:
    assert len(page.all("h1")) == 1
    tables = len(page.all("table"))
    assert len(page.all("caption")) == tables
    assert page.all("html", lang="en")
    assert [each.get("for") for each in page.all("label")] == [None, "filter"]
    assert page.all("input", id="filter")
    assert page.all("select", id="stream")  # inside its label
    assert all(each.get("scope") for each in page.all("th"))


def test_experiment_can_be_run_again_from_the_page(page: Page, tmp_path: Path) -> None:
    toml = next(each for each in page.words["pre"] if "[[streams]]" in each)
    (tmp_path / "experiment.toml").write_text(toml)
    again = sg.Grid.read(tmp_path / "experiment.toml")
    assert [cell.id for cell in again.cells] == [cell.id for cell in grid().cells]


def repeated(run: sg.Run, shell: Shell) -> sg.Run:
    """The run that the command of a run makes."""
    text = command(run)
    assert text is not None
    code, _, err = shell(*shlex.split(text)[1:], "--save", "again")
    assert code == 0, err
    (saved,) = Path("again").iterdir()
    return sg.open_run(saved)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"labels": sg.Delay(7), "warmup": 20, "seed": 3},
        {"labels": sg.Delay(50), "reevaluate": sg.Reevaluate(every=10, bins=4)},
    ],
)
def test_command_repeats_a_run(shell: Shell, options: dict[str, object]) -> None:
    run = small_run(**options)
    assert repeated(run, shell).id == run.id


@pytest.mark.parametrize(
    "make",
    [
        lambda: sg.inject(sg.SEA(400, seed=3), order=2).take(200),
        lambda: sg.splice([sg.SEA(200), sg.SEA(200, variant=2)], at=[150]),
        lambda: sg.tenet_streams(rows=300)["Sine1"],
        lambda: sg.read("table.csv", target="y").skip(5).select(["hint"]),
    ],
)
def test_command_repeats_a_run_on_any_stream_that_text_can_make(
    shell: Shell, make: Callable[[], sg.Stream]
) -> None:
    run = sg.evaluate(make(), sg.NaiveBayes(), seed=2)
    assert repeated(run, shell).id == run.id


def test_seeds_and_label_policies_are_not_counted_as_streams(tmp_path: Path) -> None:
    runs = [
        sg.evaluate(sg.SEA(600, seed=seed, noise=noise), "NaiveBayes", labels=labels, seed=seed)
        for noise in (0.0, 0.2)
        for labels in ("Immediate()", "Delay(30)")
        for seed in (1, 2, 3)
    ]
    assert len({run.stream.name for run in runs}) == 6
    page = text(read(sg.report(runs, tmp_path / "page.html")))
    words = [run.verdict.against[0].word for run in runs]
    better = sum(set(words[i : i + 3]) == {"better"} for i in range(0, 12, 3))  # for every seed
    assert 0 < better < 4
    assert f"reference on 2 streams under 2 label policies (4 cases): better on {better} (" in page
    assert "not the same for every seed on 1 (SEA(600, noise=0.2), Delay(30), Majority)" in page
    undelayed = [run for run in runs if run.settings.labels == "Immediate()"]
    page = text(read(sg.report(undelayed, tmp_path / "one.html")))
    assert "reference on 2 streams: better on 2 (SEA(600), Majority; SEA(600, noise" in page
    assert "NaiveBayes on SEA(600) and SEA(600, noise=0.2)" in page


def test_superseded_runs_are_left_out_of_page_and_frame(tmp_path: Path) -> None:
    store = tmp_path / "store"
    for delta in (0.1, 0.2):  # the learner of this name changes
        learners = {"tree": f"HoeffdingTree(tau={delta})"}
        found = sg.run_grid(grid(learners=learners), store, workers=0)
    assert len(sg.results(store)) == len(found) == 4
    assert len(sg.results(store).left_out) == 4
    assert set(sg.results(store).to_arrow()["experiment"].to_pylist()) == {"small"}
    page = read(sg.report(store, tmp_path / "page.html"))
    assert "4 runs in the folder belong to no experiment" in text(page)
    assert [each for each in page.words["summary"] if "tree on SEA" in each] == [
        "tree on SEA(300), labels Immediate(): 2 runs"
    ]


def test_command_is_left_out_where_the_stream_has_no_name() -> None:
    stream = sg.from_arrays(np.arange(40.0).reshape(-1, 1), np.arange(40) % 2)
    assert command(sg.evaluate(stream, sg.NaiveBayes())) is None


def test_one_run_and_several(tmp_path: Path) -> None:
    run = small_run()
    one = read(sg.report(run, tmp_path / "one.html"))
    assert str(run.verdict).splitlines()[0] in text(one)
    assert "Labels Immediate(), seed 1." in text(one)
    saved = run.save(tmp_path / "runs")
    other = sg.evaluate(sg.SEA(600, seed=1), sg.Majority())
    both = read(sg.report([saved, other], tmp_path / "both.html"))
    assert "NaiveBayes and Majority on SEA(600, seed=1)" in text(both)
    assert "NaiveBayes is better than Majority" in text(both)


def test_regression_and_late_labels(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    X = rng.random((300, 2))
    stream = sg.from_arrays(X, X.sum(axis=1))
    run = sg.evaluate(stream, sg.HoeffdingTreeRegressor(), labels=sg.Delay(10))
    page = read(sg.report(run, tmp_path / "page.html"))
    assert "mae" in text(page)
    assert "Delay(10)" in text(page)


def test_comparison(tmp_path: Path) -> None:
    comparison = sg.compare(small_run(), "Majority")
    said = text(read(sg.report(comparison, tmp_path / "page.html")))
    assert "NaiveBayes against Majority on SEA(600, seed=1)" in said
    assert "NaiveBayes is better" in said


def test_damaged_runs_are_named_and_left_out(store: Path, tmp_path: Path) -> None:
    folder = tmp_path / "store"
    shutil.copytree(store, folder)
    victims = sorted(folder.glob("*/run.json"))[:2]
    victims[0].write_text("{}")
    curve = victims[1].parent / "curve.parquet"
    content = bytearray(curve.read_bytes())
    content[100] ^= 1
    curve.write_bytes(bytes(content))
    said = text(read(sg.report(folder, tmp_path / "page.html")))
    assert "4 of 8 cells are complete: 1 failed, 2 damaged and 1 not run yet" in said
    assert said.count("damaged: its checksum does not fit") + said.count("expected format") == 2


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    names = [hostile("a"), "</script><script>alert(1)</script>", "\"' onload=x", "\u2028{{x}}"]
    labels = [names[i % 4] for i in range(200)]
    table = pa.table({names[0]: np.random.default_rng(1).random(200), "y": labels})
    run = sg.evaluate(sg.from_frame(table, target="y"), sg.NaiveBayes())
    for name in names:
        called = replace(run, name=name, stream=replace(run.stream, name=name), warnings=(name,))
        path = sg.report([called, called], tmp_path / "page.html", title=name)
        page = read(path)
        assert len(page.all("script")) == 2
        assert not [
            values for _, values in page.tags if any(key.startswith("on") for key in values)
        ]
        head, _, rest = path.read_text(encoding="utf-8").partition("<script")
        assert problems(head) == []
        assert problems(rest.partition("</script>")[0]) == []
        assert "{{x}}" in head or "{{x}}" not in name


@pytest.mark.long
@pytest.mark.parametrize("streams", [10, 100])
def test_hundred_runs_of_any_length_stay_small(tmp_path: Path, streams: int) -> None:
    path = small_run(every=1).save(tmp_path)
    folder = tmp_path / "store"
    folder.mkdir()
    copy_runs(path, folder, 100, streams)
    made = sg.report(folder, tmp_path / "page.html")
    assert "100 of 100 runs" in text(read(made))
    assert len(read(made).curves) == streams
    assert made.stat().st_size < 3e6


@pytest.mark.long
def test_ten_runs(tmp_path: Path) -> None:
    path = small_run().save(tmp_path)
    folder = tmp_path / "ten"
    folder.mkdir()
    copy_runs(path, folder, 10, 5)
    assert sg.report(folder, tmp_path / "page.html").stat().st_size < 1.5e6


def test_nothing_to_report(tmp_path: Path) -> None:
    with pytest.raises(sg.UsageError, match="no such folder"):
        sg.report(tmp_path / "none")
    with pytest.raises(sg.UsageError, match="has no runs and no experiment"):
        sg.report(tmp_path)
    with pytest.raises(sg.UsageError, match="nothing to report"):
        sg.report([])
    with pytest.raises(sg.UsageError, match="int: expected a folder of results"):
        sg.report(3)
    with pytest.raises(sg.UsageError, match="only a folder of results has experiments"):
        sg.report(small_run(), experiment="x")


def test_file_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(sg.UsageError, match="cannot write the page"):
        sg.report(small_run(), tmp_path / "file" / "page.html")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


def test_without_altair_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    javascript.cache_clear()
    with pytest.raises(sg.MissingExtra, match=r"pip install 'streamgauge\[plot\]'"):
        sg.report(small_run(), tmp_path / "page.html")


def test_charts_are_plain_json(page: Page) -> None:
    assert json.loads(json.dumps(page.charts, allow_nan=False)) == page.charts


def test_page_has_a_section_for_each_kind_of_result(tmp_path: Path) -> None:
    grid = sg.Grid(
        ["SEA(400)", "splice([SEA(200), SEA(200, variant=2)], at=[200])"],
        ["NaiveBayes", "Majority"],
        labels=["Delay(20)"], reevaluate="Reevaluate(every=10, bins=4)", detectors=["DDM"],
    )  # fmt: skip
    page = read(sg.report(sg.run_grid(grid, tmp_path / "store", workers=0), tmp_path / "page.html"))
    assert page.words["h2"] == [
        "Answer", "Against the strongest reference", "Ranking over the streams", "Scores",
        "Along the stream", "The best against the second best", "While labels are awaited",
        "Drift", "Confusion of the best", "Cost", "Every run", "Settings, ids and commands",
    ]  # fmt: skip
    assert "No figure" not in text(page)
    alarms = [each for each in page.words["h3"] if each.endswith("% wrong")]
    assert alarms[0].startswith("splice")  # whose true drifts are known
    assert len(page.charts) >= 10
