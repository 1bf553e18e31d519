"""The verdict: its words, its remedy, and learners that are no better than a reference."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import Block, Floats, Schema
from streamgauge.measures.batch_means import BatchMeansTest, batch_means_test
from streamgauge.measures.curves import Curve
from streamgauge.measures.reference import Reference
from streamgauge.measures.verdict import ScorePair, effect_text, holm_words, judge
from streamgauge.streams.frames import ArrayStream

NO_CURVE = Curve(np.empty(0, np.int64), (), (), (sg.Cumulative(),), (np.empty((0, 0)),))
WEEKLY = Reference("Weekly", "repeating the label of a week ago", uses_label_order=True)
COIN = Reference("Coin", "tossing a coin")


def labels_only(y: list[int], k: int) -> sg.Stream:
    schema = Schema((), (), tuple(range(k)))
    return ArrayStream("labels", schema, Block(0, np.empty((len(y), 0)), np.array(y, np.int32)))


def test_cyclic_labels_are_won_by_transition() -> None:
    """P(T) = 0, yet the order determines every label: Persistent alone would not show it."""
    run = sg.evaluate(labels_only([0, 1, 2] * 400, 3), sg.Majority())
    best = run.verdict.against[0]
    assert best.reference == "Transition"
    assert best.reference_score > 0.99
    assert best.word == "worse"
    text = str(run.verdict)
    assert "worse than guessing the usual successor of the last label (Transition" in text
    assert "The order of the labels carries information" in text
    assert "try a learner that uses features and past labels, such as TemporallyAugmented(" in text
    assert run.verdict["Persistent"].reference_score == 0


def test_reference_as_learner_is_equal() -> None:
    random = np.random.default_rng(1)
    y = np.repeat(random.integers(0, 2, 500), 4).tolist()
    run = sg.evaluate(labels_only(y, 2), sg.Persistent(), forget=[sg.Fading(0.99)])
    assert run.verdict["Persistent"].word == "equal"
    assert "is equal to repeating the last label" in str(run.verdict)
    assert run.verdict.kappa_plus_share == 0  # not better than itself by rounding
    assert run.summary["kappa_temporal"] == 0


def test_remedy_fits_the_learner() -> None:
    """The suggested learner can be parsed; one that uses past labels gets another suggestion."""
    from streamgauge.learners.learner_text import parse_learner

    def remedy(learner: object) -> str:
        y = np.repeat(np.random.default_rng(1).integers(0, 2, 100), 10)
        run = sg.evaluate(labels_only(y.tolist(), 2), learner)
        assert run.verdict["Persistent"].word == "worse"
        assert f"does not use: {run.verdict.remedy}." in str(run.verdict)
        return run.verdict.remedy

    assert remedy("KNN(n_neighbors=3)") == "try TemporallyAugmented(KNN(n_neighbors=3))"
    parse_learner("TemporallyAugmented(KNN(n_neighbors=3))")
    assert "another base learner" in remedy(sg.TemporallyAugmented("Majority"))


def test_verdict_on_few_rows_says_too_few() -> None:
    run = sg.evaluate(labels_only([0, 1] * 15, 2), sg.Majority())
    assert run.verdict["Persistent"].word == "too few rows to say"
    assert "Too few rows to compare it with guessing" in str(run.verdict)


def test_verdict_mentions_where_kappa_plus_is_undefined() -> None:
    y = [0] * 1500 + [0, 1] * 300
    run = sg.evaluate(labels_only(y, 2), sg.Majority(), forget=[sg.Window(100)])
    assert run.verdict.kappa_plus_undefined_share > 0.5
    assert "undefined on" in str(run.verdict)
    points, why = run.undefined["kappa_temporal"]
    assert points > 0
    assert "the reference was right on every row" in why


def test_verdict_describes_each_reference_in_its_own_words() -> None:
    worse = batch_means_test(np.random.default_rng(1).normal(-1, 1, 900))
    scores = [
        ScorePair(COIN, 0.6, 0.5, replace(worse, word="better")),
        ScorePair(WEEKLY, 0.6, 0.9, worse, order=replace(worse, word="better")),
    ]
    text = str(judge("Mine", scores, NO_CURVE, False, "look at the calendar"))
    assert (
        "Mine is worse than repeating the label of a week ago (Weekly: 60.0 % against 90.0 %, −"
    ) in text
    assert "It is better than tossing a coin (Coin: " in text
    assert text.endswith(
        "The order of the labels carries information here that this learner does not use: look at "
        "the calendar."
    )


def test_order_is_not_said_to_inform_where_only_luck_puts_a_reference_ahead() -> None:
    """On independent labels one of Majority and Persistent is ahead by chance."""
    y = np.random.default_rng(2).integers(0, 2, 3000)
    wrong = np.where(np.random.default_rng(3).random(3000) < 0.7, 1 - y, y)
    run = sg.score(y, wrong)
    assert run.verdict.against[0].reference != "Majority"
    assert run.verdict.against[0].word == "worse"
    assert run.verdict.remedy
    assert not run.verdict.order_informs
    assert run.verdict.advice == ""
    assert "On these rows the order of the labels alone gave more correct" in str(run.verdict)


def test_references_of_which_the_same_is_said_share_a_sentence() -> None:
    """With immediate labels Seasonal repeats the last label, as Persistent does."""
    worse = batch_means_test(np.random.default_rng(1).normal(-1, 1, 900))
    last = Reference("Persistent", "repeating the last label", uses_label_order=True, tie_rank=0)
    seasonal = Reference("Seasonal", "repeating the label of the row before", tie_rank=1)
    own = Reference("Own", "")

    def lines(*scores: ScorePair) -> list[str]:
        return str(judge("Mine", scores, NO_CURVE, False, "look back")).splitlines()

    same = [ScorePair(last, 0.6, 0.9, worse), ScorePair(seasonal, 0.6, 0.9001, worse)]
    coin = ScorePair(COIN, 0.6, 0.5, replace(worse, word="better"))
    first, second, *_ = lines(*same, coin)
    t = effect_of(worse, 0.6, 0.9)  # all are one test
    assert first == (
        "Mine is worse than repeating the label of the row before (Seasonal) and repeating the "
        f"last label (Persistent): 60.0 % against 90.0 %, {t}."
    )
    assert second.startswith("It is better than tossing a coin (Coin: 60.0 % against 50.0 %, ")
    three = lines(*same, ScorePair(own, 0.6, 0.9, worse), coin)
    assert "(Seasonal), repeating the last label (Persistent) and Own: 60.0 % against" in three[0]
    assert lines(*same[:1], ScorePair(seasonal, 0.6, 0.91, worse))[:2] == [
        "Mine is worse than repeating the label of the row before (Seasonal: 60.0 % against 91.0 "
        f"%, {effect_of(worse, 0.6, 0.91)}).",
        f"It is worse than repeating the last label (Persistent: 60.0 % against 90.0 %, {t}).",
    ]
    opened = [ScorePair(each.reference, 0.6, 0.9, OPEN) for each in same]
    assert lines(*opened)[0].startswith(
        "Open: Mine was less accurate than repeating the last label (Persistent) and repeating the "
        f"label of the row before (Seasonal) on these rows (60.0 % against 90.0 %, "
        f"{effect_of(OPEN, 0.6, 0.9)}, in 9 of 10 parts of the stream); the errors depend"
    )


OPEN = BatchMeansTest("open", -2.0, 0.08, -0.2, 0.1, 212, 212, 8, 1696, True, (0.1,) + (-0.3,) * 9)


def effect_of(test: BatchMeansTest, own: float, other: float) -> str:
    return effect_text(own - other, *test.interval(0.99), False)


def test_an_open_verdict_states_the_fact_and_its_limit() -> None:
    scores = [ScorePair(COIN, 0.79, 0.5, OPEN), ScorePair(WEEKLY, 0.79, 0.853, OPEN)]
    lines = str(judge("Tree", scores, NO_CURVE, False, "try X")).splitlines()
    assert lines == [
        "Open: Tree was less accurate than repeating the label of a week ago on these rows "
        f"(Weekly: 79.0 % against 85.3 %, {effect_of(OPEN, 0.79, 0.853)}, in 9 of 10 parts of "
        "the stream); the errors depend on each other over about 1,700 rows or more, so these rows "
        "do not show whether that would hold on more of the same.",
        "Also open: it was more accurate than tossing a coin on these rows (Coin: 79.0 % against "
        f"50.0 %, {effect_of(OPEN, 0.79, 0.5)}, in 1 of 10 parts of the stream); the errors "
        "depend on each other over about 1,700 rows or more.",
        "On these rows the order of the labels alone gave more correct predictions than this "
        "learner: try X.",
    ]


def test_an_open_verdict_gives_no_advice_to_the_one_ahead() -> None:
    verdict = judge("Tree", [ScorePair(WEEKLY, 0.9, 0.853, OPEN)], NO_CURVE, False, "try X")
    assert verdict.notes == ()
    equal = str(judge("Tree", [ScorePair(WEEKLY, 0.9, 0.9, OPEN)], NO_CURVE, False, "try X"))
    assert "was as accurate as repeating the label of a week ago on these rows (Weekly: " in equal
    assert "parts of the stream" not in equal


def test_an_open_verdict_of_a_regression_speaks_of_errors() -> None:
    text = str(judge("Tree", [ScorePair(WEEKLY, 3.0, 2.0, OPEN)], NO_CURVE, True, "try X"))
    assert text.startswith("Open: Tree had a larger error than repeating the label of a week ago ")
    assert "(Weekly: MAE 3 against MAE 2, −1, " in text
    assert ", in 9 of 10 parts of the stream)" in text
    assert "try X" not in text


def test_long_runs_leave_the_verdict_open() -> None:
    """By batches of ⌊√n⌋ rows the learner would be clearly worse, from four regimes."""
    y = np.repeat([0, 1, 0, 1], 500)
    wrong = np.repeat([1, 0, 1, 0], 500).astype(bool)
    run = sg.score(y, np.where(wrong, 1 - y, y))
    assert run.verdict["Persistent"].word == "open"
    assert str(run.verdict).startswith("Open: predictions was less accurate than repeating the ")


def test_regression_compares_each_reference_on_the_rows_that_both_predicted() -> None:
    """A reference that seldom predicts does not narrow the comparison with the others."""

    class Lazy:
        as_reference = sg.Reference("Lazy", "predicting the second half")

        def start(self, schema: Schema, seed: int) -> None:
            self.seen = 0

        def predict(self, X: Floats) -> Floats:
            return np.full(len(X), np.nan if self.seen < 500 else 0.0)

        def learn(self, X: Floats, y: Floats, w: Floats) -> None:
            self.seen += len(y)

    y = np.random.default_rng(1).normal(size=1000)
    stream = sg.from_arrays(np.empty((1000, 0)), y)
    run = sg.evaluate(stream, "LastValue", references=[Lazy()])
    lazy, mean = run.verdict["Lazy"], run.verdict["Mean"]
    assert lazy.reference_score == pytest.approx(np.abs(y[500:]).mean())
    assert lazy.learner_score == pytest.approx(np.abs(np.diff(y)[499:]).mean())
    assert mean.learner_score == pytest.approx(np.abs(np.diff(y)).mean())
    assert lazy.test.parts == pytest.approx(
        (np.abs(y[500:]) - np.abs(np.diff(y)[499:])).reshape(10, 50).mean(axis=1)
    )


def test_verdict_does_not_round_99_99_percent_to_100() -> None:
    y = np.repeat(np.arange(20_000) % 2, 1)
    y[9_999] = y[9_998]
    run = sg.score(y, np.arange(20_000) % 2)
    assert "99.9" in str(run.verdict)
    assert "100.0 %" not in str(run.verdict)


def test_verdict_does_not_use_algorithm_1_of_zliobaite2015() -> None:
    printed = sg.Fading(0.99, estimator="zliobaite2015")
    y = np.repeat(np.random.default_rng(1).integers(0, 2, 100), 10).tolist()
    stream = labels_only(y, 2)
    alone = sg.evaluate(stream, sg.Majority(), forget=[printed]).verdict
    assert "kappa_plus" not in str(alone)
    both = sg.evaluate(stream, sg.Majority(), forget=[printed, sg.Window(100)]).verdict
    assert both.kappa_plus_forgetting == "Window(100)"
    for reference in ("Majority", "Persistent", "Transition"):
        assert alone[reference] == both[reference]


def test_references_are_judged_together() -> None:
    """Holm: one of three needs a p below 0.33 %, and then the next below 0.5 %."""
    strong = replace(OPEN, word="better", t=9.0, p=1e-6, mean=0.9, freedom=20)
    weak = replace(strong, p=0.006, mean=0.5)
    words, levels = zip(*holm_words([weak, strong, OPEN, strong, weak]), strict=True)
    unclear = "no clear difference"
    assert words == (unclear, "better", "open", "better", unclear)
    # Three different tests; the second does not decide at 0.5 %, and the third has its level.
    assert levels == pytest.approx([0.995, 1 - 0.01 / 3, 0.995, 1 - 0.01 / 3, 0.995])
    almost = replace(weak, p=0.0061, mean=weak.mean + 1e-4)
    assert [word for word, _ in holm_words([weak, almost])] == ["better"] * 2
    assert [word for word, _ in holm_words([weak, replace(weak, mean=1.9)])] == [unclear] * 2
    assert [word for word, _ in holm_words([weak])] == ["better"]
    few = BatchMeansTest("too few rows to say")
    assert holm_words([few, weak])[0][0] == "too few rows to say"
    assert holm_words([few, weak])[1][0] == "better"  # what could not be tested does not count


def test_intervals_exclude_0_where_the_word_decides() -> None:
    y = np.repeat(np.random.default_rng(1).integers(0, 2, 300), 10)
    for learner in ("Majority", "NaiveBayes"):
        for each in sg.evaluate(labels_only(y.tolist(), 2), learner).verdict.against:
            outside = each.low > 0 or each.high < 0
            assert outside == (each.word in ("better", "worse"))
            assert each.effect == pytest.approx(each.learner_score - each.reference_score, abs=0.02)


def test_a_late_change_of_sign_is_said() -> None:
    random = np.random.default_rng(1)
    y = random.integers(0, 2, 12_000)
    right = random.random(12_000) < np.r_[np.full(9000, 0.46), np.full(3000, 0.56)]
    run = sg.score(y, np.where(right, y, 1 - y))
    persistent = run.verdict["Persistent"]
    assert persistent.test.recent == "better"
    assert persistent.word != "better"
    assert f"lately, on the last {persistent.test.recent_rows:,} rows, it is better" in (
        str(run.verdict)
    )


def test_who_looks_again_and_again_hears_less() -> None:
    random = np.random.default_rng(1)
    y = random.integers(0, 2, 5000)
    run = sg.score(y, np.where(random.random(5000) < 0.535, y, 1 - y))
    once, lasting = (v["Persistent"] for v in (run.verdict, run.verdict.lasting(5000)))
    assert lasting.low < once.low < once.high < lasting.high
    clear = sg.score(y, y).verdict.lasting(5000)
    assert {each.word for each in clear.against} == {"better"}
    early = sg.score(y[:1000], y[:1000]).verdict.lasting(1000)
    assert {each.word for each in early.against} == {"too few rows to say"}


def test_unknown_reference_is_named_with_a_suggestion() -> None:
    verdict = judge("Tree", [ScorePair(WEEKLY, 0.9, 0.8, OPEN)], NO_CURVE, False, "try X")
    with pytest.raises(sg.UsageError, match=r"no reference 'Weakly' \(did you mean 'Weekly'\?\)"):
        verdict["Weakly"]


def test_labels_after_the_last_prediction_leave_nothing_to_compare(tmp_path: Path) -> None:
    run = sg.evaluate(labels_only([0, 1, 1] * 200, 2), "Majority", labels=sg.Delay(5000))
    said = [
        "No label came before the last prediction, so there is nothing to compare: the references "
        "made no prediction either.",
        "Warning: Majority made no prediction for 600 of 600 rows, which count as wrong.",
    ]
    assert str(run.verdict).splitlines() == said
    assert str(sg.open_run(run.save(tmp_path)).verdict).splitlines() == said
    in_time = sg.evaluate(labels_only([0, 1, 1] * 200, 2), "Majority", labels=sg.Delay(500))
    assert "nothing to compare" not in str(in_time.verdict)


def test_batches_without_variation_are_said_in_words() -> None:
    """Student's t would be infinite or undefined."""
    for difference, said in ((0.5, "the same difference in every batch"), (0, "equal in every")):
        test = batch_means_test(np.full(900, float(difference)))
        text = str(judge("Tree", [ScorePair(COIN, 0.9, 0.4, test)], NO_CURVE, False, "try X"))
        assert f"(Coin: 90.0 % against 40.0 %, {said}" in text


def test_parts_that_tie_are_counted() -> None:
    tied = replace(OPEN, parts=(0.1, 0.2, *[0.0] * 8))
    text = str(judge("Tree", [ScorePair(COIN, 0.9, 0.8, tied)], NO_CURVE, False, "try X"))
    assert ", in 2 of 10 parts of the stream, equal in 8)" in text
