"""The parameters that learners share: description and range of each, once for all of them.

A learner whose parameter means something of its own describes it in its docstring.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from streamgauge._support.declared import Declared

MOST_MODELS: Final = 10_000  # each is a tree of its own

Count = Annotated[int, Declared(least=1)]
NonNegative = Annotated[float, Declared(least=0)]
NModels = Annotated[int, Declared("Number of trees.", least=1, most=MOST_MODELS)]
NJobs = Annotated[int, Declared("Number of threads; the result does not depend on it.", least=1)]
LambdaValue = Annotated[float, Declared("Mean of the Poisson weights.", above=0, below=1000)]
WarningDelta = Annotated[
    float, Declared("Significance level of the ADWINs for warnings.", above=0, below=1)
]
DriftDelta = Annotated[
    float, Declared("Significance level of the ADWINs for drifts.", above=0, below=1)
]

GracePeriod = Annotated[int, Declared("Rows a leaf sees between two attempts to split.", least=1)]
GraceWeight = Annotated[
    int,
    Declared(
        "Weight a leaf sees between two attempts to split: rows times their Poisson weights.",
        least=1,
    ),
]
Delta = Annotated[
    float,
    Declared(
        "Significance level of Hoeffding's bound; a smaller value splits later.", above=0, below=1
    ),
]
Tau = Annotated[
    float,
    Declared("Split when the bound is below this, even if the best two splits tie.", least=0),
]
LeafPrediction = Annotated[
    Literal["mc", "nb", "nba"],
    Declared(
        'Class counts ("mc"), naive Bayes ("nb"), or at each leaf the more accurate of both '
        '("nba").'
    ),
]
SplitCriterion = Annotated[
    Literal["info_gain", "gini"],
    Declared('Information gain ("info_gain") or the Gini index ("gini").'),
]
Memory = Annotated[
    Literal["sensor", "handheld", "server"] | None,
    Declared('A memory limit by name: "sensor" (100 kB), "handheld" (32 MB) or "server" (400 MB).'),
]
Compat = Annotated[Literal["moa"] | None, Declared()]
CompatBranches = Annotated[
    Literal["moa"] | None,
    Declared(
        '"moa" predicts class 0 at a branch that no row has reached, as MOA does. By default such '
        "a branch predicts with the class counts of its split."
    ),
]
LearningRate = Annotated[float, Declared(above=0, most=1)]
MaxDepth = Annotated[
    int | None,
    Declared(
        "Most splits between the root and a leaf. Without a limit trees grow with the stream, as "
        "in MOA; a limit, say 8, also limits the size of the model and the cost of a row.",
        least=0,
    ),
]
PageHinkleyDelta = Annotated[
    float, Declared("Change of the mean that the Page–Hinkley test tolerates.", least=0)
]
PageHinkleyThreshold = Annotated[float, Declared("Threshold of the Page–Hinkley test.", above=0)]
