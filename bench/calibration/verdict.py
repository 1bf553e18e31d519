"""The verdict: a learner against references, by the batch-means test."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Any

import numpy as np
from scipy.special import ndtri

from bench.calibration.case import MOST_FALSE_LONG, Case, Random
from bench.calibration.streams import KINDS
from streamgauge._support.types import Floats
from streamgauge.measures.batch_means import CONFIDENCE, BatchMeansTest, batch_means_test
from streamgauge.measures.verdict import holm_words

ROWS = (300, 2_500, 10_000, 50_000)
MANY = 1_000_000
_Z = float(ndtri((1 + CONFIDENCE) / 2))
_EIGHTY = float(ndtri(0.8))  # the oracle finds a difference of (_Z + _EIGHTY) sd in 80 %
_REFERENCES = 4


def draw(random: Random, kind: str, run: int, rows: int, mean: float = 0.0) -> Floats:
    """Differences of the losses of a reference and of the learner."""
    return KINDS[kind](random, rows, run, mean)


@lru_cache
def spread(kind: str, run: int, rows: int) -> float:
    """The standard deviation of the mean difference between streams: what an oracle knows."""
    random = np.random.default_rng([rows, run])
    draws = 400 if rows <= 50_000 else 60
    return float(np.std([draw(random, kind, run, rows).mean() for _ in range(draws)]))


def _decided(random: Random, kind: str, run: int, rows: int) -> bool:
    return tested(draw(random, kind, run, rows)).word in ("better", "worse")


def _found(random: Random, kind: str, run: int, rows: int) -> bool:
    mean = (_Z + _EIGHTY) * spread(kind, run, rows)
    return tested(draw(random, kind, run, rows, mean)).word == "better"


def _oracle(random: Random, kind: str, run: int, rows: int) -> bool:
    sd = spread(kind, run, rows)
    mean = (_Z + _EIGHTY) * sd
    return float(draw(random, kind, run, rows, mean).mean()) > _Z * sd


def tested(differences: Floats) -> BatchMeansTest:
    """The test as a verdict makes it."""
    return batch_means_test(differences, bound=1.0)


def _any(random: Random, kind: str, run: int, rows: int) -> bool:
    """One learner and four references that are all equally good."""
    tests = [tested(draw(random, kind, run, rows)) for _ in range(_REFERENCES)]
    return any(word in ("better", "worse") for word, _ in holm_words(tests))


def _lately(random: Random, kind: str, run: int, rows: int) -> bool:
    return tested(draw(random, kind, run, rows)).recent in ("better", "worse")


def _turned(random: Random, kind: str, run: int, rows: int) -> bool:
    """The learner is worse by 10 points, and on the last quarter better by 15."""
    early = draw(random, kind, run, rows - rows // 4, -0.1)
    return tested(np.r_[early, draw(random, kind, run, rows // 4, 0.15)]).recent == "better"


def _equal(random: Random, rows: int) -> bool:
    """Right as often as the reference, on other rows."""
    return tested(draw(random, "independent rows", 1, rows)).word == "equal"


def _dependent(random: Random, rows: int) -> bool:
    return tested(draw(random, "independent rows", 1, rows)).dependent


def _dependent_indeed(random: Random, run: int, rows: int) -> bool:
    return tested(draw(random, "geometric runs", run, rows)).dependent


def settings(rows: int) -> Iterator[tuple[str, int, float]]:
    """Kinds of streams of this length, the rows they depend over, and what may be false."""
    yield "independent rows", 1, 3.5
    for kind in ("geometric runs", "fixed runs", "sign regimes"):
        for run in dict.fromkeys((20, 200, rows // 50, rows // 20, rows // 10)):
            if 2 < run <= rows // 10:
                yield kind, run, 3.5 if run <= rows // 20 else MOST_FALSE_LONG
    if rows >= 10_000:
        yield "AR .99", 100, 3.5
        yield "weak slow part", rows // 50, 3.5
        yield "weak slow part", rows // 20, 3.5
    yield "1 % disagreement", 1, 3.5
    yield "1 % disagreement", 20, 3.5


def named(kind: str, run: int, rows: int) -> str:
    """A kind of stream in words."""
    part = next((f" (n/{p})" for p in (10, 20, 50) if run == rows // p and run > 20), "")
    of = "" if run == 1 or kind == "AR .99" else f" of {run:,}{part}"
    return f"{kind}{of}, {rows:,} rows"


def given_of(kind: str, run: int, rows: int) -> dict[str, Any]:
    """A kind of stream as the arguments of a trial."""
    return {"kind": kind, "run": run, "rows": rows}


def cases() -> list[Case]:
    """Every kind of stream, at every length."""
    found = []
    for rows in (MANY, *reversed(ROWS)):
        for kind, run, most in settings(rows):
            given = given_of(kind, run, rows)
            trials = 200 if rows == MANY else 2000
            has_power = kind != "1 % disagreement" or rows >= 10_000
            found.append(
                Case(
                    "verdict.better",
                    named(kind, run, rows),
                    partial(_decided, **given),
                    partial(_found, **given) if has_power else None,
                    partial(_oracle, **given) if has_power else None,
                    trials,
                    most,
                    quick=rows == 2_500,
                )
            )
    for kind, run in (("independent rows", 1), ("geometric runs", 20), ("geometric runs", 500)):
        for rows in (2_500, 10_000):
            if 20 * run <= rows:
                given = given_of(kind, run, rows)
                name = named(kind, run, rows)
                found.append(Case("verdict.any", name, partial(_any, **given)))
                if rows == 10_000:
                    lately, turned = partial(_lately, **given), partial(_turned, **given)
                    found.append(Case("verdict.lately", name, lately, turned))
    for rows in ROWS:
        found.append(Case("verdict.equal", f"{rows:,} rows", partial(_equal, rows=rows), most=1.0))
        found.append(
            Case(
                "verdict.dependence",
                f"independent rows, {rows:,} rows",
                partial(_dependent, rows=rows),
                partial(_dependent_indeed, run=rows // 20, rows=rows),
            )
        )
    return found
