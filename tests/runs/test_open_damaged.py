"""Saved runs whose files are damaged, missing or of another run: errors that name the file."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import streamgauge as sg
from streamgauge.testing import example_stream
from tests.runs.sealing import reseal


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = sg.evaluate(example_stream(), sg.NaiveBayes(), reevaluate=sg.Reevaluate(every=5, bins=4))
    return run.save(tmp_path_factory.mktemp("saved"))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"format": "streamgauge.run/1"}, r"got 'streamgauge.run/1': .*evaluate the run again"),
        ({"format": "streamgauge.run/9"}, r"got 'streamgauge.run/9': another version"),
        ({"counts": {"rows": "many"}}, r"Expected `int`, got `str` - at `\$.counts.rows`"),
        ({"overall": {"kappa": "big"}}, r"at `\$.overall"),
        ({"confusion": [[1, 2]]}, "confusion does not fit the 3 classes; expected 3 rows of 4"),
        ({"confusion": None}, "confusion does not fit the 3 classes"),
        ({"summaries": {}}, r"summaries has the keys \[\]; expected the forgettings"),
        ({"verdict": None}, r"Expected `object`, got `null` - at `\$.verdict`"),
    ],
)
def test_damaged_json_names_file_and_field(
    saved: Path, tmp_path: Path, change: dict[str, Any], complaint: str
) -> None:
    shutil.copy(saved / "run.json", tmp_path)
    reseal(tmp_path, change)
    with pytest.raises(sg.InputError, match=complaint) as caught:
        sg.open_run(tmp_path)
    assert str(tmp_path / "run.json") in str(caught.value)


def test_other_files_are_not_runs(saved: Path, tmp_path: Path) -> None:
    with pytest.raises(sg.InputError, match="not a saved run"):
        sg.open_run(tmp_path)
    with pytest.raises(sg.InputError, match="not a saved run"):
        sg.open_run(saved / "run.json")
    (tmp_path / "run.json").write_bytes((saved / "run.json").read_bytes()[:-20])
    with pytest.raises(sg.InputError, match="invalid JSON"):
        sg.open_run(tmp_path)
    (tmp_path / "run.json").write_bytes(b'{"format": ' + b"[" * 100_000)
    with pytest.raises(sg.InputError, match="invalid JSON"):
        sg.open_run(tmp_path)
    (tmp_path / "run.json").write_text("[]")
    with pytest.raises(sg.InputError, match="Expected `object`"):
        sg.open_run(tmp_path)


def _curve(run: sg.Run) -> object:
    return run.curve


def _curve_of_bin(run: sg.Run) -> object:
    return run.bins.curve(1)


@pytest.mark.parametrize(
    ("file", "used"),
    [
        ("curve.parquet", _curve),
        ("cost.parquet", lambda run: run.cost_curve),
        ("predictions.parquet", lambda run: run.predictions),
        ("bins.parquet", lambda run: run.bins),
        ("effort.parquet", lambda run: run.bins),
        ("outcomes.arrow", _curve_of_bin),
    ],
)
def test_damaged_files_are_named_when_they_are_read(
    saved: Path, tmp_path: Path, file: str, used: Callable[[sg.Run], object]
) -> None:
    place = tmp_path / "run"
    shutil.copytree(saved, place)
    run = sg.open_run(place)
    (place / file).write_bytes(b"PAR1 nothing")
    with pytest.raises(sg.InputError, match=r"expected the file that run\.save wrote") as caught:
        used(run)
    assert str(place / file) in str(caught.value)
    if file.endswith(".parquet"):
        pq.write_table(pa.table({"other": [1]}), place / file)
        with pytest.raises(sg.InputError, match="damaged: its checksum does not fit"):
            used(sg.open_run(place))
        reseal(place)
        with pytest.raises(sg.InputError, match=r"no column '\w+'; expected"):
            used(sg.open_run(place))


def test_missing_rows_are_an_error(saved: Path, tmp_path: Path) -> None:
    place = tmp_path / "run"
    shutil.copytree(saved, place)
    for file in ("curve.parquet", "bins.parquet"):
        table = pq.read_table(saved / file)
        pq.write_table(table.slice(0, len(table) - 1), place / file)
    with pa.ipc.open_file(str(saved / "outcomes.arrow")) as log:
        batch = log.get_batch(0)
    with pa.ipc.new_file(str(place / "outcomes.arrow"), batch.schema) as writer:
        writer.write_batch(batch.slice(0, 10))
    reseal(place)
    run = sg.open_run(place)
    with pytest.raises(sg.InputError, match=r"curve.parquet: .* expected the same number for each"):
        _ = run.curve
    with pytest.raises(sg.InputError, match=r"bins.parquet: expected 6 rows for each of learner"):
        _ = run.bins
    shutil.copyfile(saved / "bins.parquet", place / "bins.parquet")
    reseal(place)
    with pytest.raises(sg.InputError, match=r"outcomes.arrow: [\d,]+ rows are missing"):
        sg.open_run(place).bins.curve(1)


def test_changed_byte_anywhere_in_the_json_is_an_error(saved: Path, tmp_path: Path) -> None:
    text = bytearray((saved / "run.json").read_bytes())
    for place in [*range(0, len(text), len(text) // 40), *range(len(text) - 90, len(text))]:
        changed = text.copy()
        changed[place] ^= 1
        (tmp_path / "run.json").write_bytes(changed)
        with pytest.raises(sg.InputError, match=r"run\.json: "):
            sg.open_run(tmp_path)


def test_run_of_another_id_is_an_error(saved: Path, tmp_path: Path) -> None:
    place = tmp_path / "SEA-NaiveBayes-0123456789ab"
    shutil.copytree(saved, place)
    with pytest.raises(sg.InputError, match=r"the run [0-9a-f]{12}; expected the run 0123456789ab"):
        sg.open_run(place)


def test_damaged_run_cannot_be_copied(saved: Path, tmp_path: Path) -> None:
    shutil.copytree(saved, tmp_path / "run")
    run = sg.open_run(tmp_path / "run")
    table = tmp_path / "run" / "predictions.parquet"
    table.write_bytes(table.read_bytes()[:-1])
    with pytest.raises(sg.InputError, match=r"predictions.parquet: damaged"):
        run.save(tmp_path / "copy")
    assert list((tmp_path / "copy").iterdir()) == []


def test_opening_runs_reads_only_their_json(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "run.json").write_bytes((saved / "run.json").read_bytes())
    monkeypatch.setattr(pq, "read_table", None)
    runs = [sg.open_run(tmp_path) for _ in range(3)]
    assert {run.summary["kappa"] for run in runs} == {sg.open_run(saved).summary["kappa"]}
    assert {run.verdict["Majority"].word for run in runs} == {"better"}
    assert all(run.cost.seconds > 0 for run in runs)
