"""Tables 2 to 5 of zliobaite2015: properties, data sets, classifiers, published accuracies."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from streamgauge._support.types import Longs
from streamgauge.inspection.profile import Profile
from streamgauge.papers._survey import survey
from streamgauge.papers.claim import PaperClaim, judge, judge_each
from streamgauge.papers.paper import PaperSection, PaperTable
from streamgauge.papers.printed import PrintedTable, printed
from streamgauge.papers.study import PaperStudy
from streamgauge.papers.zliobaite2015.plan import LEARNERS, STREAMS, profile_of
from streamgauge.rendering.sheet import sheet_of
from streamgauge.streams.base import Stream

_KEY = "zliobaite2015"
_QUANTILE = 2.576  # of the normal distribution, 99 % two-sided
_BALANCED = ("Elec2", "Cover")  # KDD99's and Ozone's rarest classes have too few rows
_ADAPTATION = {  # Table 4: adaptation, base classifier, models
    "NB": ("none", "naive Bayes", "1"),
    "HT": ("none", "Hoeffding tree", "1"),
    "DDM": ("drift detection", "naive Bayes", "1"),
    "HAT": ("in every node", "Hoeffding tree", "1"),
    "LBAG": ("drift detection", "Hoeffding tree", "10"),
}


def table2(study: PaperStudy) -> PaperSection:
    """P(M) and P(T) of labels that are balanced or not, in order or not."""
    found: dict[tuple[str, bool, bool], tuple[float, float, int]] = {}
    for name in _BALANCED:
        entry = STREAMS[name]
        stream = study.load(entry["load"], entry.get("variant"))
        for balanced in (True, False):
            for ordered in (False, True):
                probabilities = (math.nan, math.nan, 0)
                if stream is not None:
                    labels = _arranged(labels_of(stream), balanced, ordered)
                    probabilities = (*baselines(labels), len(labels))
                found[name, balanced, ordered] = probabilities
    lines = [["", "rows", "p_maj = P(M)", "p_per = P(T)"]]
    lines += [
        [_described(*key), f"{rows:,}", f"{majority:.4f}", f"{persistent:.4f}"]
        for key, (majority, persistent, rows) in found.items()
    ]
    caption = (
        "The labels of Elec2 and Cover, as they are or with as many rows of each class, in their "
        "order or shuffled."
    )
    return PaperSection([PaperTable(caption, sheet_of(lines))], claims=list(_table2_claims(found)))


def _described(name: str, balanced: bool, ordered: bool) -> str:
    order = "in order (temporal dependence)" if ordered else "shuffled (independent)"
    return f"{name}, {'balanced' if balanced else 'imbalanced'}, {order}"


def _table2_claims(
    found: Mapping[tuple[str, bool, bool], tuple[float, float, int]],
) -> Iterator[PaperClaim]:
    def gaps(balanced: bool, ordered: bool) -> dict[str, float]:
        return {
            key[0]: persistent - majority
            for key, (majority, persistent, _) in found.items()
            if key[1:] == (balanced, ordered)
        }

    bounds = {
        key[0]: _QUANTILE * math.sqrt(majority * (1 - majority) / rows) if rows else math.nan
        for key, (majority, _, rows) in found.items()
        if key[1:] == (True, False)
    }
    scaled = {name: gap / bounds[name] for name, gap in gaps(True, False).items()}
    yield judge_each(
        "Independent labels of balanced classes: p_maj = p_per.",
        "|P(T) − P(M)| is at most 2.576 standard errors, √(P(M)(1 − P(M))/n); the values are "
        "fractions of that.",
        scaled,
        lambda share: abs(share) <= 1,
    )
    yield judge_each(
        "Independent labels of imbalanced classes: p_maj > p_per.",
        "P(T) − P(M) is below 0.",
        gaps(False, False),
        lambda gap: gap < 0,
    )
    yield judge_each(
        "Temporal dependence with Σ P(i, i) > P(M): p_per > p_maj, balanced or not.",
        "P(T) − P(M) is above 0 for both data sets, balanced and not.",
        {f"{name}, {word}": gap for balanced, word in ((True, "balanced"), (False, "imbalanced"))
         for name, gap in gaps(balanced, True).items()},
        lambda gap: gap > 0,
    )  # fmt: skip


def labels_of(stream: Stream) -> Longs:
    """The class codes of all labelled rows."""
    return np.concatenate([block.y[block.known] for block in stream.blocks(1 << 16)])


def baselines(labels: Longs) -> tuple[float, float]:
    """P(M) and P(T) of some labels."""
    return (
        float(np.bincount(labels).max() / len(labels)),
        float((labels[1:] == labels[:-1]).mean()),
    )


def _arranged(labels: Longs, balanced: bool, ordered: bool) -> Longs:
    """The labels, with as many of each class, and shuffled, as asked."""
    rng = np.random.default_rng(1)
    if balanced:
        places = [np.flatnonzero(labels == label) for label in np.unique(labels)]
        fewest = min(map(len, places))
        kept = [rng.choice(own, fewest, replace=False) for own in places]
        labels = labels[np.sort(np.concatenate(kept))]
    return labels if ordered else rng.permutation(labels)


def table3(study: PaperStudy) -> PaperSection:
    """Rows, attributes, classes, P(M) and P(T)."""
    table = printed(_KEY)["table3"]
    lines = [["", *table.columns, *(f"{column} printed" for column in table.columns)]]
    gaps: dict[str, float] = {}
    for name, values in table.rows.items():
        profile = profile_of(study, name)
        lines.append([name, *_characteristics(profile), *map(_plain, values)])
        for column in ("P(M)", "P(T)"):
            ours = math.nan if profile is None else _probability(profile, column)
            gaps[f"{name} {column}"] = ours - table.value(name, column)
    return PaperSection(
        [PaperTable(f"Data sets (page {table.page}).", sheet_of(lines))],
        claims=[
            judge_each(
                "P(M) and P(T) of the four data sets are the printed ones.",
                "Ours differ by less than 0.01, a unit of the last printed digit.",
                gaps,
                lambda gap: abs(gap) < 0.01,
            ),
            *_dependence_claims(study, table),
        ],
        notes=[table.note],
    )


def _dependence_claims(study: PaperStudy, table: PrintedTable) -> Iterator[PaperClaim]:
    gaps = {}
    for name in table.rows:
        profile = profile_of(study, name)
        gap = math.nan if profile is None else profile.p_temporal - profile.p_majority
        gaps[name] = -gap if name == "Ozone" else gap
    yield judge_each(
        "The first three data sets have strong temporal dependence, Ozone has none.",
        "P(T) − P(M) is above 0 for the first three, and P(M) − P(T) is above 0 for Ozone.",
        gaps,
        lambda gap: gap > 0,
    )
    profile = profile_of(study, "Ozone")
    most = int(profile.counts.argmax()) if profile else 0
    prior, stays = (profile.prior[most], profile.stays[most]) if profile else (math.nan, math.nan)
    yield judge(
        "Ozone has slightly negative temporal dependence: P(M) is more than the probability of a "
        "majority class instance following another (§6.7).",
        "P(M | M) is below P(M).",
        bool(stays < prior),
        {"P(M|M)": float(stays), "P(M)": float(prior)},
    )


def _probability(profile: Profile, column: str) -> float:
    return profile.p_majority if column == "P(M)" else profile.p_temporal


def _characteristics(profile: Profile | None) -> list[str]:
    if profile is None:
        return ["-"] * 5
    schema = profile.stream.schema
    return [
        f"{profile.rows:,}",
        str(len(schema.features)),
        str(len(schema.classes)),
        f"{profile.p_majority:.4f}",
        f"{profile.p_temporal:.4f}",
    ]


def _plain(value: float) -> str:
    return f"{value:,}"


def table4(study: PaperStudy) -> PaperSection:
    """The classifiers, and what we run for them."""
    lines = [["", "adaptation", "base classifier", "models", "ours"]]
    lines += [[name, *words, LEARNERS[name]] for name, words in _ADAPTATION.items()]
    return PaperSection([PaperTable("Classifiers (page 468).", sheet_of(lines))])


def table5(study: PaperStudy) -> PaperSection:
    """Published accuracies on Elec2."""
    return survey(study, printed(_KEY)["table5"], "Persistent classifier")
