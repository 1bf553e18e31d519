"""streamgauge score: logged predictions are evaluated like a learner's."""

from __future__ import annotations

import json
import re
import shlex
import tempfile
from pathlib import Path

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.rendering.units import percent
from tests.cli.running import Shell, details


def write_log(path: Path, rows: int = 600) -> tuple[list[str], list[str | None]]:
    """Write labels in runs of about five; of the predictions a tenth are missing, some wrong."""
    runs = np.random.default_rng(1).integers(3, 8, rows)
    code = np.repeat(np.arange(rows) % 2, runs)[:rows].tolist()
    truth = [("spam", "ham")[each] for each in code]
    other = {"ham": "spam", "spam": "ham"}
    guess = [None if i % 10 == 0 else t if i % 3 else other[t] for i, t in enumerate(truth)]
    lines = [
        f"{i},{i + 4},{t},{g or ''}\n" for i, (t, g) in enumerate(zip(truth, guess, strict=True))
    ]
    path.write_text("t,r,label,guess\n" + "".join(lines))
    return truth, guess


def test_output_agrees_with_the_library(shell: Shell) -> None:
    truth, guess = write_log(Path("log.csv"))
    code, out, err = shell(
        *("score", "log.csv", "--true", "label", "--pred", "guess", "--forget", "Fading(0.9)"),
        *("--json", "out.json", "-v"),
    )
    assert (code, err) == (0, "")
    scored = sg.score(truth, guess, forget=[sg.Fading(0.9)], name="guess")
    lines = details(out)
    assert lines[0] == "log · 600 rows · 2 classes · labels at once"
    assert re.match(rf"guess +{percent(scored.overall['accuracy'])} ", lines[3])
    assert "guess is worse than repeating the last label (Persistent" in out
    assert str(scored.verdict) in out
    (written,) = json.loads(Path("out.json").read_text(encoding="utf-8"))
    assert written["summaries"] == scored.to_dict()["summaries"]
    assert written["stream"]["classes"] == ["ham", "spam"]
    assert written["overall"]["coverage"] == pytest.approx(0.9)
    assert sorted(path.name for path in Path().iterdir()) == ["log.csv", "out.json", "table.csv"]


def test_late_labels_are_scored_and_saved(shell: Shell) -> None:
    truth, guess = write_log(Path("log.csv"))
    code, out, err = shell(
        "score", "log.csv", "--true", "label", "--pred", "guess", "--arrives", "t",
        "--revealed", "r", "--warmup", "100", "--forget", "Window(50)", "--save", "kept",
    )  # fmt: skip
    assert (code, err) == (0, "")
    late = sg.score(
        truth, guess, arrives=range(600), revealed=range(4, 604), warmup=100,
        forget=[sg.Window(50)],
    )  # fmt: skip
    assert "labels FromStream() · first 100 rows not scored" in out
    (saved,) = Path("kept").iterdir()
    kept = json.loads((saved / "run.json").read_text(encoding="utf-8"))
    assert kept["summaries"] == late.to_dict()["summaries"]
    assert kept["references"] == late.to_dict()["references"]


def test_numeric_labels_are_classes_or_regression_targets(shell: Shell) -> None:
    Path("log.csv").write_text("y,p\n" + "0,0\n1,1\n1,?\n0,1\n" * 30)
    code, out, _ = shell("score", "log.csv", "--true", "y", "--pred", "p")
    assert code == 0
    assert "2 classes" in out
    assert " 50.0 %" in out
    values = np.linspace(0, 1, 120)
    Path("reals.csv").write_text("y,p\n" + "".join(f"{v},{v / 2}\n" for v in values))
    code, out, _ = shell("score", "reals.csv", "--true", "y", "--pred", "p", "-v")
    assert code == 0
    assert "regression" in out
    assert f"{values.mean() / 2:.3f}" in out  # the mean absolute error


def test_models_are_named_after_their_columns_and_compare(shell: Shell) -> None:
    write_log(Path("log.csv"))
    lines = Path("log.csv").read_text().splitlines()
    more = [f"{line},{'last' if i == 0 else 'ham'}" for i, line in enumerate(lines)]
    Path("log.csv").write_text("\n".join(more))
    times = ("--true", "label", "--arrives", "t", "--revealed", "r")
    code, out, _ = shell("score", "log.csv", *times, "--pred", "guess", "--pred", "last", "-v")
    assert code == 0
    table = [line.split()[0] for line in details(out)[3:8]]
    assert table == ["guess", "last", "Majority", "Persistent", "Transition"]
    for model in ("guess", "last"):  # apart, and yet of one log
        saved = ("--save", "kept", "--name", f"the {model}", "--stream", "mail")
        assert shell("score", "log.csv", *times, "--pred", model, *saved).code == 0
    runs = sorted(str(path) for path in Path("kept").iterdir())
    assert [run.rpartition("-")[0] for run in runs] == ["kept/mail-the_guess", "kept/mail-the_last"]
    code, out, err = shell("compare", *runs)
    assert (code, err) == (0, "")
    assert out.startswith("mail · A = the guess, B = the last · 600 rows · labels FromStream()")
    assert "▼ worse: B is " in out


def test_labels_in_another_file_are_joined_by_id(shell: Shell) -> None:
    start = np.datetime64("2024-01-01T00:00")
    asked, answers = ["id,at,p,q"], ["id,at,y"]
    for i in range(300):
        at = start + np.timedelta64(i, "h")
        asked.append(f"u{i},{at}Z,{i // 6 % 2 * 0.6 + i % 7 / 20:.2f},{i % 2}")
        if i < 290 and i % 50 != 3:
            answers.append(f"u{i},{at + np.timedelta64(5, 'h')}Z,{i // 6 % 2}")
    answers += [answers[9], f"{answers[12][:-1]}{1 - int(answers[12][-1])}", f"v9,{start}Z,1"]
    Path("asked.csv").write_text("\n".join([*asked, asked[5]]))
    Path("answers.csv").write_text("\n".join(answers))
    code, out, err = shell(
        *("score", "asked.csv", "--labels", "answers.csv", "--id", "id", "--time", "at"),
        *("--true", "y", "--proba", "p", "--timeout", "8h", "--json", "o.json"),
        *("--forget", "Cumulative()", "--forget", "TimeWindow('24h')", "-v"),
    )
    assert (code, err) == (0, "")
    (run,) = json.loads(Path("o.json").read_text())
    assert run["counts"] == {
        "rows": 300, "scored": 284, "unlabelled": 16, "awaited": 8,
        "skipped": {
            "a second prediction of an id; the first one counts": 1,
            "a label without a prediction": 1,
            "a second label of an id, the same as the first": 1,
            "a correction of a label; it changes what is cumulative only": 1,
        },
    }  # fmt: skip
    assert run["times"] == {"first": "2024-01-01T05:00Z", "last": "2024-01-13T06:00Z"}
    assert (run["stream"]["name"], run["name"]) == ("asked", "p")
    said = " ".join(out.split())
    assert "8 rows not yet labelled · 8 rows never labelled · 1 event skipped (a second pre" in said
    assert "Its probabilities over all scored rows: log_loss 0.2" in said
    assert "At the end, TimeWindow('24h'): accuracy 100.0 %" in said


def test_commands_of_the_guide_run(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parents[2] / "docs" / "score.md").read_text(encoding="utf-8")
    data = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0]
    with monkeypatch.context() as here:
        here.setattr(tempfile, "mkdtemp", lambda: ".")
        exec(compile(data, "score.md", "exec"), {})
    commands = re.findall(r"^\$ streamgauge (score (?:orders|pred).*)\n(.*)", page, re.MULTILINE)
    assert len(commands) == 3
    compared = "$ streamgauge compare runs/orders-v2-* runs/orders-rule-*"
    for command, header in commands:
        code, out, err = shell(*shlex.split(command.replace("--pred rule", "--pred model")))
        assert (code, err) == (0, "")
        assert header == compared or " ".join(out.split()).startswith(header)
    runs = [next(Path("runs").glob(f"orders-{name}-*")) for name in ("v2", "rule")]
    out = shell("compare", *map(str, runs)).out
    assert out.startswith("orders · A = v2, B = rule · 3,000 rows ")


T = ["--arrives", "t", "--revealed"]
DAY = ["--forget", "TimeWindow('24h')"]


@pytest.mark.parametrize(
    ("text", "options", "complaint"),
    [
        (None, [], "no such file: log.csv"),
        ("", [], "log.csv: has no rows; expected a header line"),
        ("y,p\n", [], "log.csv: has a header but no rows"),
        ("y,q\n0,1\n", [], "log.csv: no column 'p'; the columns are y, q"),
        ("y,p,p\n0,1,1\n", [], "column name 'p' appears more than once"),
        ("y,p\n1,1\n1,1\n", [], "truth and predictions have only one label (1)"),
        ("y,p\nu,0.5\nv,0.7\n", [], "such as 0.5 in 'p' look like probabilities: pass"),
        ("y,p\nu,0.5\nv,0.7\nw,1\n", [], "labels such as 'u' and predictions such as 0.5"),
        ("y,p\n0,0.5\n1,0.7\n", [], "(--proba p), or predict classes"),
        ("y,p\n0,1\n1\n", [], "Row #3: Expected 2 columns, got 1"),
        ("y,p\n0.5,inf\n1,1\n", [], "row 0: p is infinite"),
        ("y,p,t\n0,1,5\n1,0,x\n", [*T, "t"], "row 1 (line 3): column 't' is 'x'"),
        ("y,p,t\n0,1,5\n1,0,x\n", ["--revealed", "t"], "row 1 (line 3): column 't' is 'x'"),
        ("y,p,t\n0,1,5\n1,0,0\n", ["--revealed", "t"], "revealed without arrives: expected both"),
        ("y,p,t\n0,1,5\n1,0,0\n", ["--arrives", "t"], "name the column of the other one (--revea"),
        ("y,p,t,u\n0,1,5,5\n1,0,7,0\n", [*T, "u"], "row 1: its label is revealed at 0, before"),
        (
            "y,p,t,u\n0,1,2020-01-02,2020-01-01\n1,0,2020-01-03,2020-01-04\n",
            [*T, "u"],
            "row 0: its label is revealed at 2020-01-01T00:00, before the row arrives at 2020-01",
        ),
        (
            "y,p,t,u\n0,1,2020-01-02,2020-01-02T00:00Z\n1,0,2020-01-03,2020-01-04T00:00Z\n",
            [*T, "u"],
            "column 't' of log.csv holds times without a time zone, but column 'u' of log",
        ),
        ("y,p\n0,1\n1,0\n", DAY, "TimeWindow('24h'): this stream has no times"),
        ("y,p,t\n0,1,1\n1,0,2\n", [*T, "t", *DAY], "of this stream are integers"),
        ("y,p\n0,1\n1,0\n", ["--forget", "TimeWindow('soon')"], "'soon' is not a duration"),
        ("y,p\n0,1\n1,0\n", ["--forget", "Window(-3)"], "Window(-3): expected w >= 1"),
        ("y,p\n0,1\n1,0\n", ["--timeout", "1d"], "timeout needs times"),
        ("y,p,t\n0,1,1\n1,0,2\n", [*T, "t", "--timeout", "1d"], "of this stream are integers"),
        ("y,p,t\n0,1,1\n1,0,2\n", [*T, "t", "--timeout", "1x"], "'1x' is not a duration"),
        ("y,p\n0,1\n1,0\n", ["--time", "t"], "--time names the times in both files of a join"),
        ("y,p\n0,1\n1,0\n", ["--id", "p"], "pass both label_log=... and id=... (--labels and"),
        ("y,p\n0,1\n1,0\n", ["--labels", "log.csv"], "(--labels and --id)"),
        ("y,p\n0,1\n1,0\n", ["--labels", "no.csv", "--id", "y"], "no such file: no.csv"),
        ("y,p\n0,1\n1,0\n", ["--name", "a", "--name", "b"], "expected the same number of each"),
        ("y,p\n0,1\n1,0\n", ["--proba", "q"], "log.csv: no column 'q'; the columns are y, p"),
        ("y,p\n0,1\n1,0\n", ["--proba", "p=2"], "no probabilities of class 0; expected a column"),
        ("y,p\n0,1\n1,0\n", ["--proba", "p=a"], "probabilities of a, but the labels are numbers"),
        ("y,p,q\n0,1,7\n1,0,1\n", ["--proba", "q"], "row 0: y_proba is outside 0..1 (-6, 7)"),
        ("y,p\n0,1\n1,0\n", ["--warmup", "2"], "warmup=2: expected 0 or more"),
    ],
)
def test_invalid_log_is_one_line(
    shell: Shell, text: str | None, options: list[str], complaint: str
) -> None:
    if text is not None:
        Path("log.csv").write_text(text)
    code, out, err = shell("score", "log.csv", "--true", "y", "--pred", "p", *options)
    assert (code, out) == (2, "")
    assert err.startswith("streamgauge: ")
    assert complaint in err
    assert err.count("\n") == 1


def test_classes_may_be_numbers_or_words(shell: Shell) -> None:
    Path("words.csv").write_text("y,p\n" + "a,None\nNone,None\na,a\n" * 5)
    classes = ["--classes", "a", "--classes", "None"]
    code, out, _ = shell("score", "words.csv", "--true", "y", "--pred", "p", *classes)
    assert (code, "2 classes" in out) == (0, True)
    Path("numbers.csv").write_text("y,p\n" + "1,0\n0,0\n1,1\n" * 5)
    classes = [part for name in "012" for part in ("--classes", name)]
    code, out, _ = shell("score", "numbers.csv", "--true", "y", "--pred", "p", *classes)
    assert (code, "3 classes" in out) == (0, True)
