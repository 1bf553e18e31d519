"""`score` of logs: files and frames, one log or two joined by id."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import streamgauge as sg
from streamgauge.prequential.reasons import CORRECTION, FAR_AHEAD
from tests.messages import error_of, usage_error

ROWS = 400
RANDOM = np.random.default_rng(7)
Y = (np.arange(ROWS) // 7 % 2).astype(int)
P = np.clip(0.5 * Y + 0.5 * RANDOM.random(ROWS), 0, 1).round(3)
HOURS = pd.date_range("2024-03-30", periods=ROWS, freq="h", tz="Europe/Rome")
LATER = HOURS + pd.to_timedelta(RANDOM.integers(1, 30, ROWS), "h")
LOG = pd.DataFrame(
    {"id": [f"a{i}" for i in range(ROWS)], "asked": HOURS, "known": LATER, "y": Y, "p": P,
     "old": (P > 0.3).astype(int), "new": (P > 0.5).astype(int)}
)  # fmt: skip
TIMES: Any = {"arrives": "asked", "revealed": "known"}


def numbers(run: sg.Run) -> dict[str, Any]:
    return {k: v for k, v in run.to_dict().items() if k in ("summaries", "references", "confusion")}


@pytest.fixture(scope="module")
def expected() -> sg.Run:
    run: sg.Run = sg.score(Y, LOG["new"], arrives=HOURS, revealed=LATER)
    return run


def test_files_and_frames_agree(tmp_path: Path, expected: sg.Run) -> None:
    LOG.to_csv(tmp_path / "log.csv", index=False)
    LOG.to_parquet(tmp_path / "log.parquet")
    assert expected.name == "new"  # the name of the column
    for log in (tmp_path / "log.csv", str(tmp_path / "log.parquet"), LOG, pl.from_pandas(LOG),
                pa.Table.from_pandas(LOG)):  # fmt: skip
        run = sg.score(log, true="y", pred="new", **TIMES)
        assert numbers(run) == numbers(expected)
        assert run.stream.name == "log"
        assert run.name == "new"
        assert run.curve.times is not None
        assert run.curve.times[-1] == np.datetime64(LATER.max().tz_convert("UTC").tz_localize(None))


def test_two_logs_joined_by_id_are_as_one(tmp_path: Path, expected: sg.Run) -> None:
    answers = LOG.sample(frac=1, random_state=1)[["id", "known", "y"]]
    joined = sg.score(
        LOG.drop(columns="y"), true="y", pred="new", label_log=answers, id="id", **TIMES
    )
    assert numbers(joined) == numbers(expected)
    assert joined.counts == expected.counts
    more = pd.concat([answers, answers[:5], answers[:2].assign(id=["x", "y"])])
    twice = pd.concat([LOG, LOG[:4].assign(new=1)]).drop(columns="y")
    more.to_csv(tmp_path / "labels.csv", index=False)
    twice.to_csv(tmp_path / "asked.csv", index=False)
    again = sg.score(
        tmp_path / "asked.csv", true="y", pred="new", label_log=tmp_path / "labels.csv", id="id",
        stream="log", **TIMES,
    )  # fmt: skip
    assert numbers(again) == numbers(expected)
    assert sorted(again.counts.skipped.values()) == [2, 4, 5]
    assert "2 events skipped (a label without a prediction)" in again.details.splitlines()[0]


def test_a_corrected_label_changes_what_is_cumulative(expected: sg.Run) -> None:
    answers = LOG[["id", "known", "y"]]
    again = answers[:3].assign(y=1 - answers["y"][:3], known=LATER.max())
    log = {"label_log": pd.concat([answers, again]), "id": "id", **TIMES}
    run = sg.score(LOG, true="y", pred="new", **log)
    assert run.counts.skipped == {CORRECTION: 3}
    before, after = (each.curve.last("Window(1000)") for each in (expected, run))
    assert repr(after) == repr(before)
    assert run.overall["accuracy"] == (ROWS - 3) / ROWS
    assert run.id != expected.id


def test_not_yet_labelled_is_told_from_never(tmp_path: Path) -> None:
    answers = LOG[["id", "known", "y"]].drop(index=[5, 17, 396, 398])
    run = sg.score(LOG, true="y", pred="new", label_log=answers, id="id", timeout="3d", **TIMES)
    assert (run.counts.unlabelled, run.counts.awaited) == (4, 2)
    assert "timeout='3d') · 2 rows not yet labelled · 2 rows never labelled" in run.details
    assert run.to_dict()["counts"]["awaited"] == 2
    assert sg.open_run(run.save(tmp_path)).counts == run.counts
    open_end = sg.score(LOG, true="y", pred="new", label_log=answers, id="id", **TIMES)
    assert (open_end.counts.unlabelled, open_end.counts.awaited) == (4, 4)
    late = sg.score(LOG, true="y", pred="new", timeout="20h", **TIMES)
    in_time = np.asarray(pd.Timedelta("20h") >= LATER - HOURS)
    assert late.counts.scored == in_time.sum()
    assert late.counts.unlabelled == (~in_time).sum() > 0
    assert late.counts.awaited == 0  # their labels came, but too late


@pytest.mark.parametrize(
    "last", ["1,90,a", "8,90,a", "3,90,b", "3,90,"], ids=["late", "orphan", "second", "empty"]
)
def test_the_log_ends_with_its_last_line_whatever_that_says(tmp_path: Path, last: str) -> None:
    (tmp_path / "p.csv").write_text("id,t,p\n1,0,a\n2,1,b\n3,50,a\n4,51,b\n")
    (tmp_path / "l.csv").write_text(f"id,t,y\n2,3,b\n3,52,a\n{last}\n")
    run = sg.score(
        tmp_path / "p.csv", true="y", pred="p", label_log=tmp_path / "l.csv", id="id", arrives="t",
        revealed="t", timeout=10,
    )  # fmt: skip
    assert (run.counts.scored, run.counts.unlabelled, run.counts.awaited) == (2, 2, 0)


@pytest.mark.parametrize("other", ["01", "+1", "1e0", "1.0", "-1"])
def test_ids_are_texts_as_in_a_monitor(tmp_path: Path, other: str) -> None:
    (tmp_path / "p.csv").write_text(f"id,time,prediction\n1,0,a\n{other},1,b\n")
    (tmp_path / "l.csv").write_text(f"id,time,label\n{other},5,a\n")
    run = sg.score(
        tmp_path / "p.csv", true="label", pred="prediction", label_log=tmp_path / "l.csv", id="id"
    )
    monitor = sg.Monitor(
        {
            "predictions": {"path": "p.csv", "prediction": "prediction"},
            "labels": {"path": "l.csv"},
            "classes": ["a", "b"],
            "join": {"timeout": 100},
        },
        home=tmp_path,
    )
    monitor.finish()
    for each in (run, monitor.runs["monitor"]):
        assert (each.counts.rows, each.counts.scored) == (2, 1)
        assert each.confusion is not None
        assert each.confusion.tolist() == [[0, 1, 0], [0, 0, 0]]


def test_numbers_of_typed_files_are_the_same_id_in_any_type() -> None:
    asked = pa.table({"id": [1.0, 2.0], "p": ["a", "b"]})
    for ids in ([2, 1], ["2", "1"], pa.array([2, 1], pa.int8())):
        run = sg.score(
            asked, true="y", pred="p", label_log=pa.table({"id": ids, "y": ["b", "b"]}), id="id"
        )
        assert run.summary["accuracy"] == 0.5


@pytest.mark.parametrize(
    ("labels", "predictions", "classes"),
    [
        (["1", "01", "2"], ["01", "1", "2"], ("01", "1", "2")),
        (["+1", "-1", "+1"], ["+1", "-1", "-1"], ("+1", "-1")),
        (["1", "2", "1"], ["1.0", "2.0", "02"], (1, 2)),
        (["1.0", "2.0", "1.0"], ["1", "2", "1"], (1, 2)),
    ],
)
def test_labels_are_numbers_if_all_are_spelled_in_the_usual_way_as_in_read(
    tmp_path: Path, labels: list[str], predictions: list[str], classes: tuple[object, ...]
) -> None:
    lines = zip(labels, predictions, strict=True)
    (tmp_path / "log.csv").write_text("y,p\n" + "".join(f"{y},{p}\n" for y, p in lines))
    run = sg.score(tmp_path / "log.csv", true="y", pred="p")
    assert run.stream.classes == classes
    assert set(sg.read(tmp_path / "log.csv", "y", features=[]).schema.classes) <= set(classes)


def test_several_models_share_a_table_and_compare(expected: sg.Run) -> None:
    runs = sg.score(LOG, true="y", pred=["old", "new"], name=["v1", "v2"], **TIMES)
    assert [run.name for run in runs] == ["v1", "v2"]
    assert numbers(runs[1]) == numbers(expected)
    apart = [sg.score(LOG, true="y", pred=column, **TIMES) for column in ("old", "new")]
    together, alone = sg.compare(runs[0], runs[1]), sg.compare(apart[0], apart[1])
    assert [line.split()[1:4] for line in str(together).splitlines() if "dow(" in line] == [
        line.split()[1:4] for line in str(alone).splitlines() if "dow(" in line
    ]
    assert alone.better == "new"


def test_probabilities_of_one_class_or_of_all() -> None:
    one = sg.score(LOG, true="y", proba="p", **TIMES)
    assert (one.name, one.summary["accuracy"]) == ("p", ((P > 0.5) == Y).mean())
    assert one.summary["brier"] == pytest.approx(2 * ((P - Y) ** 2).mean())
    assert f"log_loss {one.summary['log_loss']:.3f}, brier" in one.details
    words = LOG.assign(y=np.where(Y, "yes", "no"), q=1 - P)
    for proba in ({"p": "yes"}, {"q": "no"}, {"p": "yes", "q": "no"}):
        run = sg.score(words, true="y", proba=proba, **TIMES)
        assert run.summary["auc"] == pytest.approx(one.summary["auc"], abs=0.01)
        assert run.summary["log_loss"] == pytest.approx(one.summary["log_loss"])
    both = sg.score(LOG, true="y", pred="old", proba="p", **TIMES)
    assert both.summary["accuracy"] == (LOG["old"] == Y).mean()
    assert both.summary["brier"] == one.summary["brier"]
    pair = sg.score(LOG.assign(q=P / 2), true="y", proba=["p", "q"], **TIMES)
    assert [run.name for run in pair] == ["p", "q"]


def bad(**options: Any) -> dict[str, Any]:
    return {"true": "y", "pred": "new"} | options


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (bad(pred=None), "no predictions given; expected pred=... or proba=..."),
        (bad(pred=[]), "no predictions given"),
        (bad(pred="neww"), "log: no column 'neww' (did you mean 'new'?)"),
        (bad(id="id"), "a log of labels and the column of the id belong together"),
        (bad(label_log=LOG), "pass both label_log=... and id=... (--labels and --id)"),
        (bad(arrives="asked"), "arrives without revealed: expected both times or neither"),
        (bad(revealed="known"), "revealed without arrives: expected both times or neither"),
        (bad(timeout="3d"), "timeout needs times"),
        (bad(timeout="3x", **TIMES), "FromStream(timeout): '3x' is not a duration"),
        (bad(timeout=0, **TIMES), "expected a duration above 0"),
        (bad(timeout="3d", labels=sg.FromStream(), **TIMES), "give only one of them"),
        (bad(pred=["old", "new"], name="v1"), "expected the same number of each, one per model"),
        (bad(pred=["old", "new"], proba=["p"]), "expected the same number of each"),
        (bad(proba={"p": 1, "new": 1}), "two columns of the same class"),
        (bad(proba={}), "expected a column, or a dict of columns with their classes"),
        (bad(proba={"p": "yes"}), "probabilities of yes, but the labels are numbers such as"),
        (bad(proba={"p": 3}), "y_proba: no probabilities of class 0; expected a column for each"),
        (bad(proba="p", classes=[0, 1, 2]), "is one column, but there are 3 classes (0, 1, 2)"),
        (bad(forget=[sg.TimeWindow("24h")]), "TimeWindow('24h'): this stream has no times"),
        (bad(task="guess"), "task='guess'; expected"),
    ],
)  # fmt: skip
def test_options_that_do_not_fit(options: dict[str, Any], complaint: str) -> None:
    assert complaint in usage_error(sg.score, LOG, **options)


def test_invalid_logs() -> None:
    fractions = error_of(sg.score, LOG, true="y", pred="p")
    assert "the labels are 0 and 1, but predictions such as" in fractions
    assert (
        "in 'p' look like probabilities: pass probabilities as y_proba=... (--proba p)" in fractions
    )
    words = LOG.assign(y=np.where(Y, "yes", "no"))
    assert "look like probabilities" in error_of(sg.score, words, true="y", pred="p")
    asked = usage_error(sg.score, words, true="y", proba="p")
    assert "the probability of which class, no or yes? Say so" in asked
    outside = LOG.assign(p=P + 0.5)
    assert "y_proba is outside 0..1" in error_of(sg.score, outside, true="y", proba="p")
    naive = LOG.assign(known=LATER.tz_localize(None))
    clocks = error_of(sg.score, naive, true="y", pred="new", **TIMES)
    assert "column 'asked' of log holds times with a time zone, but column 'known' of" in clocks
    strangers = LOG.assign(id=range(ROWS))
    unknown = error_of(sg.score, LOG, true="y", pred="new", label_log=strangers, id="id", **TIMES)
    assert "no id of labels is in log: ids such as '0' and 'a0'" in unknown
    early = LOG.assign(known=HOURS - pd.Timedelta("1h"))
    message = error_of(sg.score, early, true="y", pred="new", **TIMES)
    assert "revealed at 2024-03-29T22:00Z, before the row arrives at 2024-03-29T23:00Z" in message
    assert "expected a pandas, polars or Arrow data frame" in error_of(
        sg.score, [1], true="y", pred="new"
    )
    assert "no such file: none.csv" in error_of(sg.score, "none.csv", true="y", pred="new")


def test_json_lines_and_folders_are_logs(tmp_path: Path) -> None:
    lines = [{"id": i, "t": i, "p": "ab"[i % 2]} for i in range(40)]
    labels = [{"id": i, "t": i + 3, "y": "ab"[i % 3 % 2]} for i in range(40)]
    asked, answered = tmp_path / "asked", tmp_path / "answered"
    for folder, rows in ((asked, lines), (answered, labels)):
        folder.mkdir()
        text = [",".join(map(str, row.values())) for row in rows[:20]]
        header = ",".join(rows[0])
        (folder / "1.csv").write_text("\n".join([header, *text]) + "\n")
        written = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / "2.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows[20:]))
        (tmp_path / f"{folder.name}.jsonl").write_text(written)
    options: Any = {"true": "y", "pred": "p", "id": "id", "arrives": "t", "revealed": "t"}
    whole = sg.score(
        tmp_path / "asked.jsonl", label_log=tmp_path / "answered.jsonl", timeout=9, **options
    )
    parts = sg.score(asked, label_log=answered, timeout=9, **options)
    assert whole.summary == parts.summary
    assert whole.counts.scored == parts.counts.scored == 40
    (tmp_path / "empty").mkdir()
    with pytest.raises(sg.InputError, match="no file of a format"):
        sg.score(tmp_path / "empty", **options, label_log=answered)


def test_one_wrong_time_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("".join(["id,t,p\n", *(f"{i},{i},a\n" for i in range(50))]))
    labels = [f"{i},{i + 1},a\n" for i in range(49)]
    (tmp_path / "l.csv").write_text("".join(["id,t,y\n", "49,999999,a\n", *labels]))
    run = sg.score(
        tmp_path / "p.csv", true="y", pred="p", label_log=tmp_path / "l.csv", id="id", arrives="t",
        revealed="t", timeout=9, classes=["a", "b"],
    )  # fmt: skip
    assert run.counts.scored == 49
    assert run.counts.awaited == 1  # the log does not end in another century
    assert run.counts.skipped == {FAR_AHEAD: 1}
