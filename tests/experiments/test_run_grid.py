"""Running experiments: resuming, failures, limits, shared stores."""

from __future__ import annotations

import errno
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import streamgauge as sg
from streamgauge.experiments._sources import _open
from tests.experiments.stores import contents, finish, grid, left_over, start, write_spec

BAD = """name = "bad"
streams = [{generate = "SEA(300)"}]
learners = ["NaiveBayes()", "mine:Raising(after=50)", 'mine:SelfKilling(0, "deaths")', "Majority()"]
modules = ["mine"]
"""


def test_running_again_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = sg.run_grid(grid(), tmp_path, workers=0)
    assert len(found) == 8
    before = contents(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr("streamgauge.experiments._jobs.evaluate", None)
        assert len(sg.run_grid(grid(), tmp_path, workers=0)) == 8
    assert contents(tmp_path) == before
    evaluated = []
    evaluate = sg.evaluate

    def counting(stream: sg.Stream, learner: Any, **options: Any) -> Any:
        evaluated.append((stream.name, repr(learner)))
        return evaluate(stream, learner, **options)

    monkeypatch.setattr("streamgauge.experiments._jobs.evaluate", counting)
    more = grid(learners=["NaiveBayes()", "Persistent()", "Majority()"])
    assert len(sg.run_grid(more, tmp_path, workers=0)) == 12
    assert [name for _, name in evaluated] == ["Persistent()"] * 4
    assert (
        contents(tmp_path).items() >= {k: v for k, v in before.items() if "grids" not in k}.items()
    )
    assert left_over(tmp_path) == []


def test_cell_equals_the_run_of_evaluate(tmp_path: Path) -> None:
    options: dict[str, Any] = {"metrics": "all", "warmup": 10, "max_labels": 250}
    found = sg.run_grid(grid(labels=["Delay(20)"], **options), tmp_path, workers=0)
    cell = found.run(stream="SEA(300)", learner="NaiveBayes", seed=2)
    run: sg.Run = sg.evaluate(
        sg.SEA(300, seed=2), sg.NaiveBayes(), labels=sg.Delay(20), seed=2, **options
    )
    assert run.counts.scored == 240
    assert cell.id == run.id
    assert cell.summary == run.summary
    assert cell.predictions.equals(run.predictions)
    assert cell.verdict == run.verdict
    assert run.save(tmp_path) == cell.path  # both are stored alike
    assert len(sg.results(tmp_path)) == 8


def test_workers_give_the_same_store_and_report_failures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = write_spec(tmp_path, BAD)
    messages: list[str] = []
    found = sg.run_grid(path, "a", workers=1, started=messages.append)
    assert messages == ["bad · 4 cells: 0 already done, 0 failed earlier, 4 to run"]
    kinds = {cell.learner.partition("(")[0]: failure for cell, failure in found.failures}
    assert {name: failure.kind for name, failure in kinds.items()} == {
        "mine:Raising": "raised", "mine:SelfKilling": "died",
    }  # fmt: skip
    assert "ArithmeticError: too many rows" in kinds["mine:Raising"].message
    assert "raise ArithmeticError" in kinds["mine:Raising"].traceback
    assert (
        kinds["mine:SelfKilling"].message == "the worker process died: killed by SIGKILL (3 times)"
    )
    assert Path("deaths").read_text() == "1\n" * 3
    assert sorted(run.name for run in found) == ["Majority", "NaiveBayes"]
    assert left_over(Path("a")) == []
    fine = BAD.replace(""""mine:Raising(after=50)", 'mine:SelfKilling(0, "deaths")',""", "")
    sg.run_grid(write_spec(tmp_path, fine), "b", workers=0)
    alone = {k: v for k, v in contents(Path("b")).items() if not k.startswith("grids")}
    assert len(alone) == 2 * 4
    assert contents(Path("a")).items() >= alone.items()


@pytest.mark.parametrize(
    ("learner", "limit", "kind", "said"),
    [
        ("mine:Slow(90.0)", {"timeout": 1}, "timeout", "took longer than 1 seconds (timeout)"),
        pytest.param(
            "mine:MemoryHungry(500000000)", {"max_memory": "600 MB"}, "memory",
            "more than 600,000,000 (max_memory)", marks=pytest.mark.long,
        ),
    ],
)  # fmt: skip
def test_time_and_memory_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, learner: str, limit: dict[str, Any],
    kind: str, said: str,
) -> None:  # fmt: skip
    write_spec(tmp_path, "")
    monkeypatch.chdir(tmp_path)
    streams = [{"generate": "SEA(300)"}]
    found = sg.run_grid(sg.Grid(streams, [learner], modules=["mine"], **limit), "a", workers=1)
    ((_, failure),) = found.failures
    assert failure.kind == kind
    assert said in failure.message


def test_final_failures_run_again_only_with_retry(tmp_path: Path) -> None:
    spec = BAD.replace("""'mine:SelfKilling(0, "deaths")',""", "")
    path = write_spec(tmp_path, spec)
    store = tmp_path / "store"
    found = sg.run_grid(path, store, workers=0)
    (folder,) = store.glob("*.failed")
    failure = folder / "failure.json"
    assert json.loads(failure.read_text())["kind"] == "raised"
    first = failure.stat().st_mtime_ns
    messages: list[str] = []
    sg.run_grid(path, store, workers=0, started=messages.append)
    assert failure.stat().st_mtime_ns == first
    sg.run_grid(path, store, workers=0, retry=True, started=messages.append)
    assert failure.stat().st_mtime_ns > first
    assert "1 failed earlier, 0 to run" in messages[0]
    assert "0 failed earlier, 1 to run" in messages[1]
    ((cell, _),) = found.failures
    text = failure.read_text().replace('"raised"', '"died"')  # transient: run again
    failure.write_text(text)
    sg.run_grid(path, store, workers=0)
    assert json.loads(failure.read_text())["kind"] == "raised"
    assert [each for each, _ in sg.results(store).failures] == [cell]


def test_full_disk_fails_cells_and_the_next_run_completes_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_table, calls = pq.write_table, []

    def full(table: Any, where: Any, **options: Any) -> None:
        calls.append(where)
        if len(calls) in (2, 3):
            Path(where).write_bytes(b"PAR1")
            raise OSError(errno.ENOSPC, "No space left on device")
        write_table(table, where, **options)

    monkeypatch.setattr(pq, "write_table", full)
    found = sg.run_grid(grid(), tmp_path / "a", workers=0)
    assert len(found) == 6
    assert [failure.kind for _, failure in found.failures] == ["disk"] * 2
    assert all("No space left" in failure.message for _, failure in found.failures)
    monkeypatch.undo()
    assert len(sg.run_grid(grid(), tmp_path / "a", workers=0)) == 8
    sg.run_grid(grid(), tmp_path / "b", workers=0)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert left_over(tmp_path / "a") == []


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="no file size limits")
def test_file_size_limit_fails_only_large_runs(tmp_path: Path) -> None:
    """The operating system refuses to write large files; small runs are still saved."""
    import resource

    spec = """name = "limit"
    streams = [
        {generate = "SEA(200)"}, {generate = "SEA(60000, noise=0.3)"}, {generate = "Sine1(200)"}
    ]
    learners = ["NaiveBayes()", "Persistent()"]
    """
    write_spec(tmp_path, spec)
    sg.run_grid(tmp_path / "bench.toml", tmp_path / "b", workers=0)  # also fills the kernel cache
    large = max(p.stat().st_size for p in (tmp_path / "b").rglob("*.parquet"))
    small = max(p.stat().st_size for p in (tmp_path / "b").glob("Sine1*/*"))
    limit = (large + small) // 2
    assert small < limit < large

    def refuse() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    limited = start(
        tmp_path, "run", "bench.toml", "--store", "a", "--workers", "1", preexec_fn=refuse
    )
    output = finish(limited)
    assert limited.returncode == 1, output
    assert "4 of 6 cells are in a" in output
    assert output.count("failed (disk)") == 2
    assert len(sg.results(tmp_path / "a")) == 4
    assert len(sg.run_grid(tmp_path / "bench.toml", tmp_path / "a", workers=0)) == 6
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


@pytest.mark.long
def test_two_programs_on_one_store_share_the_cells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = """name = "shared"
    seeds = 4
    streams = [{generate = "SEA(200)"}]
    learners = ['mine:Slow(0.3, "starts")', "NaiveBayes()", 'mine:Raising(9, "raises")']
    modules = ["mine"]
    """
    write_spec(tmp_path, spec)
    both = [start(tmp_path, "run", "bench.toml", "--store", "a", "--workers", "1") for _ in "ab"]
    for process in both:
        assert "8 of 12 cells are in a" in finish(process)
        assert process.returncode == 1
    for log in ("starts", "raises"):
        assert sorted((tmp_path / log).read_text().split()) == list("1234")  # each once
    monkeypatch.chdir(tmp_path)
    sg.run_grid("bench.toml", "b", workers=0)
    ours, theirs = contents(tmp_path / "a"), contents(tmp_path / "b")
    assert ours.keys() == theirs.keys()
    assert all(ours[name] == theirs[name] for name in ours if ".failed" not in name)
    assert left_over(tmp_path / "a") == []


def test_invalid_arguments(tmp_path: Path) -> None:
    for options, said in (
        ({"workers": -1}, "workers=-1: expected 0 or more"),
        ({"workers": "two"}, "workers='two'"),
    ):
        with pytest.raises(sg.UsageError, match=said):
            sg.run_grid(grid(), tmp_path, **options)
    with pytest.raises(sg.UsageError, match="timeout and max_memory need a worker process"):
        sg.run_grid(grid(timeout=3), tmp_path, workers=0)
    (tmp_path / "file").write_text("")
    with pytest.raises(sg.UsageError, match="cannot create a store"):
        sg.run_grid(grid(), tmp_path / "file", workers=0)


@pytest.mark.long
def test_edited_helper_of_a_learners_module_is_a_new_cell(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("CODE = 0\n")
    (tmp_path / "theirs.py").write_text(
        "import helper\nfrom mine import Constant\n\nclass Made(Constant):\n"
        "    def start(self, schema, seed):\n"
        "        super().start(schema, seed)\n        self.code = helper.CODE\n"
    )
    spec = """name = "edited"
    streams = [{generate = "SEA(300)"}]
    learners = ["theirs:Made()", "NaiveBayes()"]
    modules = ["theirs", "mine", "helper"]
    """
    write_spec(tmp_path, spec)

    def run() -> str:  # in a new process: this one has loaded the module
        return finish(start(tmp_path, "run", "bench.toml", "--store", "a", "--workers", "0"))

    assert "0 already done, 0 failed earlier, 2 to run" in run()
    assert "2 already done, 0 failed earlier, 0 to run" in run()
    before = sg.results(tmp_path / "a", "edited").run(learner="theirs:Made").overall["accuracy"]
    (tmp_path / "helper.py").write_text("CODE = 1\n")
    assert "1 already done, 0 failed earlier, 1 to run" in run()
    after = sg.results(tmp_path / "a", "edited").run(learner="theirs:Made").overall["accuracy"]
    assert after == pytest.approx(1 - before)


@pytest.mark.long
def test_workers_run_listed_modules_and_no_other_file_beside_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONSAFEPATH", "1")  # as `streamgauge`: no current folder in the path
    for stray in ("bottleneck", "numexpr"):  # pandas tries to import both
        mark = "from pathlib import Path\nPath(__file__).with_suffix('.ran').touch()\n"
        (tmp_path / f"{stray}.py").write_text(mark)
    (tmp_path / "helper.py").write_text("CODE = 0\n")
    (tmp_path / "theirs.py").write_text(
        "from mine import Constant\n\nclass Made(Constant):\n"
        "    def start(self, schema, seed):\n"
        "        import pandas\n        from helper import CODE\n"
        "        pandas.DataFrame({'x': [1.0, 2.0]}).sum()\n"
        "        super().start(schema, seed)\n        self.code = CODE\n"
    )
    text = """name = "strays"
    streams = ["SEA(300)"]
    learners = ["theirs:Made()"]
    modules = ["theirs", "mine", "helper"]
    """
    write_spec(tmp_path, text)
    said = finish(start(tmp_path, "run", "bench.toml", "--store", "a", "--workers", "1"))
    assert len(sg.results(tmp_path / "a")) == 1, said
    assert list(tmp_path.glob("*.ran")) == []


def test_changed_data_fail_the_cell(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    rows = np.random.default_rng(1).normal(size=300)
    table.write_text("x,y\n" + "".join(f"{x:.3f},{int(x > 0)}\n" for x in rows))
    made = sg.Grid([{"read": str(table), "target": "y"}], ["NaiveBayes()"])
    assert len(made.cells) == 1
    table.write_text(table.read_text() + "0.5,1\n")
    _open.cache_clear()  # as in another process
    found = sg.run_grid(made, tmp_path / "store", workers=0)
    ((_, failure),) = found.failures
    assert "the run differs from the planned one" in failure.message


def test_predictions_can_be_left_out(tmp_path: Path) -> None:
    found = sg.run_grid(grid(predictions=False), tmp_path, workers=0)
    assert len(found) == 8
    assert not list(tmp_path.rglob("predictions.parquet"))
    with pytest.raises(sg.UsageError, match="did not keep its predictions"):
        _ = found.runs[0].predictions
    with pytest.raises(sg.UsageError, match=r"no run in .* has predictions"):
        found.sql("select * from predictions")


def test_rows_in_memory_reach_other_processes(tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": range(200), "colour": ["red", "blue"] * 100, "y": [0, 0, 1, 1] * 50})
    pairs = [({"a": i % 3}, i % 2 == 0) for i in range(150)]
    small = grid(streams=[frame, sg.from_rows(pairs, name="pairs")], seeds=1)
    apart = sg.run_grid(small, tmp_path / "apart", workers=1)
    here = sg.run_grid(small, tmp_path / "here", workers=0)
    assert [cell.stream for cell in small.cells] == ["frame", "frame", "pairs", "pairs"]
    assert len(list((tmp_path / "apart" / "streams").glob("*.npz"))) == 2
    alone = sg.evaluate(frame, "NaiveBayes")
    assert apart.run(stream="frame", learner="NaiveBayes").id == alone.id
    for one, other in zip(apart, here, strict=True):
        assert one.predictions.equals(other.predictions)


def test_protocol_and_reevaluation_are_those_of_evaluate(tmp_path: Path) -> None:
    stream = sg.SEA(600, seed=1)
    held = grid(streams=["SEA(600)"], seeds=1, protocol="Holdout(every=100, size=50)")
    run = sg.run_grid(held, tmp_path / "held", workers=0).run(learner="NaiveBayes")
    assert run.id == sg.evaluate(stream, "NaiveBayes", protocol=sg.Holdout(100, 50)).id
    assert run.settings.forget[0] == "Window(50)"
    again = grid(
        streams=["SEA(600)"], seeds=1, labels=["Delay(50)"], reevaluate=sg.Reevaluate(10, bins=2)
    )
    results = sg.run_grid(again, tmp_path / "again", workers=0)
    assert len(results.run(learner="NaiveBayes").bins["accuracy"]) == 4
    assert len(results.sql("select * from bins", "arrow")) > 0


def test_every_model_of_a_cross_validation_is_a_cell(tmp_path: Path) -> None:
    folded = grid(streams=["SEA(400)"], protocol=sg.PrequentialCV(3))
    assert [cell.model for cell in folded.cells[:4]] == [0, 1, 2, 0]
    results = sg.run_grid(folded, tmp_path, workers=0)
    assert len(results) == 12  # two learners, two seeds, three models
    folds = sg.evaluate(sg.SEA(400, seed=1), "NaiveBayes", protocol=sg.PrequentialCV(3))
    runs = [results.run(learner="NaiveBayes", seed=1, model=number) for number in range(3)]
    assert [run.id for run in runs] == [run.id for run in folds]
    for one, other in zip(runs, folds, strict=True):
        assert one.predictions.equals(other.predictions)
        assert one.name == other.name
    table = results.table(value="accuracy")
    assert "mean ± sd over 2 seeds × 3 models" in str(table)
    values = [results.run(learner="NaiveBayes", seed=seed, model=number).overall["accuracy"]
              for seed in (1, 2) for number in range(3)]  # fmt: skip
    assert table.mean[0, 0] == pytest.approx(np.mean(values))
    assert set(results.to_arrow()["model"].to_pylist()) == {0, 1, 2}
