"""Who stands beside whom, each by text, and how near they must be (semantics §13)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from streamgauge.learners.parsing import LEARNERS

Bound = Literal["exact", "near", "seeded", "no worse", "none"]

BOUNDS: dict[Bound, str] = {
    "exact": "the same accuracy on every stream, to the last digit",
    "near": "within 1.0 point of accuracy on every stream, the mean signed difference within 0.3",
    "seeded": "means over the seeds within 1.0 point or 3 standard errors, whichever is more",
    "no worse": "as with compat='moa' below, but ours may be better: MOA draws the features of all "
    "trees from the same random numbers, so their roots consider the same features; our trees draw "
    "independently",
    "none": "none; both are shown",
}


@dataclass(frozen=True)
class Rival:
    """One of our learners and its peers; `{seed}` in River's is filled in."""

    ours: str
    capymoa: str
    river: str
    bound: Bound
    regression: bool = False

    @property
    def name(self) -> str:
        """Our class."""
        return self.ours.partition("(")[0]

    @property
    def built(self) -> bool:
        """Do we have it yet?"""
        return self.name in LEARNERS

    @property
    def seeds(self) -> bool:
        """Is there anything random in it? In an adaptive tree too, but for MOA's, whose nodes all
        draw the same numbers."""
        return "{seed}" in self.river


_TREE = "tree.HoeffdingTreeClassifier(grace_period=200, delta=0.001, tau=0.05)"
_KNN = "neighbors.KNNClassifier(10, neighbors.LazySearch(1000), weighted=False)"
_HAT = _TREE.replace("HoeffdingTree", "HoeffdingAdaptiveTree").replace(")", ", seed={seed})")
_BAG = f"({_TREE}, n_models=10, seed={{seed}})"

RIVALS = (
    Rival("Majority(start_as=0)", "MajorityClass", "dummy.PriorClassifier()", "exact"),
    Rival("Persistent(start_as=0)", "NoChange", "dummy.NoChangeClassifier()", "exact"),
    Rival("NaiveBayes()", "NaiveBayes", "naive_bayes.GaussianNB()", "exact"),
    Rival("HoeffdingTree()", "HoeffdingTree", _TREE, "near"),
    Rival("KNN(n_neighbors=10)", "KNN(k=10)", _KNN, "near"),
    Rival("HoeffdingAdaptiveTree()", "HoeffdingAdaptiveTree", _HAT, "near"),
    Rival(
        "AdaptiveRandomForest(n_models=10)",
        "AdaptiveRandomForestClassifier(ensemble_size=10)",
        "forest.ARFClassifier(n_models=10, seed={seed})",
        "no worse",
    ),
    Rival(
        "AdaptiveRandomForest(n_models=10, compat='moa')",
        "AdaptiveRandomForestClassifier(ensemble_size=10)",
        "forest.ARFClassifier(n_models=10, seed={seed})",
        "seeded",
    ),
    Rival(
        "LeveragingBagging(n_models=10)",
        "LeveragingBagging(ensemble_size=10)",
        f"ensemble.LeveragingBaggingClassifier{_BAG}",
        "seeded",
    ),
    Rival(
        "OnlineBagging(n_models=10)",
        "OnlineBagging(ensemble_size=10)",
        f"ensemble.BaggingClassifier{_BAG}",
        "seeded",
    ),
    Rival(
        "HoeffdingTreeRegressor()",
        "FIMTDD",
        "tree.HoeffdingTreeRegressor()",
        "none",
        regression=True,
    ),
    Rival(
        "AdaptiveRandomForestRegressor(n_models=10)",
        "AdaptiveRandomForestRegressor(ensemble_size=10)",
        "forest.ARFRegressor(n_models=10, seed={seed})",
        "none",
        regression=True,
    ),
    Rival("AMRules()", "AMRulesRegressor", "rules.AMRules()", "none", regression=True),
)
