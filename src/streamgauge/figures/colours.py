"""The colour and the dash of a series: one declaration for figures, pages and the live page.

Every colour has a contrast of at least 3:1 against both backgrounds, so that a learner keeps its
colour in the dark. Simulated colour blindness keeps the eight apart.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence

BACKGROUNDS = ("#ffffff", "#14181c")  # of paper and light pages, of dark pages

# The first four are Okabe and Ito's; black is for text.
PALETTE = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B43CFC", "#CC0C30", "#9C4878", "#9084E4",
)  # fmt: skip
COMMON = {
    "NaiveBayes": "#0072B2",
    "HoeffdingTree": "#009E73",
    "HoeffdingAdaptiveTree": "#B43CFC",
    "AdaptiveRandomForest": "#D55E00",
    "LeveragingBagging": "#9084E4",
    "StreamingRandomPatches": "#CC0C30",
    "KNN": "#CC79A7",
    "ExtremelyFastDecisionTree": "#9C4878",
}
GREY = "#666666"  # of references
CONTEXT = "#949494"  # of learners that are drawn beside those that matter
SOLID = [1, 0]
DASHES = ([7, 3], [2, 2], [9, 3, 2, 3], [1, 4], [12, 3], [5, 2, 1, 2, 1, 2])
MOST = 6  # lines in colour; of more, the best and those asked for
BEST = 3
_OF_REFERENCES = {
    "Majority": DASHES[0],
    "Persistent": DASHES[1],
    "Transition": DASHES[2],
    "Seasonal": DASHES[3],
    "Mean": DASHES[0],
    "LastValue": DASHES[1],
}
_LIGHT, _DARK = (0x3A, 0x9B, 0xDC), (0x00, 0x6C, 0xAE)  # the ends of the ordered shades
_HEAD = re.compile(r"\w+(?=$|[(,])")


def colour_of(name: str) -> str:
    """The colour of a learner, with any parameters; a hash of the name chooses that of others.

    >>> colour_of("HoeffdingTree") == colour_of("HoeffdingTree(grace_period=50)")
    True
    """
    found = _HEAD.match(name)
    common = COMMON.get(found[0]) if found else None
    return common or PALETTE[_hash(name) % len(PALETTE)]


def colours_of(
    learners: Iterable[str],
    references: Iterable[str] = (),
    context: Iterable[str] = (),
) -> dict[str, str]:
    """A colour for each name; references are grey, and learners of the context light grey."""
    chosen = {name: colour_of(name) for name in learners}
    return chosen | dict.fromkeys(context, CONTEXT) | dict.fromkeys(references, GREY)


def context_of(merits: Mapping[str, float], asked: Iterable[str] = ()) -> list[str]:
    """The learners that stay light grey where there are many: neither the best nor asked for.

    `merits`: a number for each learner, higher is better; NaN is never among the best.

    >>> context_of({f"learner {i}": i for i in range(8)}, ["learner 0"])
    ['learner 1', 'learner 2', 'learner 3', 'learner 4']
    """
    if len(merits) <= MOST:
        return []
    best = sorted(merits, key=lambda name: (merits[name] != merits[name], -merits[name]))[:BEST]
    return [name for name in merits if name not in {*best, *asked}]


def dashes_of(
    learners: Iterable[str],
    references: Iterable[str] = (),
    colours: Mapping[str, str] | None = None,
) -> dict[str, Sequence[int]]:
    """A dash for each name: solid, dashed where a colour repeats; references have their own."""
    dashed: dict[str, Sequence[int]] = {}
    seen: list[str] = []
    for name in sorted(set(learners)):
        colour = (colours or {}).get(name) or colour_of(name)
        again = 0 if colour == CONTEXT else seen.count(colour)
        dashed[name] = DASHES[(again - 1) % len(DASHES)] if again else SOLID
        seen.append(colour)
    return dashed | _reference_dashes(list(references))


def shades(count: int) -> list[str]:
    """Colours of series that have an order, from light to dark."""
    steps = [i / max(count - 1, 1) for i in range(count)]
    return [
        "#" + "".join(f"{round(a + (b - a) * at):02X}" for a, b in zip(_LIGHT, _DARK, strict=True))
        for at in steps
    ]


def _reference_dashes(names: Sequence[str]) -> dict[str, Sequence[int]]:
    """By name; one that is not ours gets the first dash from its hash that is still free."""
    found: dict[str, Sequence[int]] = {}
    for name in names:
        own = _OF_REFERENCES.get(name.partition(" ")[0].partition("(")[0])
        if own is not None:
            found[name] = own
    for name in sorted(set(names) - set(found)):
        start = _hash(name)
        order = [DASHES[(start + i) % len(DASHES)] for i in range(len(DASHES))]
        found[name] = min(order, key=list(found.values()).count)
    return found


def _hash(name: str) -> int:
    return int(hashlib.sha256(name.encode()).hexdigest(), 16)
