"""A miniature of ziffer2024 with fast learners."""

from __future__ import annotations

from streamgauge.papers.ziffer2024.plan import NO_CHANGE, Ziffer2024Plan

TREE, NAIVE_BAYES = "HoeffdingTree(grace_period=50)", "NaiveBayes()"
STAND_INS = {  # fast learners in place of the paper's
    "HAT": TREE,
    "ARF": NAIVE_BAYES,
    "SWT HAT": f"SWT({TREE}, order=2)",
    "SWT ARF": f"SWT({NAIVE_BAYES}, order=2)",
    "cLSTM": f"SWT({TREE}, order=3)",
    NO_CHANGE: "NoChange()",
    "HAT+past": f"SWT({TREE}, order=2, features=True)",
    "ARF+past": f"SWT({NAIVE_BAYES}, order=2, features=True)",
    "Transition": "Transition()",
}
ON_FEW = {"cGRU": f"SWT({TREE}, order=4)"}
TINY = Ziffer2024Plan(
    "tiny", 600, 1, 2, (0, 1, 2, 4), ("abrupt",), ("STAGGER", "Sine1"), {}, STAND_INS, ON_FEW
)
