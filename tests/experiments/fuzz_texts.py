"""What people write and send: experiment files, cards, and the texts in them, to be mutated."""

from __future__ import annotations

import gzip
import json
import math
import random
import sys
import tempfile
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamgauge as sg
from streamgauge.evaluation.texts import object_of
from streamgauge.learners.learner_text import parse_detector, parse_learner
from streamgauge.streams.datasets._card import parse_card
from streamgauge.streams.stream_text import parse_stream
from tests.experiments.stores import write_spec
from tests.fuzz import TooSlowError, failures

EXPERIMENT = b"""name = "my study"
seeds = [1, 2]
streams = [
  "SEA(300)", {generate = "splice([SEA(50), SEA(50, variant=1)], at=[50])", name = "d", rows = 90},
  {read = "table.csv", target = "y", nominal = ["a"], drop = ["t"], inject = [0, 2]},
  {tenet = ["SEA", "Sine1"], drift = "abrupt", rows = 40}, {load = "card.toml", rows = 20},
]
learners = ["NaiveBayes()", "SWT(HoeffdingTree(grace_period=50), order=2)", "mine:Constant(code=1)"]
labels = ["Immediate()", "Delay(10)", "Sampled(0.5, seed=1)", "RandomDelay('geometric(0.1)')"]
forget = ["Cumulative()", "Fading(0.99)", "Window(20)"]
detectors = ["DDM", "ADWIN(delta=0.01)"]
references = ["Majority(forget=Window(30))"]
metrics = ["kappa", "accuracy", "macro_f1"]
modules = ["mine"]
warmup = 3
every = 7
timeout = 3.5
max_memory = "2 GB"
"""
NAMED = b"""protocol = "PrequentialCV(3)"
metrics = "all"
predictions = false
[learners]
NB = "NaiveBayes()"
"HT 2" = "Resetting(HoeffdingTree(), DDM())"
[[streams]]
generate = "Agrawal(99, classification_function=2)"
"""
CARD = b"""name = "card"
title = "A table"
about = "What?"
paper = "none"
licence = "ours"
target = "y"
classes = ["no", "yes"]
features = ["a", "shift", "t"]
nominal = ["a"]
[leaks]
b = "known later"
[variants.small]
about = "one"
features = ["a"]
[derived]
shift = { every = 8, values = [1, 2, 3] }
"""
SOURCES = (
    b'[https]\nurl = "https://example.org/x.csv.gz"\nlabel_url = "https://example.org/y"\n'
    b'sha256 = "' + b"0" * 64 + b'"\nheader = "none"\nseparator = ";"\ndecimals = 3\n',
    b'[package]\nname = "p"\nversion = "1.0"\npython = "3.9"\nabi = "cp39"\nplatform = "any"\n'
    b'member = "p/x.csv"\nclass_names = { 0 = "no", 1 = "yes" }\n',
)
ROWS = "a,b,t,y\n" + "".join(f"{i % 3},x,{i},{'yes' if i // 5 % 2 else 'no'}\n" for i in range(60))
LEARNERS = (
    b"NaiveBayes", b"HoeffdingTree(grace_period=50, tau=0.05, leaf_prediction='nba')",
    b"Resetting(AdaptiveRandomForest(3, max_features='sqrt'), ADWIN(0.01))",
    b"TemporalCorrection(KNN(3, 50))", b"OnlineBagging(3, tau=0.1)",
    b"river:tree.HoeffdingTreeClassifier(50, splitter=tree.splitter.GaussianSplitter(5))",
    b"SWT(river:naive_bayes.GaussianNB(), order=2)", b"Majority(forget=Fading(0.9))",
)  # fmt: skip
STREAMS = (
    b"SEA(300, noise=0.1)", b"splice([SEA(50), SEA(50, variant=1)], at=[50], width=10)",
    b"inject(RandomRBF(90, seed=2), order=2)", b"shuffled(Hyperplane(50, mag_change=0.1))",
    b"Agrawal(60, classification_function=3, balance_classes=True)", b"RandomTree(40)",
    b"LED(40, noise_percentage=0.2)",
)  # fmt: skip
LABELS = (
    b"Immediate()",
    b"Delay(10)",
    b"Chunks(5)",
    b"Sampled(0.5, seed=3)",
    b"RandomDelay([1, 5, 9], timeout=4)",
    b"RandomDelay('geometric(0.1)')",
)
FORGETTINGS = (b"Cumulative()", b"Window(100)", b"Fading(0.999)", b"TimeWindow('24h')")
PROTOCOLS = (b"Holdout(100, 20)", b"PrequentialCV(5, mode='split')", b"Holdout(9, 5, 'first')")
DETECTORS = (b"DDM()", b"ADWIN(delta=0.01)", b"PageHinkley(on=Fading(0.9))", b"river:drift.KSWIN()")
REEVALUATIONS = (b"Reevaluate(every=10, bins=20)", b"Reevaluate(5)")


ODD: tuple[Any, ...] = (
    -1, 0, 1, 2, 3, 2**31, 2**53 - 1, 2**53, 2**63 - 1, 10**30, -(10**30), 0.5, -0.5, 1e308,
    math.nan, math.inf, -math.inf, True, False, "", " ", "\0", "\n", "x" * 5000, "..", "../x", "/",
    "/etc/passwd", "/dev/null", "~", ".", "con", "é" * 300, "\u202e", "0", "-1", "nan", "1e400",
    "all", "elec3", "None", "SEA(99)", "SEA(10000000000000)", "SEA(" * 99, "Window(1000000000)",
    "x.csv", "table.csv", "card.toml", "bench.toml", "mine", "mine.py", "os", "mine:Constant()",
    "mine:Raising(-1)", "mine:Constant(code='x')", "2 GB", "1e99 GB", "9" * 30 + " GB", "y", "a",
    "t", "yes", [], [[]], [""], [1], ["a", "a"], [0, 0], [2**53], {}, {"a": 1}, {"load": "x"},
    {"read": "\0"}, {"generate": "SEA(5)", "rows": 2**52}, {"read": "x" * 300}, [{}], {"": ""},
)  # fmt: skip


@cache
def _folder() -> Path:
    """A folder with what the experiment names."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    (folder / "table.csv").write_text(ROWS)
    (folder / "card.toml").write_bytes(CARD)
    with gzip.open(folder / "card.csv.gz", "wt") as file:
        file.write(ROWS)
    return folder


def experiment(data: bytes) -> None:
    """Read an experiment and plan its cells."""
    path = write_spec(_folder(), "")
    path.write_bytes(data)
    _ = sg.Grid.read(path).cells


def card(data: bytes) -> None:
    """Load the table of a card, which is beside it."""
    path = _folder() / "other.toml"
    path.write_bytes(data)
    for block in sg.load(path).blocks(100):
        assert len(block)


def source(data: bytes) -> None:
    """Parse a card with a source; nothing is downloaded."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return  # `card` reads such files
    parse_card(text, "the card")


def odd_values(read: Callable[[bytes], None], valid: bytes) -> Callable[[bytes], None]:
    """Read a TOML text with one to three values replaced; the bytes only say which."""

    def action(data: bytes) -> None:
        rng = random.Random(data)
        values = tomllib.loads(valid.decode())
        for _ in range(rng.choice((1, 1, 1, 2)) if data else 0):
            table: Any = values
            while True:
                keys = list(table) if isinstance(table, dict) else list(range(len(table)))
                key = rng.choice(keys)
                if not isinstance(table[key], dict | list) or not table[key] or rng.random() < 0.2:
                    break
                table = table[key]
            table[key] = rng.choice(ODD)
        read("\n".join(f"{_toml(key)} = {_toml(each)}" for key, each in values.items()).encode())

    return action


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml(key)} = {_toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value).replace("\x7f", "\\u007f")
    return str(value).lower() if isinstance(value, bool | float) else str(value)


def _of_text(parse: Callable[[str], object]) -> Callable[[bytes], None]:
    def action(data: bytes) -> None:
        try:
            parse(data.decode("utf-8", "replace"))
        except sg.UsageError as error:  # what a constructor raises is a part of the message
            if TooSlowError.__name__ in str(error):
                raise TooSlowError(str(error)) from None
            raise

    return action


# Name: what to do with the bytes, valid bytes, and how many mutations the long tier tries.
TARGETS: dict[str, tuple[Callable[[bytes], None], tuple[bytes, ...], int]] = {
    "experiment": (experiment, (EXPERIMENT, NAMED), 700),
    "experiment values": (odd_values(experiment, EXPERIMENT), (b"",), 400),
    "card": (card, (CARD,), 400),
    "card values": (odd_values(card, CARD), (b"",), 200),
    "source": (source, tuple(CARD.replace(b"[leaks]", each + b"[leaks]") for each in SOURCES), 200),
    "learner": (_of_text(parse_learner), LEARNERS, 500),
    "stream": (_of_text(lambda text: parse_stream(text, 1)), STREAMS, 400),
    "labels": (_of_text(lambda text: object_of(text, "label policy")), LABELS, 200),
    "forgetting": (_of_text(lambda text: object_of(text, "forgetting")), FORGETTINGS, 150),
    "protocol": (_of_text(lambda text: object_of(text, "protocol")), PROTOCOLS, 150),
    "detector": (_of_text(parse_detector), DETECTORS, 200),
    "reevaluate": (_of_text(lambda text: object_of(text, "re-evaluation")), REEVALUATIONS, 100),
}


if __name__ == "__main__":
    action, seeds, _ = TARGETS[sys.argv[1]]
    print(*failures(action, seeds, int(sys.argv[2]), int(sys.argv[3])), sep="\n")
