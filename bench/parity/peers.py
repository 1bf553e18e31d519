"""Our learners, their peers in CapyMOA and River, and the required closeness (semantics §13)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from streamgauge._support import registry

Bound = Literal["exact", "near", "seeded", "no worse", "none"]

BOUNDS: dict[Bound, str] = {
    "exact": "the same accuracy on every stream, to the last digit",
    "near": "within 1.0 point of accuracy on every stream, the mean signed difference within 0.3",
    "seeded": "means over the seeds within 1.0 point or 3 standard errors, whichever is more",
    "no worse": "as with compat='moa' below, but ours may be better: in MOA all trees draw their "
    "features with the same random numbers, so their roots consider the same ones; ours draw "
    "independently",
    "none": "not set; both are shown",
}


@dataclass(frozen=True)
class Peers:
    """One of our learners and its peers, as texts; `{seed}` in River's is filled in.

    River's text is empty if it has no such learner. `rows` limits the rows for slow peers.
    """

    ours: str
    capymoa: str
    river: str
    bound: Bound
    regression: bool = False
    rows: int | None = None
    random: bool = False  # if neither River's text nor the bound shows it
    differences: str = ""  # known ones, which explain a bound that does not hold

    @property
    def name(self) -> str:
        """The name of our class."""
        return self.ours.partition("(")[0]

    @property
    def built(self) -> bool:
        """Whether our learner exists."""
        return self.name in registry.own_names("learner", "reference")

    @property
    def seeds(self) -> bool:
        """Whether anything random is in it. An adaptive tree is random too, except for MOA's,
        whose nodes all draw the same numbers."""
        return "{seed}" in self.river or self.bound == "seeded" or self.random


_TREE = "tree.HoeffdingTreeClassifier(grace_period=200, delta=0.001, tau=0.05)"
_KNN = "neighbors.KNNClassifier(10, neighbors.LazySearch(1000), weighted=False)"
_HAT = _TREE.replace("HoeffdingTree", "HoeffdingAdaptiveTree").replace(")", ", seed={seed})")
_EFDT = _TREE.replace("HoeffdingTree", "ExtremelyFastDecisionTree").replace(
    ")", ", min_samples_reevaluate=200)"
)
_BAG = f"({_TREE}, n_models=10, seed={{seed}})"
_FEW_ROWS = 2000  # CapyMOA's boosters take up to half a minute for them
_KNN_ROWS = 5000  # its SAM-kNN takes up to ten seconds for them
_SRP = "ensemble.SRPClassifier(n_models=10, seed={seed})"

PEERS = (
    Peers("Majority(start_as=0)", "MajorityClass", "dummy.PriorClassifier()", "exact"),
    Peers("Persistent(start_as=0)", "NoChange", "dummy.NoChangeClassifier()", "exact"),
    Peers("NaiveBayes()", "NaiveBayes", "naive_bayes.GaussianNB()", "exact"),
    Peers("HoeffdingTree()", "HoeffdingTree", _TREE, "near"),
    Peers("KNN(n_neighbors=10)", "KNN(k=10)", _KNN, "near"),
    Peers("SAMkNN()", "SAMkNN", "", "seeded", rows=_KNN_ROWS),
    Peers("HoeffdingAdaptiveTree()", "HoeffdingAdaptiveTree", _HAT, "near"),
    Peers("ExtremelyFastDecisionTree()", "EFDT", _EFDT, "near"),
    Peers(
        "AdaptiveRandomForest(n_models=10)",
        "AdaptiveRandomForestClassifier(ensemble_size=10)",
        "forest.ARFClassifier(n_models=10, seed={seed})",
        "no worse",
    ),
    Peers(
        "AdaptiveRandomForest(n_models=10, compat='moa')",
        "AdaptiveRandomForestClassifier(ensemble_size=10)",
        "forest.ARFClassifier(n_models=10, seed={seed})",
        "seeded",
    ),
    Peers(
        "LeveragingBagging(n_models=10)",
        "LeveragingBagging(ensemble_size=10)",
        f"ensemble.LeveragingBaggingClassifier{_BAG}",
        "seeded",
    ),
    Peers(
        "OnlineBagging(n_models=10)",
        "OnlineBagging(ensemble_size=10)",
        f"ensemble.BaggingClassifier{_BAG}",
        "seeded",
    ),
    Peers("DynamicWeightedMajority()", "DynamicWeightedMajority", "", "near"),
    Peers(
        "OnlineAccuracyUpdatedEnsemble()",
        "moa.classifiers.meta.OnlineAccuracyUpdatedEnsemble",
        "",
        "near",
        differences="where a window has a single class and a member no error, as often in KDD99, "
        "MOA's weight is infinite and its vote undefined; ours is finite",
    ),
    Peers(
        "StreamingGradientBoostedTrees(n_models=10)",
        "StreamingGradientBoostedTrees(boosting_iterations=10)",
        "",
        "seeded",
        rows=_FEW_ROWS,
        differences="MOA's trees also split where no split gains anything, on rounding errors or "
        "once the bound is below tau, and a leaf without rows predicts 0, ours the mean that its "
        "split left it; without these two, MOA's algorithm is as accurate on covtype as ours",
    ),
    Peers(
        "ADWINBagging(n_models=10)",
        "OnlineAdwinBagging(ensemble_size=10)",
        f"ensemble.ADWINBaggingClassifier{_BAG}",
        "seeded",
    ),
    Peers(
        "StreamingRandomPatches(n_models=10)",
        "StreamingRandomPatches(ensemble_size=10)",
        _SRP,
        "seeded",
        differences="in MOA a background tree that takes over also stays the background tree "
        "until the next warning; with compat='moa' below, ours does",
    ),
    Peers(
        "StreamingRandomPatches(n_models=10, compat='moa')",
        "StreamingRandomPatches(ensemble_size=10)",
        _SRP,
        "seeded",
    ),
    Peers(
        "HoeffdingTreeRegressor()",
        "FIMTDD",
        "tree.HoeffdingTreeRegressor()",
        "none",
        regression=True,
    ),
    Peers(
        "AdaptiveRandomForestRegressor(n_models=10)",
        "AdaptiveRandomForestRegressor(ensemble_size=10)",
        "forest.ARFRegressor(n_models=10, seed={seed})",
        "none",
        regression=True,
    ),
    Peers(
        "StreamingGradientBoostedTreesRegressor()",
        "StreamingGradientBoostedRegression",
        "",
        "none",
        regression=True,
        rows=_FEW_ROWS,
        random=True,
    ),
    Peers("AMRules()", "AMRulesRegressor", "rules.AMRules()", "none", regression=True),
)
