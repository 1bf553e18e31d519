"""Chooses between scoring for classification and for regression."""

from __future__ import annotations

from streamgauge.runs._classification import Classification
from streamgauge.runs._regression import Regression
from streamgauge.runs._scores import Task
from streamgauge.runs.scoring_plan import ScoringPlan


def task_of(plan: ScoringPlan) -> Task:
    """The scoring that a plan asks for."""
    return Regression(plan) if plan.schema.regression else Classification(plan)
