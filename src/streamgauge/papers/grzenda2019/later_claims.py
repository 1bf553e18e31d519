"""The claims of Sections 6 and 7 of grzenda2019: what K and B do, and regression."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from streamgauge._support.types import Floats
from streamgauge.papers.claim import PaperClaim, judge
from streamgauge.papers.grzenda2019.plan import FINAL, FIRST, K
from streamgauge.papers.grzenda2019.scores import BinScores, at, best_by_bin
from streamgauge.runs.run import Run

_WARM = 100  # labels before N_C has a full window


def effort_claims(run: Run | None) -> list[PaperClaim]:
    """Figure 11: N_C and N_B on Airlines."""
    made, held = (_along(run, name) for name in ("n_c", "n_b"))
    with np.errstate(invalid="ignore"):  # constant under a fixed delay
        related = float(np.corrcoef(made, held)[0, 1]) if run else math.nan
    lowest = {
        f"lowest {name} / highest": float(values.min() / values.max()) if run else math.nan
        for name, values in (("N_C", made), ("N_B", held))
    }
    return [
        judge(
            "The number of predictions stored is closely related to the number made.",
            "The correlation of N_C and N_B along the stream is above 0.9.",
            related > 0.9,
            {"correlation": related},
        ),
        judge(
            "Both drop significantly at night.",
            "After the first 100 labels, both fall below a tenth of their highest value.",
            max(lowest.values()) < 0.1,
            lowest,
        ),
    ]


def _along(run: Run | None, name: str) -> Floats:
    """The effort after the first labels."""
    if run is None:
        return np.full(2, np.nan)
    along = run.bins.effort
    return np.asarray(along[name][along["rows"] > _WARM])


def repredictions_claims(by_every: Mapping[int, Run]) -> list[PaperClaim]:
    """Figure 12: N_R on Airlines."""
    last = {every: float(run.bins.n_r) for every, run in by_every.items()}
    moves = {}
    for every, run in by_every.items():
        half = run.bins.effort["n_r"][len(run.bins.effort["n_r"]) // 2 :]
        moves[f"K = {every}"] = float(np.abs(half / last[every] - 1).max())
    about = last.get(K, math.nan)
    return [
        judge(
            "N_R is very stable, for every K.",
            "In the second half of the stream it stays within 10 % of its last value.",
            max(moves.values(), default=math.nan) < 0.1,
            moves or {"N_R": math.nan},
        ),
        judge(
            "With K = 10 about 10 further predictions are made for every labelled row.",
            "N_R lies between 9 and 11.",
            9 <= about <= 11,
            {"N_R": about},
        ),
    ]


def bin_number_claims(by_bins: Mapping[int, BinScores]) -> list[PaperClaim]:
    """Figure 13: NC on Electricity with several B."""
    off = {bins: _difference(by_bins, bins) for bins in sorted(by_bins) if bins != 100}
    coarse = [difference for bins, difference in off.items() if bins < 20]
    near = off.get(50, math.nan)
    return [
        judge(
            "The difference between B = 50 and B = 100 is minor.",
            "The mean absolute difference between each bin of 100 and the bin of 50 that it lies "
            "in is below 0.5 points.",
            near < 0.5,
            {"mean difference": near},
        ),
        judge(
            "With B < 20 only a coarse approximation of the evolution is seen.",
            "By the same measure each B < 20 is at least twice as far from B = 100 as B = 50 is.",
            min(coarse, default=math.nan) >= 2 * near,
            {f"B = {bins}": each for bins, each in off.items()} or {"NC": math.nan},
        ),
    ]


def _difference(by_bins: Mapping[int, BinScores], bins: int) -> float:
    """Mean absolute difference between bins of 100 and the bins of B they lie in."""
    if 100 not in by_bins:
        return math.nan
    fine, rough = by_bins[100].mean[1:-1], by_bins[bins].mean[1:-1]
    return float(np.abs(fine - np.repeat(rough, 100 // bins)).mean())


def regression_claims(scores: Mapping[str, BinScores]) -> list[PaperClaim]:
    """Table 2 and Figure 14."""
    margins = {}
    for name in ("FIMTDD", "AMRules", "ARFReg", "ORTO"):
        known = {name, "TMean"} <= {*scores}
        margins[name] = (
            float((scores[name].mean - scores["TMean"].mean).max()) if known else math.nan
        )
    better = [margins[name] < 0 for name in ("FIMTDD", "AMRules", "ARFReg")]
    mean = [round(at(scores, "TMean", b), 2) for b in (FIRST, 45, FINAL)]
    best = {*best_by_bin(scores, lower=True)} if scores else set()
    fall = at(scores, "ARFReg", FINAL) - at(scores, "ARFReg", FIRST)
    return [
        judge(
            "Table 2 is what the authors' program gives for TMean.",
            "Ours are 132.30, 131.81 and 131.80 to the digit.",
            None if math.isnan(mean[0]) else mean == [132.30, 131.81, 131.80],
            ", ".join(f"{each:.2f}" for each in mean) + ".",
        ),
        judge(
            "FIMTDD, AMRules and ARFReg are better than TMean.",
            "The error of each is lower than TMean's in every bin.",
            all(better),
            {f"largest {name} − TMean": margins[name] for name in ("FIMTDD", "AMRules", "ARFReg")},
        ),
        judge(
            "ORTO is not better than TMean.",
            "ORTO's error is higher than TMean's in some bin.",
            margins["ORTO"] > 0,
            {"largest ORTO − TMean": margins["ORTO"]},
        ),
        judge(
            "ARFReg outperforms all other methods in every bin.",
            "It has the lowest error in every bin.",
            best == {"ARFReg"} if best else None,
            f"Lowest: {', '.join(sorted(best))}." if best else "Not run.",
        ),
        judge(
            "ARFReg's error is lower at b = 51 than at b = 0.",
            "The difference is below 0.",
            fall < 0,
            {"difference": fall},
        ),
    ]  # fmt: skip
