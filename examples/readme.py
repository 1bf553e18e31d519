"""Writes what README.md shows of Elec2: its session and its picture (`make readme`)."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import streamgauge as sg

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "README.md"
PICTURE = ROOT / "docs" / "pictures" / "elec2.svg"
LEARNERS = ["NaiveBayes", "river:tree.HoeffdingTreeClassifier()"]
_SESSION = re.compile(r"(?<=```\n)\$ streamgauge evaluate elec2.*?(?=```)", re.DOTALL)


def session() -> str:
    """The command and its output, in a new folder."""
    options = [part for learner in LEARNERS for part in ("--learner", learner)]
    code = "from streamgauge.cli import main; main()"
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", code, "evaluate", "elec2", *options],
            cwd=folder, capture_output=True, encoding="utf-8", check=True,
        )  # fmt: skip
    shown = " ".join(f'"{part}"' if "(" in part else part for part in options)
    return f"$ streamgauge evaluate elec2 {shown}\n{done.stdout}"


def picture(path: Path) -> None:
    """Accuracy over the last 1,000 rows: two classifiers, and repeating the last label."""
    bayes, tree = sg.evaluate(sg.load("elec2"), LEARNERS, forget=[sg.Window(1000)])
    runs = {"naive Bayes": bayes, "Hoeffding tree": tree}
    chart = sg.plot(runs, references=["Persistent", "Majority"])
    chart.title.text = ["Elec2: 77 % looks good until you see what repeating the last label scores"]
    chart.save(path)


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    picture(PICTURE)
    text, count = _SESSION.subn(lambda _: session(), PAGE.read_text(encoding="utf-8"))
    assert count == 1, "README.md: expected one session that begins with the evaluate command"
    PAGE.write_text(text, encoding="utf-8")
