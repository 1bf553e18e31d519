"""Tables of grzenda2019: printed values, agreement, and our numbers on the authors' streams."""

from __future__ import annotations

from pathlib import Path

import pytest

from streamgauge.papers.grzenda2019.plan import (
    BIKES,
    LEARNERS,
    REGRESSORS,
    SHOWN_BINS,
    run_learners,
)
from streamgauge.papers.grzenda2019.scores import BinScores
from streamgauge.papers.grzenda2019.tables import (
    agreement,
    agreement_table,
    best_table,
    printed_value,
    score_table,
    stretches,
)
from streamgauge.papers.printed import printed
from streamgauge.papers.study import PaperStudy
from tests.conftest import real_data
from tests.papers.grzenda2019.small import line, made_up

FILES = {
    "Airlines": "airlines_atl_2008w1", "Agrawal": "grzenda_agrawal", "LED": "grzenda_led",
    "Electricity": "grzenda_electricity", "Cover type": "covtype", BIKES: "bike_hour",
}  # fmt: skip
QUICK = [("Airlines", name) for name in ("NB", "NC", "MC", "kNN", "HT")]
QUICK += [("Agrawal", name) for name in ("NB", "NC", "MC", "HT")]
SLOW = [("Agrawal", "kNN")]
SLOW += [(data, name) for data in ("LED", "Electricity", "Cover type")
         for name in ("NB", "NC", "MC", "kNN", "HT")]  # fmt: skip


def our_scores(data: str, learner: str, folder: Path) -> list[float]:
    real_data(FILES[data])
    study = PaperStudy("quick", folder, workers=0, progress=False)
    runs = run_learners(study, data, {learner: (LEARNERS | REGRESSORS)[learner]})
    return [round(float(BinScores(runs[learner]).mean[b]), 2) for b in SHOWN_BINS]


@pytest.mark.parametrize(
    ("data", "learner"), [*QUICK, *(pytest.param(*each, marks=pytest.mark.long) for each in SLOW)]
)
def test_our_learners_give_table_1(data: str, learner: str, tmp_path: Path) -> None:
    expected = [printed_value("table1", data, b, learner) for b in SHOWN_BINS]
    found = our_scores(data, learner, tmp_path)
    assert max(abs(a - b) for a, b in zip(found, expected, strict=True)) < 0.0201, found


def test_mean_gives_table_2_to_the_digit(tmp_path: Path) -> None:
    expected = [printed_value("table2", BIKES, b, "TMean") for b in SHOWN_BINS]
    assert our_scores(BIKES, "TMean", tmp_path) == expected


def test_printed_tables_have_a_value_for_every_learner_and_bin() -> None:
    one, two = (printed("grzenda2019")[name] for name in ("table1", "table2"))
    assert (one.page, len(one.rows)) == (15, 18)
    assert one.columns == [*LEARNERS]
    assert {len(row) for row in one.rows.values()} == {7}
    assert (two.page, two.value("Bike sharing b=45", "ORTO")) == (25, 228.20)


def test_score_table_shows_printed_values_in_brackets_and_marks_the_best() -> None:
    scores = {"LED": {"NB": made_up(line(53.74, 59.61)), "HT": made_up(line(60, 70))}}
    sheet = score_table("table1", scores, lower=False)
    first = sheet.lines[0]
    assert [cell.plain for cell in first[:4]] == ["LED", "b = 0", "53.74 (53.74)", "– (9.75)"]
    assert [cell.plain for cell in first if cell.best] == ["60.00 (59.56)"]


def test_agreement_counts_values_within_the_tolerance() -> None:
    scores = {
        "Hyperplane": {"NB": made_up(line(0, 1))},
        "LED": {"NB": made_up(line(53.76, 59.65))},
    }
    found = agreement(scores)
    assert [*found] == [("LED", "NB")]
    assert found["LED", "NB"][0] == pytest.approx(0.02)
    assert found.worst(["NB"]) == pytest.approx(abs(found["LED", "NB"][1]))
    lines = agreement_table(found).sheet.lines
    assert [cell.plain for cell in lines[0][:2]] == ["NB", "1 of 3"]


def test_best_table_lists_stretches_of_bins() -> None:
    scores = {"LED": {"NB": made_up(line(50, 60)), "HT": made_up(line(55, 56))}, "Airlines": {}}
    (row,) = best_table(scores).sheet.lines
    assert row[1].text.startswith("HT 0–")
    assert row[1].text.endswith("–51")
    assert stretches(["A"]) == "A 0"
