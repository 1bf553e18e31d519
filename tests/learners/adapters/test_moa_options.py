"""MOA's option texts reach learners only: no file, no task, no other class."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

import pytest

import streamgauge as sg
from streamgauge.learners.adapters._moa_options import check_characters

has_capymoa = pytest.mark.skipif(
    importlib.util.find_spec("capymoa") is None, reason="CapyMOA is not installed"
)


@pytest.mark.parametrize(
    "text",
    ["file:model.moa", "trees.HoeffdingTree -f /tmp/x", "inmem:x", "(file:x)", "a\\b", "'x'", '"x"',
     "moa.classifiers.trees.HoeffdingTree$Node", "a;b", "a\nb", "a\0b", "ﬁle", "#x", "~", "%s"],
)  # fmt: skip
def test_texts_cannot_name_files(text: str) -> None:
    for value in (text, [text], ("ok", text)):
        with pytest.raises(sg.UsageError, match=r"base_learner=.* contains .*without files"):
            check_characters("OzaBag", {"size": 3, "base_learner": value})


def test_usual_option_texts_are_accepted() -> None:
    for text in ("trees.HoeffdingTree -g 50 -c 0.01", "-l (trees.FIMTDD -d 1.0E-5) -s 3",
                 "hard-L0", "NaiveBayesAdaptive", "-1.5e+3", ""):  # fmt: skip
        check_characters("OzaBag", {"CLI": text, "other": None, "model": object()})


@has_capymoa
class TestWithJava:
    @pytest.mark.parametrize(
        ("name", "options", "complaint"),
        [
            ("OzaBoost", {"base_learner": "file:x.moa"}, "contains ':'"),
            ("OzaBoost", {"base_learner": "Plot -e touch -c out"}, "Java class moa.tasks.Plot"),
            ("OzaBoost", {"base_learner": "LearnModel -O out"}, "Java class moa.tasks.LearnModel"),
            ("OzaBoost", {"base_learner": "moa.tasks.LearnModel -O out"}, "moa.tasks.LearnModel"),
            ("OzaBoost", {"base_learner": "meta.ALMultiParamTask"}, "moa.tasks.meta.ALMultiParam"),
            ("OzaBoost", {"base_learner": "java.lang.Thread"}, "Java class java.lang.Thread; exp"),
            ("OzaBoost", {"base_learner": "meta.WEKAClassifier -l x"}, "sets -l, which"),
            ("OzaBoost", {"base_learner": "meta.WEKAClassifier -lx"}, "sets -l, which"),
            ("OzaBoost", {"base_learner": "(trees.HoeffdingOptionTree -f out)"}, "sets -f, which"),
            ("moa.classifiers.trees.HoeffdingOptionTree", {"CLI": "-f out"}, "sets -f, which"),
            ("moa.classifiers.meta.AutoML.AutoClass", {"CLI": "-f s.json"}, "sets -f, which takes"),
            ("moa.classifiers.deeplearning.CAND", {"CLI": "-F out"}, "sets -F, which takes a file"),
            ("moa.tasks.Plot", {}, "expected a learner of MOA, such as moa.classifiers."),
            ("moa.learners.ChangeDetectorLearner", {}, "expected a learner of MOA, such as moa.cl"),
        ],
    )  # fmt: skip
    def test_refused(
        self,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        name: str,
        options: dict[str, Any],
        complaint: str,
    ) -> None:
        monkeypatch.chdir(tmp_path)
        with pytest.raises(sg.UsageError) as caught:
            sg.evaluate(sg.SEA(10), sg.from_capymoa(name, **options))
        assert complaint in str(caught.value)
        assert os.listdir(tmp_path) == []

    @pytest.mark.parametrize(
        ("name", "options"),
        [
            ("OzaBoost", {"base_learner": "trees.HoeffdingTree -g 50"}),
            ("OzaBoost", {"base_learner": "moa.classifiers.bayes.NaiveBayes"}),
            ("OzaBoost", {"base_learner": "trees.HoeffdingOptionTree -g 50"}),
            ("StreamingRandomPatches", {"ensemble_size": 2, "base_learner": "bayes.NaiveBayes"}),
            ("moa.classifiers.trees.HoeffdingOptionTree", {"CLI": "-g 50"}),
            ("moa.classifiers.drift.SingleClassifierDrift",
             {"CLI": "-l (trees.HoeffdingTree -g 50) -d (EDDM)"}),
        ],
    )  # fmt: skip
    def test_learners_still_learn(self, name: str, options: dict[str, Any]) -> None:
        run = sg.evaluate(sg.SEA(300, seed=1), sg.from_capymoa(name, **options))
        assert run.summary["accuracy"] > 0.7
