"""The numbers in the text of gama2013 (§3): rows, precision and weights, computed again."""

from __future__ import annotations

import math

from streamgauge.measures.sample_size import half_width, hoeffding_rows, rows_for
from streamgauge.papers.claim import judge
from streamgauge.papers.paper import PaperSection, PaperTable
from streamgauge.papers.printed import printed
from streamgauge.papers.study import PaperStudy
from streamgauge.rendering.sheet import sheet_of

_RANGE, _CONFIDENCE = 0.01, 0.95
_FACTOR, _LATER = 0.995, 3000
_NAMES = {
    "hoeffding": "rows for an error of ±1 % at 95 %, by Hoeffding's bound",
    "window": "error of a window of 1000 rows",
    "rows": "rows for an error of 1 %",
    "weight": "weight of the first row after 3000, α = 0.995",
}


def show_text(study: PaperStudy) -> PaperSection:
    """Our numbers, the printed ones, and whether they agree."""
    theirs = {name: row[0] for name, row in printed("gama2013")["text"].rows.items()}
    solution = math.log(2 / (1 - _CONFIDENCE)) / (2 * _RANGE**2)
    ours = {
        "hoeffding": solution,
        "window": half_width(1000),
        "rows": float(rows_for(_RANGE)),
        "weight": _FACTOR**_LATER,
    }
    forms = {"hoeffding": ".1f", "window": ".4f", "rows": ".0f", "weight": ".2e"}
    lines = [[_NAMES[name], format(ours[name], forms[name]), str(theirs[name])] for name in _NAMES]
    claims = [
        judge(
            "18,444 rows suffice for an error of 1 % with a probability of 95 % (Appendix A).",
            "The solution of the printed equation, 2 exp(−2 · 0.01² n) = 0.05, rounded to an "
            "integer, is the printed number.",
            round(ours["hoeffding"]) == theirs["hoeffding"],
            f"n = {solution:.2f}; the bound itself needs {hoeffding_rows(_RANGE):,} rows.",
        ),
        judge(
            "A window of 1000 rows gives the error to 3 % at 95 %.",
            "2 √(0.25 / n), rounded to a per cent, is the printed number.",
            round(ours["window"], 2) == theirs["window"],
            f"{ours['window']:.4f}.",
        ),
        judge(
            "An error of 1 % needs 10,000 rows.",
            "The n of 2 √(0.25 / n) = 0.01 is the printed number.",
            ours["rows"] == theirs["rows"],
            f"n = {ours['rows']:,.0f}.",
        ),
        judge(
            "With α = 0.995 the first of 3000 rows has the weight 2.9E−7.",
            "0.995³⁰⁰⁰, rounded to two digits, is the printed number.",
            float(f"{ours['weight']:.1e}") == theirs["weight"],
            f"{ours['weight']:.3e}.",
        ),
    ]
    note = (
        "The paper solves 4 √(0.25 / n) = ε, the width of the interval, and prints the results for "
        "half of it: by its equation 1000 rows give 6.3 %, and 1 % needs 40,000 rows."
    )
    table = PaperTable("Numbers in the text.", sheet_of([["", "ours", "printed"], *lines]))
    return PaperSection([table], claims=claims, notes=[note])
