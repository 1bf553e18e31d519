"""Tables of learners and detectors: constructor calls by the names used in recordings.

A case whose name starts with a package is skipped if that package is not installed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamgauge as sg
from bench.digits.own import OneByOne, OwnLearner, OwnSequences

Make = Callable[[], Any]

# Name, streams, constructor. The first stream has immediate labels; the others have late labels and
# probability metrics.
LEARNERS: list[tuple[str, str, Make]] = [
    ("majority", "elec2 airlines", sg.Majority),
    ("majority_window", "elec2 covtype", lambda: sg.Majority(sg.Window(50), start_as=0)),
    ("majority_fading", "elec2 powersupply", lambda: sg.Majority(sg.Fading(0.98))),
    ("persistent", "elec2 covtype", sg.Persistent),
    ("persistent_oracle", "elec2 airlines", lambda: sg.Persistent(start_as=1, oracle=True)),
    ("transition", "powersupply elec2", sg.Transition),
    ("mean", "bike_hour", sg.Mean),
    ("last_value", "bike_hour", sg.LastValue),
    ("naive_bayes", "elec2 airlines covtype ozone", sg.NaiveBayes),
    ("knn", "elec2 airlines", sg.KNN),
    ("sam_knn", "elec2 airlines", lambda: sg.SAMkNN(limit=500)),
    ("knn_other", "covtype elec2_papers", lambda: sg.KNN(n_neighbors=3, window_size=200)),
    ("hoeffding_tree", "elec2 airlines covtype", sg.HoeffdingTree),
    (
        "hoeffding_tree_nb",
        "elec2 covtype",
        lambda: sg.HoeffdingTree(
            grace_period=50, delta=0.05, tau=0.1, leaf_prediction="nb", split_criterion="gini"
        ),
    ),
    (
        "hoeffding_tree_mc",
        "airlines elec2",
        lambda: sg.HoeffdingTree(grace_period=100, leaf_prediction="mc"),
    ),
    (
        "hoeffding_tree_bounded",
        "elec2 rbf",
        lambda: sg.HoeffdingTree(grace_period=20, delta=0.1, tau=0.2, max_byte_size=30_000),
    ),
    ("hoeffding_tree_sensor", "elec2", lambda: sg.HoeffdingTree(grace_period=20, memory="sensor")),
    ("adaptive_tree", "sine_drift elec2 airlines", sg.HoeffdingAdaptiveTree),
    (
        "adaptive_tree_other",
        "sea_drift covtype",
        lambda: sg.HoeffdingAdaptiveTree(
            grace_period=50, delta=0.01, tau=0.1, leaf_prediction="mc", split_criterion="gini"
        ),
    ),
    ("fast_tree", "elec2 airlines", sg.ExtremelyFastDecisionTree),
    ("forest", "elec2 airlines", sg.AdaptiveRandomForest),
    (
        "forest_other",
        "sine_drift covtype",
        lambda: sg.AdaptiveRandomForest(
            n_models=4,
            max_features="sqrt",
            lambda_value=3.0,
            warning_delta=0.05,
            drift_delta=0.01,
            grace_period=40,
            delta=0.02,
            tau=0.1,
            leaf_prediction="nb",
            split_criterion="gini",
            n_jobs=2,
        ),
    ),
    ("forest_alike", "covtype elec2", lambda: sg.AdaptiveRandomForest(n_models=5, compat="moa")),
    ("online_bagging", "elec2 airlines", sg.OnlineBagging),
    (
        "online_bagging_other",
        "covtype sine_drift",
        lambda: sg.OnlineBagging(
            n_models=4,
            grace_period=50,
            delta=0.01,
            tau=0.1,
            leaf_prediction="mc",
            split_criterion="gini",
        ),
    ),
    ("leveraging_bagging", "elec2 airlines", sg.LeveragingBagging),
    (
        "leveraging_bagging_other",
        "sine_drift covtype",
        lambda: sg.LeveragingBagging(
            n_models=4, grace_period=50, delta=0.01, tau=0.1, leaf_prediction="nb"
        ),
    ),
    ("boosted_trees", "elec2 airlines", sg.StreamingGradientBoostedTrees),
    (
        "boosted_trees_other",
        "covtype sine_drift",
        lambda: sg.StreamingGradientBoostedTrees(
            n_models=7,
            max_features=0.5,
            learning_rate=0.1,
            grace_period=40,
            delta=0.01,
            tau=0.1,
            n_jobs=2,
        ),
    ),
    ("weighted_majority", "elec2 airlines", sg.DynamicWeightedMajority),
    (
        "weighted_majority_trees",
        "sine_drift covtype",
        lambda: sg.DynamicWeightedMajority("hoeffding_tree", max_experts=5),
    ),
    ("accuracy_updated", "sine_drift elec2", sg.OnlineAccuracyUpdatedEnsemble),
    ("adwin_bagging", "elec2 covtype", sg.ADWINBagging),
    ("random_patches", "elec2 covtype", lambda: sg.StreamingRandomPatches(n_models=5)),
    (
        "random_patches_other",
        "sine_drift airlines",
        lambda: sg.StreamingRandomPatches(
            n_models=5, max_features="sqrt", training_method="subspaces", compat="moa"
        ),
    ),
    ("tree_regressor", "bike_hour friedman", sg.HoeffdingTreeRegressor),
    (
        "tree_regressor_other",
        "bike_hour friedman",
        lambda: sg.HoeffdingTreeRegressor(
            grace_period=50,
            delta=0.01,
            tau=0.1,
            leaf_prediction="mean",
            drift_delta=0.01,
            drift_threshold=20.0,
        ),
    ),
    (
        "tree_regressor_rates",
        "friedman bike_hour",
        lambda: sg.HoeffdingTreeRegressor(
            grace_period=100, delta=0.01, learning_rate=0.05, learning_rate_decay=0.01
        ),
    ),
    ("forest_regressor", "bike_hour friedman", sg.AdaptiveRandomForestRegressor),
    (
        "forest_regressor_other",
        "friedman bike_hour",
        lambda: sg.AdaptiveRandomForestRegressor(
            n_models=3,
            max_features=0.8,
            grace_period=40,
            delta=0.02,
            tau=0.1,
            warning_delta=0.05,
            drift_delta=0.01,
        ),
    ),
    ("boosted_regressor", "bike_hour friedman", sg.StreamingGradientBoostedTreesRegressor),
    (
        "boosted_regressor_other",
        "friedman bike_hour",
        lambda: sg.StreamingGradientBoostedTreesRegressor(
            n_models=5, bag_size=1, learning_rate=0.3, grace_period=40, n_jobs=2
        ),
    ),
    ("am_rules", "bike_hour friedman", sg.AMRules),
    (
        "am_rules_other",
        "friedman bike_hour",
        lambda: sg.AMRules(
            grace_period=60, delta=0.01, tau=0.1, drift_delta=0.1, drift_threshold=20.0
        ),
    ),
    ("augmented_nb", "elec2 airlines", lambda: sg.TemporallyAugmented(sg.NaiveBayes())),
    ("augmented_tree", "injected covtype", lambda: sg.SWT(sg.HoeffdingTree(), order=2)),
    (
        "augmented_features",
        "injected elec2",
        lambda: sg.TemporallyAugmented(sg.HoeffdingTree(grace_period=100), order=2, features=True),
    ),
    (
        "augmented_predicted",
        "small elec2",
        lambda: sg.TemporallyAugmented(sg.NaiveBayes(), order=2, history="predicted"),
    ),
    (
        "augmented_both",
        "small injected",
        lambda: sg.TemporallyAugmented(
            sg.HoeffdingTree(grace_period=50), order=2, features=True, refresh=True, history="both"
        ),
    ),
    ("correction_nb", "elec2 airlines", lambda: sg.TemporalCorrection(sg.NaiveBayes())),
    ("correction_tree", "elec2 covtype", lambda: sg.TemporalCorrection(sg.HoeffdingTree())),
    ("resetting_ddm", "elec2 sine_drift", lambda: sg.Resetting(sg.NaiveBayes(), sg.DDM())),
    ("resetting_eddm", "elec2 sea_drift", lambda: sg.Resetting(sg.NaiveBayes(), sg.EDDM())),
    (
        "resetting_adwin",
        "sine_drift elec2",
        lambda: sg.Resetting(sg.HoeffdingTree(), sg.ADWIN(delta=0.05)),
    ),
    (
        "resetting_page_hinkley",
        "sine_drift",
        lambda: sg.Resetting(sg.NaiveBayes(), sg.PageHinkley(delta=0.01, threshold=20)),
    ),
    (
        "resetting_ratio",
        "sine_drift",
        lambda: sg.Resetting(sg.NaiveBayes(), sg.RatioPageHinkley(delta=0.01, threshold=10)),
    ),
    (
        "resetting_random",
        "elec2 covtype",
        lambda: sg.Resetting(sg.NaiveBayes(), sg.RandomAlarm(0.01)),
    ),
    (
        "resetting_random_seeded",
        "elec2",
        lambda: sg.Resetting(sg.Majority(), sg.RandomAlarm(0.05, seed=7, warm_start=10)),
    ),
    ("resetting_periodic", "elec2", lambda: sg.Resetting(sg.KNN(), sg.PeriodicAlarm(200))),
    ("resetting_never", "elec2", lambda: sg.Resetting(sg.NaiveBayes(), sg.NeverAlarm())),
    (
        "nested",
        "elec2 injected",
        lambda: sg.Resetting(sg.SWT(sg.TemporalCorrection(sg.NaiveBayes())), sg.DDM()),
    ),
    ("text", "elec2 airlines", lambda: "SWT(HoeffdingTree(), order=2)"),
    ("own", "elec2 covtype", OwnLearner),
    ("own_sequences", "elec2 injected", OwnSequences),
    ("own_one_by_one", "elec2 covtype", OneByOne),
    ("own_corrected", "elec2", lambda: sg.TemporalCorrection(OwnLearner())),
    ("own_resetting", "elec2", lambda: sg.Resetting(OwnLearner(), sg.DDM())),
    ("torch/clstm", "injected small", lambda: sg.CLSTM(hidden_size=10, epochs=3)),
    (
        "torch/clstm_other",
        "small injected",
        lambda: sg.CLSTM(
            hidden_size=8,
            window_size=4,
            batch_size=64,
            epochs=2,
            num_layers=2,
            optimizer="sgd",
            learning_rate=0.1,
            scale=False,
        ),
    ),
    ("torch/from_torch", "elec2 airlines", lambda: sg.from_torch(_linear, batch_size=16, epochs=2)),
    ("river/tree", "small tiny", lambda: _river("tree.HoeffdingTreeClassifier", grace_period=50)),
    ("river/naive_bayes", "elec2", lambda: sg.from_river(_river("naive_bayes.GaussianNB"))),
    (
        "river/forest",
        "small",
        lambda: sg.from_river(_river("forest.ARFClassifier", n_models=3, seed=1), name="ARF"),
    ),
    ("river/augmented", "small", lambda: sg.SWT(_river("tree.HoeffdingTreeClassifier"))),
    (
        "river/resetting",
        "small",
        lambda: sg.Resetting(sg.NaiveBayes(), sg.from_river(_river("drift.ADWIN"))),
    ),
    (
        "river/regressor",
        "small_bike",
        lambda: _river("tree.HoeffdingTreeRegressor", grace_period=50),
    ),
    (
        "sklearn/sgd",
        "elec2 airlines",
        lambda: sg.from_sklearn(_sklearn("SGDClassifier"), batch_size=50),
    ),
    (
        "sklearn/sgd_log",
        "elec2 small",
        lambda: sg.from_sklearn(_sklearn("SGDClassifier", loss="log_loss"), batch_size=10),
    ),
    ("sklearn/row_by_row", "small", lambda: _sklearn("Perceptron", random_state=1)),
    (
        "sklearn/regressor",
        "bike_hour",
        lambda: sg.from_sklearn(_sklearn("SGDRegressor", eta0=1e-5), batch_size=20),
    ),
    ("capymoa/tree", "elec2 airlines", lambda: sg.from_capymoa("HoeffdingTree", grace_period=100)),
    ("capymoa/naive_bayes", "elec2 covtype", lambda: sg.from_capymoa("NaiveBayes")),
    (
        "capymoa/forest",
        "small",
        lambda: sg.from_capymoa("AdaptiveRandomForestClassifier", ensemble_size=3),
    ),
    (
        "capymoa/java_name",
        "small",
        lambda: sg.from_capymoa("moa.classifiers.functions.Perceptron", CLI="-r 0.1"),
    ),
    ("capymoa/regressor", "small_bike", lambda: sg.from_capymoa("FIMTDD")),
]


def _linear(features: int, classes: int) -> Any:
    import torch

    return torch.nn.Linear(features, classes)


def _river(path: str, **given: Any) -> Any:
    import importlib

    module, name = path.split(".")
    return getattr(importlib.import_module(f"river.{module}"), name)(**given)


def _sklearn(name: str, **given: Any) -> Any:
    from sklearn import linear_model

    return getattr(linear_model, name)(**given)


DETECTORS: dict[str, Make] = {
    "ddm": sg.DDM,
    "ddm_other": lambda: sg.DDM(warning_threshold=1.5, drift_threshold=2.0, warm_start=10),
    "eddm": sg.EDDM,
    "eddm_other": lambda: sg.EDDM(alpha=0.98, beta=0.95, warm_start=10),
    "adwin": sg.ADWIN,
    "adwin_other": lambda: sg.ADWIN(
        delta=0.05, clock=8, max_buckets=3, min_window_length=10, grace_period=20
    ),
    "page_hinkley": sg.PageHinkley,
    "page_hinkley_other": lambda: sg.PageHinkley(delta=0.01, threshold=10),
    "page_hinkley_fading": lambda: sg.PageHinkley(0.01, 5, on=sg.Fading(0.99)),
    "page_hinkley_window": lambda: sg.PageHinkley(0.01, 5, on=sg.Window(100)),
    "page_hinkley_cumulative": lambda: sg.PageHinkley(0.01, 2, on=sg.Cumulative()),
    "ratio": sg.RatioPageHinkley,
    "ratio_fading": lambda: sg.RatioPageHinkley(
        short=sg.Fading(0.98), long=sg.Fading(0.998), delta=0.05, threshold=10
    ),
    "ratio_window": lambda: sg.RatioPageHinkley(sg.Window(50), sg.Window(500), 0.05, 10),
    "random": lambda: sg.RandomAlarm(0.002),
    "random_seeded": lambda: sg.RandomAlarm(0.01, seed=3, warm_start=100),
    "periodic": lambda: sg.PeriodicAlarm(700),
    "never": sg.NeverAlarm,
    "text": lambda: "PageHinkley(delta=0.01, threshold=20)",
}
FOR_REGRESSION = ("adwin", "page_hinkley", "page_hinkley_fading", "ratio", "periodic")


def river_detector() -> Any:
    """A detector of River's."""
    return sg.from_river(_river("drift.ADWIN"))
