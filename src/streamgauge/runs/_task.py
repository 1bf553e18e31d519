"""Chooses between scoring for classification and for regression."""

from __future__ import annotations

from streamgauge.runs._scores import Task
from streamgauge.runs.scoring_plan import ScoringPlan


def task_of(plan: ScoringPlan) -> Task:
    """The scoring that a plan asks for."""
    # Imported here: kernels take long to import, and most uses of a saved run score nothing.
    if plan.schema.regression:
        from streamgauge.runs._regression import Regression

        return Regression(plan)
    from streamgauge.runs._classification import Classification

    return Classification(plan)
