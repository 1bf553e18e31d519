"""Names of other packages: the package in examples/plugin, installed and used by name."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge._support import entry_points, registry
from streamgauge.learners.learner_text import parse_learner
from tests.cli.running import ENTRY, Outcome, write_table

PLUGIN = Path(__file__).parents[2] / "examples" / "plugin"
Streamgauge = Callable[..., Outcome]


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed package; pip builds it from its source, without network."""
    source = tmp_path_factory.mktemp("source")
    for path in PLUGIN.rglob("*"):  # building writes into the source folder
        if path.is_file() and path.suffix in (".py", ".toml"):
            copy = source / path.relative_to(PLUGIN)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    folder = tmp_path_factory.mktemp("site")
    options = ["--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", *options, "--target", folder, source],
        check=True,
        timeout=120,
    )
    return folder


@pytest.fixture
def streamgauge(plugin: Path, tmp_path: Path) -> Streamgauge:
    """Runs a command in a process that sees the installed package."""
    write_table(tmp_path / "table.csv", 600)
    places = filter(None, [str(plugin), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"PYTHONUTF8": "1", "PYTHONPATH": os.pathsep.join(places)}

    def run(*arguments: str) -> Outcome:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", ENTRY, *arguments],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        return Outcome(done.returncode, done.stdout, done.stderr)

    return run


def test_learner_metric_and_label_policy_work_on_the_command_line(
    streamgauge: Streamgauge, tmp_path: Path
) -> None:
    code, out, err = streamgauge(
        "evaluate", "table.csv", "--target", "y", "--labels", "Nightly(50)", "--json", "out.json",
        "--learner", "NearestMean(fading=0.99)", "--metric", "labels", "--metric", "specificity",
        "--reference", "SWT(NearestMean())",
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert "labels Nightly(rows=50)" in out
    (run,) = json.loads((tmp_path / "out.json").read_text())
    assert run["overall"]["accuracy"] > 0.9
    assert run["overall"]["specificity"] == run["overall"]["recall[no]"]
    assert "specificity" in out
    assert any("NearestMean" in name for name in run["references"])


@pytest.mark.long
def test_detector_works_on_the_command_line(streamgauge: Streamgauge) -> None:
    code, out, err = streamgauge(
        "detect", "table.csv", "--target", "y", "--drop", "hint",
        "--detector", "ErrorRate(size=20, limit=0.6)",
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert "ErrorRate(size=20, limit=0.6)" in out


@pytest.mark.long
def test_detector_resets_a_learner_by_name(streamgauge: Streamgauge) -> None:
    code, out, err = streamgauge(
        "evaluate", "table.csv", "--target", "y",
        "--learner", "Resetting(NearestMean(), ErrorRate(size=30))",
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert "Resetting(NearestMean" in out


@pytest.mark.long
def test_names_work_in_an_experiment(streamgauge: Streamgauge, tmp_path: Path) -> None:
    (tmp_path / "bench.toml").write_text(
        'name = "plugin"\n'
        'streams = [{read = "table.csv", target = "y"}]\n'
        'learners = ["NearestMean(fading=0.9)", "Resetting(NaiveBayes(), ErrorRate())"]\n'
        'labels = ["Nightly(40)"]\n'
        'metrics = ["labels", "specificity"]\n'
        'references = ["NearestMean()"]\n'
    )
    code, _, err = streamgauge("run", "bench.toml", "--store", "store", "--workers", "1")
    assert code == 0, err
    results = sg.results(tmp_path / "store")
    assert len(results) == 2
    table = results.to_frame("arrow").to_pylist()
    for row in table:
        assert row["specificity"] == row["recall[no]"]
    accuracy = {row["learner"]: row["accuracy_nearestmean"] for row in table}
    assert len(set(accuracy.values())) == 1


@pytest.mark.long
def test_unknown_name_lists_the_package_s_names(streamgauge: Streamgauge) -> None:
    code, _, err = streamgauge("evaluate", "table.csv", "--target", "y", "--learner", "NearestMaen")
    assert code == 2
    assert "did you mean 'NearestMean'" in err


@pytest.fixture
def points(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Replaces the entry points that are installed."""

    def install(**values: str) -> None:
        made = [
            EntryPoint(name.replace("__", "."), value, entry_points.GROUP)
            for name, value in values.items()
        ]
        monkeypatch.setattr("importlib.metadata.entry_points", lambda group: made)
        entry_points._found.cache_clear()

    yield install
    entry_points._found.cache_clear()


def test_package_that_cannot_be_imported_is_named(points: Callable[..., None]) -> None:
    points(learner__Broken="no_such_module:Broken")
    with pytest.raises(sg.UsageError, match=r"learner 'Broken' of no_such_module:Broken cannot be"):
        parse_learner("Broken()")


def test_name_of_ours_is_refused_only_when_it_is_used(points: Callable[..., None]) -> None:
    points(learner__NaiveBayes="streamgauge:HoeffdingTree")
    assert repr(parse_learner("Majority()")) == "Majority()"
    with pytest.raises(sg.UsageError, match="'NaiveBayes' is a learner of streamgauge and of"):
        parse_learner("NaiveBayes()")


def test_unknown_kind_is_a_warning(points: Callable[..., None]) -> None:
    points(lerner__Mine="streamgauge:NaiveBayes")
    with pytest.warns(UserWarning, match=r"'lerner.Mine' .* is ignored; expected one of learner.N"):
        assert "Mine" not in registry.names("learner")


def test_metric_of_a_package_must_be_a_metric(points: Callable[..., None]) -> None:
    points(metric__odd="streamgauge:NaiveBayes")
    with pytest.raises(sg.UsageError, match="expected a Metric, got <class"):
        sg.evaluate(sg.SEA(50), sg.NaiveBayes(), metrics=["odd"])
