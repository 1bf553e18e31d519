"""A miniature of ziffer2024 with fast learners, and the printed tables as scores."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from streamgauge.papers.ziffer2024 import printed
from streamgauge.papers.ziffer2024.plan import Profile, synthetic
from streamgauge.papers.ziffer2024.scores import Outcome, Scores

TREE, NAIVE_BAYES = "HoeffdingTree(grace_period=50)", "NaiveBayes()"
STAND_INS = {  # fast learners in place of the paper's
    "HAT": TREE,
    "ARF": NAIVE_BAYES,
    "SWT HAT": f"SWT({TREE}, order=2)",
    "SWT ARF": f"SWT({NAIVE_BAYES}, order=2)",
    "cLSTM": f"SWT({TREE}, order=3)",
    "HAT+past": f"SWT({TREE}, order=2, features=True)",
    "ARF+past": f"SWT({NAIVE_BAYES}, order=2, features=True)",
}
TINY = Profile("tiny", 600, 1, 2, (0, 1, 2, 4), ("abrupt",), ("STAGGER", "Sine1"), (), STAND_INS)


def printed_scores() -> Scores:
    """The printed tables as if they were runs."""
    found: dict[tuple[str, str], list[Outcome]] = {}
    for key, row in printed.TABLE_II.items():
        for name, kappa in zip(printed.LEARNERS, row, strict=False):
            references = {"No-Change": row[-1], "Transition": np.nan}
            outcome = Outcome(kappa, np.nan, references, False, Path())
            found[synthetic(*key), name] = [outcome]
    for stream, row in printed.TABLE_III.items():
        for name, kappa in zip(printed.LEARNERS, row, strict=True):
            found[stream, name] = [Outcome(kappa, np.nan, {}, False, Path())]
    return Scores(found)
