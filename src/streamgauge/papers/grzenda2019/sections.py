"""What we show of each part of grzenda2019."""

from __future__ import annotations

from functools import partial

from streamgauge.papers.claim import PaperClaim
from streamgauge.papers.grzenda2019 import claims, figures, later_claims, plan, tables
from streamgauge.papers.grzenda2019.plan import BIKES, DATA, K, Runs
from streamgauge.papers.grzenda2019.scores import BinScores, scores_of
from streamgauge.papers.paper import PaperFigure, PaperSection, PaperTable
from streamgauge.papers.study import PaperStudy
from streamgauge.runs.run import Run

_BINS_CLAIMS = {
    "Hyperplane": claims.hyperplane_claims,
    "Airlines": claims.airlines_claims,
    "Electricity": claims.electricity_claims,
    "Cover type": claims.cover_claims,
    "LED": claims.led_claims,
    "Agrawal": claims.agrawal_claims,
}
_STAND_IN = (
    "The file is not available. Ours are ten generated streams (seeds 1 to 10) of "
    f"{plan.STAND_IN} with labels 100 rows late, a stand-in that was not fitted to the paper. 100 "
    "of the 250 rows are predicted before any label, where the program predicts the first class: "
    "most of the rise comes from there."
)
_NOTES = {
    "Hyperplane": _STAND_IN,
    "Agrawal": "The text under the figure says that labels come 500 rows late; the file has 1,000.",
}
_MOA_HAT = (
    "MOA's own HAT, through CapyMOA, is run in the full profile. Ours follows the same rules with "
    "other random numbers."
)
_EVERY = (1, 2, 5, 10, 20, 50)  # K of Figure 12; the paper's own are not in its text
_BIN_NUMBERS = {"quick": (10, 50, 100), "full": (5, 10, 20, 50, 100)}  # B of Figure 13


def table1(study: PaperStudy) -> PaperSection:
    """Table 1, how far it agrees, and who is best where."""
    scores = {name: scores_of(plan.table1_runs(study, name)) for name in DATA}
    found = tables.agreement(scores)
    caption = (
        "Accuracy in per cent at three bins, K = 10, B = 50. Bold: the best. Hyperplane is a "
        "generated stand-in, mean and standard deviation over ten seeds."
    )
    shown = [
        PaperTable(caption, tables.score_table("table1", scores, lower=False)),
        tables.agreement_table(found),
        tables.best_table(scores),
    ]
    notes = [] if study.full else [_MOA_HAT]
    return PaperSection(shown, [], claims.table1_claims(scores, found), notes)


def table2(study: PaperStudy) -> PaperSection:
    """Table 2 and Figure 14."""
    scores = scores_of(plan.table2_runs(study))
    caption = "Mean absolute error at three bins, labels 168 rows late, K = 10, B = 50."
    sheet = tables.score_table("table2", {BIKES: scores}, lower=True)
    drawn = [PaperFigure("figure14", partial(figures.draw_bins, BIKES, scores))] if scores else []
    notes = [] if study.full else ["MOA's ORTO is run in the full profile, and five seeds."]
    return PaperSection(
        [PaperTable(caption, sheet)], drawn, later_claims.regression_claims(scores), notes
    )


def bins_section(study: PaperStudy, data: str, figure: str) -> PaperSection:
    """A figure of all learners over the bins of the wait."""
    scores = scores_of(plan.table1_runs(study, data))
    title = f"{data}, generated" if "generate" in DATA[data].stream else data
    drawn = [PaperFigure(figure, partial(figures.draw_bins, title, scores))] if scores else []
    notes = [_NOTES[data]] if data in _NOTES else []
    return PaperSection([], drawn, _BINS_CLAIMS[data](scores), notes)


def along_section(study: PaperStudy, data: str, figure: str) -> PaperSection:
    """Four bins along the stream, for kNN and HAT."""
    every = plan.table1_runs(study, data)
    runs = {name: each[0] for name, each in every.items() if name in ("kNN", "HAT")}
    drawn = [PaperFigure(figure, partial(figures.draw_along, data, runs))] if runs else []
    return PaperSection([], drawn, _along_claims(data, scores_of(every), runs))


def _along_claims(
    data: str, scores: dict[str, BinScores], runs: dict[str, Run]
) -> list[PaperClaim]:
    if data == "Agrawal":
        return claims.agrawal_along_claims(scores, runs)
    return [claims.best_when_final(data, scores, figures.SHOWN_ALONG)]


def figure11(study: PaperStudy) -> PaperSection:
    """N_C and N_B on Airlines; they are the same for every learner."""
    run = _first(plan.table1_runs(study, "Airlines"))
    drawn = [PaperFigure("figure11", partial(figures.draw_effort, run, "Airlines"))] if run else []
    return PaperSection([], drawn, later_claims.effort_claims(run))


def figure12(study: PaperStudy) -> PaperSection:
    """N_R on Airlines for several K."""
    by_every = {}
    for every in _EVERY:
        run = _first(
            plan.table1_runs(study, "Airlines")
            if every == K
            else plan.run_learners(study, "Airlines", {"MC": "Majority()"}, every=every)
        )
        if run is not None:
            by_every[every] = run
    drawn = []
    if by_every:
        drawn = [PaperFigure("figure12", partial(figures.draw_repredictions, by_every, "Airlines"))]
    note = "The figure's K are ours: those of the paper are not in its text."
    return PaperSection([], drawn, later_claims.repredictions_claims(by_every), [note])


def figure13(study: PaperStudy) -> PaperSection:
    """NC on Electricity with several B."""
    by_bins = {}
    for bins in _BIN_NUMBERS[study.profile]:
        found = (
            plan.table1_runs(study, "Electricity")
            if bins == plan.B
            else plan.run_learners(study, "Electricity", {"NC": "Persistent()"}, bins=bins)
        )
        if "NC" in found:
            by_bins[bins] = BinScores(found["NC"])
    drawn = [PaperFigure("figure13", partial(figures.draw_bin_numbers, by_bins))] if by_bins else []
    return PaperSection([], drawn, later_claims.bin_number_claims(by_bins))


def beyond(study: PaperStudy) -> PaperSection:
    """What the paper does not show: coverage, and a heat map along the stream."""
    bayes = {"NB": "NaiveBayes()"}
    exact = {name: _first(plan.run_learners(study, name, bayes, exact=True)) for name in DATA}
    known = {name: run for name, run in exact.items() if run is not None}
    drawn = []
    for name in ("Electricity", "Cover type"):
        runs = plan.table1_runs(study, name)
        if "kNN" in runs:
            file = f"heatmap-{name.lower().replace(' ', '-')}"
            drawn.append(PaperFigure(file, partial(runs["kNN"][0].bins.plot, "time", parts=20)))
    note = (
        "Where coverage rises from bin to bin, accuracy rises without any learning. The heat maps "
        "are kNN's."
    )
    return PaperSection([tables.coverage_table(known)] if known else [], drawn, [], [note])


def _first(runs: Runs) -> Run | None:
    return next((each[0] for each in runs.values()), None)
