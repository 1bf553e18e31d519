"""streamgauge evaluate: the table, the verdict, --json, --save and every option."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import streamgauge as sg
from streamgauge.rendering.units import percent
from tests.cli.running import Shell, details, run, write_table
from tests.conftest import real_data


def test_output_files_and_library_agree(tmp_path: Path) -> None:
    """Two learners in a new process: printed, written and saved results agree with the library."""
    table = write_table(tmp_path / "table.csv")
    code, out, err = run(
        tmp_path,
        *("evaluate", "table.csv", "--target", "y", "--drop", "hint"),
        *("--learner", "NaiveBayes", "--learner", "river:tree.HoeffdingTreeClassifier()"),
        *("--delay", "5", "--forget", "Fading(0.99)", "--json", "new/out.json", "--save", "kept"),
        "-v",
    )
    assert code == 0
    assert err == ""  # no progress bar, no warning
    lines = details(out)
    assert lines[0] == "table · 2,000 rows · 1 feature · 2 classes · labels Delay(5)"
    columns = ["accuracy", "coverage", "kappa", "kappa_temporal", "kappa_plus", "rows/s"]
    assert lines[2].split() == columns
    assert [line.split()[0] for line in lines[3:8]] == [
        "NaiveBayes", "HoeffdingTreeClassifier", "Majority", "Persistent", "Transition",
    ]  # fmt: skip
    assert "NaiveBayes is worse than repeating the last label (Persistent" in out

    stream = sg.read(table, "y", drop=["hint"])
    run_ = sg.evaluate(stream, sg.NaiveBayes(), labels=sg.Delay(5), forget=[sg.Fading(0.99)])
    assert f" {percent(run_.overall['accuracy'])} " in lines[3]
    assert f" {percent(run_.references['Persistent']['accuracy'])} " in lines[6]
    assert str(run_.verdict) in out

    first, second = json.loads((tmp_path / "new/out.json").read_text(encoding="utf-8"))
    assert (first["name"], second["name"]) == ("NaiveBayes", "HoeffdingTreeClassifier")
    assert first["format"] == "streamgauge.run/5"
    assert first["status"] == "complete"
    assert first["stream"]["classes"] == ["no", "yes"]
    assert first["counts"] == {
        "rows": 2000,
        "scored": 2000,
        "unlabelled": 0,
        "awaited": 0,
        "skipped": {},
    }
    assert first["settings"]["labels"] == "Delay(5)"
    assert first["settings"]["forget"] == ["Fading(0.99)"]
    assert first["verdict"]["text"] == str(run_.verdict)
    against = {each["reference"]: each["test"]["word"] for each in first["verdict"]["against"]}
    assert against["Persistent"] == "worse"
    assert first["confusion"] == run_.to_dict()["confusion"]
    for forgetting, summary in first["summaries"].items():
        for name, value in run_.curve.last(forgetting).items():
            assert summary[name] == (None if math.isnan(value) else value)
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["out.json"]

    saved = [Path(line.removeprefix("Saved to ")) for line in lines[-2:]]
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == sorted(
        path.name for path in saved
    )
    folder = tmp_path / saved[0]
    assert sorted(path.name for path in folder.iterdir()) == [
        "cost.parquet", "curve.parquet", "predictions.parquet", "run.json",
    ]  # fmt: skip
    kept = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert kept["id"] == run_.id
    assert kept["summaries"] == first["summaries"]
    assert pq.read_table(folder / "predictions.parquet").equals(run_.predictions)
    assert not (tmp_path / "results").exists()


def test_defaults(shell: Shell) -> None:
    """Defaults: naive Bayes, a window of 1000, results saved in results/."""
    code, out, err = shell("evaluate", "table.csv", "--target", "y")
    assert (code, err) == (0, "")
    assert "NaiveBayes is better than repeating the last label" in out
    (saved,) = Path("results").iterdir()
    assert "1 run in results" in out
    kept = json.loads((saved / "run.json").read_text(encoding="utf-8"))
    assert kept["settings"]["forget"] == ["Cumulative()", "Window(1000)"]
    assert kept["overall"]["accuracy"] > 0.99
    again = shell("evaluate", "table.csv", "--target", "y")
    assert again.code == 0
    assert len(list(Path("results").iterdir())) == 1  # the same run replaces itself


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        (["--labels", "Chunks(7)"], "labels Chunks(7)"),
        (["--labels", "Sampled(0.5)"], "labels Sampled(0.5, seed=1)"),
        (["--labels", "Delay(3)"], "labels Delay(3)"),
        (["--forget", "Fading(0.9)", "--forget", "Cumulative()"], "2 classes"),  # in this order
        (
            ["--forget", "Fading(0.99, estimator='zliobaite2015')"],
            "Warning: Fading(0.99, estimator='zliobaite2015') is Algorithm 1 of zliobaite2015 as",
        ),
        (["--rows", "300"], "table[:300] · 300 rows"),
        (["--warmup", "100"], "first 100 rows not scored"),
        (["--max-labels", "300"], "stopped after 300 labels"),
        (["--nominal", "hint"], "2 features"),
        (["--learner", "Majority(forget=Window(100))"], "Majority(forget=Window(100))"),
        (["--metric", "all"], "2 classes"),
        (["--metric", "labels", "--metric", "log_loss"], "2 classes"),
        (["--metric", "kappa", "--metric", "brier"], "2 classes"),
        (["--every", "500", "--oracle", "--cost", "[[0, 1], [2.5, 0]]"], "2 classes"),
        (["--reference", "KNN()", "--reevaluate", "Reevaluate(every=5, bins=4)"], "KNN"),
        (["--seed", "7"], "2 classes"),
    ],
)
def test_options_take_effect(shell: Shell, options: list[str], shown: str) -> None:
    fixed = ("--target", "y", "--json", "o.json", "-v")
    code, out, err = shell("evaluate", "table.csv", *fixed, *options)
    assert (code, err) == (0, "")
    assert shown in " ".join(out.split())
    (run_,) = json.loads(Path("o.json").read_text(encoding="utf-8"))
    settings = run_["settings"]
    assert settings["seed"] == (7 if "--seed" in options else 1)
    assert settings["warmup"] == (100 if "--warmup" in options else 0)
    is_short = bool({"--rows", "--max-labels"} & {*options})
    assert settings["every"] == (500 if "--every" in options else 1 if is_short else 4)
    assert settings["oracle"] == ("--oracle" in options)
    assert settings["cost"] == ([[0, 1], [2.5, 0]] if "--cost" in options else None)
    assert settings["references"] == (["KNN()"] if "--reference" in options else [])
    assert ("log_loss" in settings["metrics"]) == bool({"all", "log_loss"} & {*options})
    assert ("accuracy" in settings["metrics"]) == ("brier" not in options)
    assert run_["counts"]["rows"] == (300 if is_short else 2000)
    if "--forget" in options:
        assert settings["forget"] == options[1::2]
    else:
        assert settings["forget"] == ["Cumulative()", "Window(1000)"]


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("RandomDelay('geometric(0.1)')", "RandomDelay('geometric(0.1)', seed=3)"),
        ("RandomDelay([2, 9], timeout=5)", "RandomDelay([2, 9], seed=3, timeout=5)"),
        ("Sampled(0.5, labels=Delay(7))", "Sampled(0.5, seed=3, labels=Delay(7))"),
    ],
)
def test_label_policies_by_text(shell: Shell, given: str, shown: str) -> None:
    code, out, err = shell("evaluate", "table.csv", "--labels", given, "--seed", "3")
    assert (code, err) == (0, "")
    assert f"labels {shown}" in out


@pytest.mark.parametrize("first", [False, True])
def test_labels_are_revealed_at_their_times(shell: Shell, first: bool) -> None:
    rows = "".join(f"1,{i},{i + 3 if i % 4 else ''},{i % 2}\n" for i in range(100))
    Path("times.csv").write_text("a,t,r,y\n" + rows)
    code, out, _ = shell(
        "evaluate", "times.csv", "--target", "y", "--arrives", "t", "--revealed", "r", "-v",
        *(["--labels-first"] if first else []),
    )  # fmt: skip
    assert code == 0
    policy = "FromStream('labels_first')" if first else "FromStream()"
    assert f"labels {policy} · 25 rows never labelled" in " ".join(out.split())
    assert "1 feature " in out


def test_regression_uses_its_own_references(shell: Shell) -> None:
    rows = "".join(f"{i},{i % 10 / 4}\n" for i in range(200))
    Path("numbers.csv").write_text("a,y\n" + rows)
    code, out, _ = shell("evaluate", "numbers.csv", "--target", "y", "--learner", "Mean")
    assert code == 0
    assert "regression" in out
    assert "LastValue" in out
    Path("whole.csv").write_text("a,y\n" + "1,0\n2,1\n" * 50)
    code, out, _ = shell("evaluate", "whole.csv", "--target", "y", "--task", "regression",
                         "--learner", "LastValue")  # fmt: skip
    assert code == 0
    assert "regression" in out


def test_data_set_by_name(shell: Shell) -> None:
    real_data("elec2")
    code, out, err = shell("evaluate", "elec2", "--learner", "NaiveBayes")
    assert (code, err) == (0, "")
    assert out.startswith("elec2 · 45,312 rows · 6 features · 2 classes · labels at once")
    assert " 73.6 % " in out
    assert "NaiveBayes is worse than repeating the last label" in out


def test_event_log_is_reevaluated_in_bins(shell: Shell) -> None:
    lines = ["id,minute,x,target"]
    for i in range(300):
        lines.append(f"{i},{10 * i},{i % 7},")
        if i >= 4:
            lines.append(f"{i - 4},{10 * i + 3},,{'late' if (i - 4) % 7 > 3 else 'soon'}")
    lines.append("999,3100,,late")  # unknown id
    Path("log.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    options = ("--reevaluate", "Reevaluate(1, 4)", "--json", "out.json")
    named = ("--id", "id", "--time", "minute")
    code, _, err = shell("evaluate", "log.csv", *named, *options)
    assert code == 2
    assert err.startswith(
        "streamgauge: log.csv: row 596 (line 598): id '999' never arrives; expected its "
    )
    code, out, err = shell("evaluate", "log.csv", *named, *options, "--skip-conflicts", "-v")
    assert (code, err) == (0, "")
    assert " ".join(out.split()).startswith(
        "log · 300 rows · 1 feature · 2 classes · labels FromStream() · 4 rows not yet labelled · "
        "1 event skipped (unknown id)"
    )
    assert "NaiveBayes, Reevaluate(every=1, bins=4)" in out
    assert [line.split()[0] for line in out.splitlines() if "% to " in line] == list("012345")
    assert "In bin 2 middle: " in out
    (run_,) = json.loads(Path("out.json").read_text(encoding="utf-8"))
    assert run_["counts"]["skipped"] == {"unknown id": 1}
    assert len(run_["bins"]["metrics"]["accuracy"]) == 6
    assert run_["bins"]["n_r"] == pytest.approx(2.97, abs=0.05)  # of four labels per wait


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--reevaluate", "10"], "'10' is not a re-evaluation"),
        (["--reevaluate", "Reevaluate(0)"], "expected every >= 1"),
        (["--reevaluate", "Reevaluate(1, compat='moa')"], "expected compat=None or compat='moa-fo"),
        (["--cost", "0 1"], "--cost 0 1: expected a list of rows of numbers"),
        (["--cost", "[[0, 1]]"], "cost: expected 2 × 2 finite numbers"),
        (["--cost", "{}"], "cost: expected 2 × 2 finite numbers"),
        (["--forget", "Fading('low')"], "Fading(a='low'): expected a number"),
        (["--forget"], "requires an argument"),
        (["--id", "a"], "missing the time column of the event log"),
        (
            ["--id", "a", "--time", "b", "--arrives", "c"],
            "--arrives does not apply to an event",
        ),
    ],
)
def test_invalid_options_are_errors(shell: Shell, options: list[str], complaint: str) -> None:
    code, out, err = shell("evaluate", "table.csv", "--target", "y", *options)
    assert (code, out) == (2, "")
    assert complaint in err


def test_protocol_agrees_with_the_library(shell: Shell) -> None:
    table = write_table(Path("table.csv"))
    options = ("evaluate", "table.csv", "--target", "y", "--json", "out.json", "-v", "--protocol")
    code, out, _ = shell(*options, "Holdout(every=100, size=50)")
    assert code == 0
    assert " ".join(out.split()).startswith(
        "table · 2,000 rows · 2 features · 2 classes · labels at once · "
        "Holdout(every=100, size=50, test='interleaved') "
    )
    stream = sg.read(table, "y")
    run_ = sg.evaluate(stream, sg.NaiveBayes(), protocol=sg.Holdout(100, 50))
    assert f" {percent(run_.overall['accuracy'])} " in out
    (written,) = json.loads(Path("out.json").read_text(encoding="utf-8"))
    assert written["settings"]["forget"] == ["Window(50)", "Cumulative()"]
    assert written["counts"]["scored"] == run_.counts.scored == 650

    code, out, _ = shell(*options, "PrequentialCV(3, 'split')")
    assert code == 0
    folds = sg.evaluate(stream, sg.NaiveBayes(), protocol=sg.PrequentialCV(3, "split"))
    assert " ".join(out.split()).startswith(" ".join(str(folds).split()))
    assert out.count("Saved to ") == 3
    (written,) = json.loads(Path("out.json").read_text(encoding="utf-8"))
    assert written["mean"]["accuracy"] == folds.mean["accuracy"]
    assert len(written["runs"]) == 3


def test_generator_text_is_a_stream(shell: Shell) -> None:
    code, out, err = shell("evaluate", "SEA(2000)", "--seed", "3", "--learner", "Majority")
    assert (code, err) == (0, "")
    assert out.startswith("SEA(2000, seed=3) · 2,000 rows · 3 features · 2 classes")
    code, out, _ = shell("inspect", "splice([SEA(900), SEA(900, variant=2)])")
    assert code == 0
    assert "1,800 rows" in out
    assert "Next: streamgauge evaluate 'splice([SEA(900), SEA(900, variant=2)])'" in out
    code, out, _ = shell("detect", "splice([Sine1(900), Sine1(900, reverse=True)])", "--detector",
                         "DDM")  # fmt: skip
    assert code == 0
    assert "detected" in out or "alarms" in out  # scored against the stream's own drift
    for arguments, said in (
        (["SAE(2000)"], "unknown name 'SAE' (did you mean 'SEA'?)"),
        (["SEA"], "SEA is a generator; expected its number of rows: SEA(10000)"),
        (["SEA(100)", "--target", "y"], "with fixed columns; remove --target"),
        (["SEA(100)", "--variant", "x"], "--variant x: only data sets have variants"),
        (["__import__('os').abort()"], "unknown name"),
    ):
        code, out, err = shell("evaluate", *arguments)
        assert (code, out) == (2, "")
        assert said in err


def test_ablation_says_what_features_add(shell: Shell) -> None:
    code, out, err = shell(
        "evaluate", "table.csv", "--target", "y", "--drop", "hint", "--ablate", "--order", "2",
        "--learner", "NaiveBayes", "--learner", "KNN", "--json", "o.json", "-v",
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert "▼ worse: NaiveBayes is " in out
    shown = " ".join(out.split())
    assert "for LabelsOnly(NaiveBayes(), order=2), which gets the last 2 labels instead" in shown
    assert "--ablate --learner 'TemporallyAugmented(NaiveBayes())'." in shown
    assert "LabelsOnly(KNN(), order=2)  " in out  # in the table, but without a verdict of its own
    assert "LabelsOnly(KNN(), order=2) is " not in shown
    runs = json.loads(Path("o.json").read_text(encoding="utf-8"))
    assert [run["name"] for run in runs] == [
        "NaiveBayes", "KNN", "LabelsOnly(NaiveBayes(), order=2)", "LabelsOnly(KNN(), order=2)",
    ]  # fmt: skip
    assert [run.get("ablation", {}).get("answer") for run in runs] == [
        "labels",
        "labels",
        None,
        None,
    ]
    assert runs[0]["ablation"]["text"] in shown
    assert len(list(Path("results").iterdir())) == 4


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--order", "2"], "--order is the number of past labels of --ablate; give both"),
        (["--ablate", "--protocol", "PrequentialCV(3)"], "ablate compares single runs"),
        (["--ablate", "--learner", "LabelsOnly(KNN)"], "has no features to leave out"),
        (["--ablate", "--order", "0"], "order=0: expected at least one past label"),
    ],
)
def test_ablation_that_is_impossible_is_refused(
    shell: Shell, options: list[str], complaint: str
) -> None:
    code, _, err = shell("evaluate", "table.csv", "--target", "y", *options)
    assert code == 2
    assert complaint in err


def test_modules_of_ones_own_define_what_texts_name(shell: Shell) -> None:
    Path("own_line.py").write_text(
        "import streamgauge as sg\n"
        "score = sg.Metric('score', lambda sums: sums.accuracy)\n"
        "class Nightly(sg.Chunks):\n    pass\n"
        "class Guess(sg.Majority):\n    pass\n"
    )
    Path("sklearn.py").write_text("raise SystemExit('a file that is not named has run')\n")
    named = ("--learner", "own_line:Guess()", "--metric", "labels", "--metric", "own_line:score",
             "--reference", "own_line:Guess()", "--labels", "own_line:Nightly(7)")  # fmt: skip
    target = ("evaluate", "table.csv", "--target", "y", "--json", "o.json")
    code, out, err = shell(*target, *named, "--module", "own_line.py")
    assert (code, err) == (0, "")
    (run_,) = json.loads(Path("o.json").read_text(encoding="utf-8"))
    assert run_["overall"]["score"] == run_["overall"]["accuracy"]
    for words, complaint in (
        (named, "no module 'own_line' is given"),
        (("--metric", "own_line:score"), "no module 'own_line' is given"),
        (("--module", "no_such.py"), "--module: no module 'no_such'; expected "),
        (("--module", "own_line.toml"), "expected a Python file, e.g. mine.py"),
        (("--module", "own_line.py", "--module", "x/other.py"), "expected one folder"),
        (("--module", "own_line.py", "--learner", "own_line:Gues()"), "does not define"),
    ):
        code, out, err = shell(*target, *words)
        assert (code, out) == (2, "")
        assert complaint in err
