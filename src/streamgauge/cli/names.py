"""streamgauge names: the names of learners, metrics, detectors and so on, by kind."""

from __future__ import annotations

from typing import Annotated

import typer

from streamgauge._support import registry
from streamgauge._support.errors import UsageError, instead_of
from streamgauge.cli._options import Debug
from streamgauge.cli._terminal import echo
from streamgauge.rendering.layout import wrap

# What options take as text: a kind in the plural, and how its names are written.
_SHOWN: dict[str, tuple[tuple[registry.Kind, ...], str]] = {
    "learners": (("learner",), "--learner 'KNN(n_neighbors=5)'; of other libraries: "
                 "'river:tree.HoeffdingTreeClassifier()', 'capymoa:HoeffdingTree()', "
                 "'sklearn:linear_model.SGDClassifier()'"),
    "references": (("reference",), "--reference 'Seasonal(24)', --learner Majority"),
    "wrappers": (("wrapper",), "--learner 'TemporallyAugmented(KNN(), order=2)', "
                 "'Resetting(NaiveBayes(), DDM())'"),
    "labels": (("label policy",), "--labels 'Delay(100)'"),
    "protocols": (("protocol", "re-evaluation"), "--protocol 'PrequentialCV(10)', --reevaluate "
                  "'Reevaluate(every=10)'"),
    "forgettings": (("forgetting",), "--forget 'Window(1000)'"),
    "metrics": (("metric",), "--metric kappa"),
    "detectors": (("detector",), "--detector 'PageHinkley(on=Fading(0.997))'; of River: "
                  "river:drift.KSWIN()"),
    "streams": (("generator", "transform"), "DATA: 'SEA(20000, noise=0.1)'; data sets: "
                "streamgauge data list"),
}  # fmt: skip


def names(
    kind: Annotated[
        str | None,
        typer.Argument(metavar="KIND", help=f"One of {', '.join(_SHOWN)}. Default: all."),
    ] = None,
    debug: Debug = False,
) -> None:
    """List the names of learners, metrics, detectors, ...

    \b
    Example: streamgauge names learners
    """
    if kind is not None and kind not in _SHOWN:
        raise UsageError(f"unknown kind {kind!r}{instead_of(kind, _SHOWN)}")
    for shown, (kinds, example) in _SHOWN.items():
        if kind in (None, shown):
            listed = wrap(f"  {', '.join(registry.shown_names(*kinds))}")
            echo(f"{shown}\n{listed}\n{wrap(f'  e.g. {example}')}")
