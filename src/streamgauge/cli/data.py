"""streamgauge data: which data sets there are, what is known of them, fetching them."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Annotated

import typer

from streamgauge._support.errors import InputError
from streamgauge.cli._options import Debug

if TYPE_CHECKING:
    from collections.abc import Iterator

    from streamgauge.streams.datasets._card import Card
    from streamgauge.streams.datasets.catalog import DataSet, Place

data = typer.Typer(no_args_is_help=True, help="Data sets by name: which there are, getting them.")
_KEY_WIDTH = 16
_WIDTH = 100
_ORIGIN = {
    "folder": "folder: {}",
    "cache": "cache: {}",
    "package": "download, into {}",
    "https": "download, into {}",
    "nowhere": "nowhere: put {.name} into a folder and name that in STREAMGAUGE_DATA",
}

Name = Annotated[str, typer.Argument(help="A data set such as elec2, or the path of a card.")]


@data.command("list")
def list_(debug: Debug = False) -> None:
    """All data sets, and where each would come from."""
    from streamgauge.rendering.text_table import align
    from streamgauge.streams.datasets.catalog import data_set, known

    lines = [["", "rows", "features", "classes", "P(M)", "P(T)", "from", "verified"]]
    lines += [_line(data_set(name)) for name in known()]
    typer.echo(align(lines))
    typer.echo(
        "\nfrom: the folder STREAMGAUGE_DATA, the cache, or a download on first use. verified:\n"
        "the table of that source was seen and has a hash. More: streamgauge data info NAME"
    )


@data.command()
def info(
    name: Name,
    verify: Annotated[
        bool, typer.Option(help="Read the whole table (fetch it first) and compare with the card.")
    ] = False,
    debug: Debug = False,
) -> None:
    """All that is known of a data set."""
    from streamgauge.streams.datasets.catalog import data_set

    chosen = data_set(name)
    typer.echo(f"{chosen.card.name}: {chosen.card.title}\n{chosen.card.about}\n")
    for key, text in _facts(chosen):
        indent = " " * _KEY_WIDTH
        typer.echo(
            textwrap.fill(
                text, _WIDTH, initial_indent=key.ljust(_KEY_WIDTH), subsequent_indent=indent,
                break_long_words=False, break_on_hyphens=False,
            )
        )  # fmt: skip
    if verify:
        _verify(chosen)


@data.command()
def get(name: Name, debug: Debug = False) -> None:
    """Fetch a data set into the cache, unless it is here already."""
    from streamgauge.streams.datasets.catalog import data_set

    chosen = data_set(name)
    place = chosen.place()
    path = chosen.find()
    how = "fetched" if place.kind in ("package", "https") else f"here already, in the {place.kind}"
    typer.echo(f"{chosen.card.name}: {how}: {path}")


def _line(chosen: DataSet) -> list[str]:
    card, place = chosen.card, chosen.place()
    origin = "download" if place.kind in ("package", "https") else place.kind
    return [
        card.name,
        _number(card.rows),
        str(len(card.features)),
        "regression" if card.task == "regression" else str(len(card.classes) or "-"),
        _share(card.p_majority),
        _share(card.p_persistent),
        origin,
        "yes" if _verified(card, place) else "no",
    ]


def _verified(card: Card, place: Place) -> bool:
    if place.kind == "https" and (card.https is None or card.https.unverified):
        return False
    return card.content_sha256 is not None and place.kind != "nowhere"


def _number(count: int | None) -> str:
    return "-" if count is None else f"{count:,}"


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.4f}"


def _facts(chosen: DataSet) -> Iterator[tuple[str, str]]:
    card, place = chosen.card, chosen.place()
    yield "rows", _number(card.rows)
    yield "target", _target(card)
    if card.task == "classification":
        yield "P(M), P(T)", f"{_share(card.p_majority)}, {_share(card.p_persistent)}"
    yield "features", f"{len(card.features)}: {', '.join(card.features)}"
    if nominal := _nominal(card, card.features):
        yield "nominal", nominal
    if card.arrives or card.revealed:
        yield "times", f"arrives {card.arrives or '-'}, revealed {card.revealed or '-'}"
    for name, variant in card.variants.items():
        nominal = _nominal(card, variant.features)
        nominal = nominal and f" (nominal: {nominal})"
        yield f"variant {name}", f"{variant.about}: {', '.join(variant.features)}{nominal}"
    for name, how in card.leaks.items():
        yield "leaks", f"{name}: {how}"
    yield "paper", card.paper
    yield "licence", card.licence
    if card.notes:
        yield "notes", card.notes
    yield "download", _source(card)
    yield "from", _ORIGIN[place.kind].format(place.path)
    yield "content_sha256", card.content_sha256 or "- (the table was never seen)"


def _nominal(card: Card, features: tuple[str, ...]) -> str:
    return ", ".join(name for name in features if name in card.nominal)


def _target(card: Card) -> str:
    if card.task == "regression":
        return f"{card.target}, a quantity"
    named = ", ".join(map(str, card.classes))
    return f"{card.target}, {len(card.classes)} classes: {named}" if named else card.target


def _source(card: Card) -> str:
    if card.package is not None:
        return f"package {card.package.name} {card.package.version}"
    if card.https is None:
        return "- (no place is known)"
    files = " and ".join(url for url in (card.https.url, card.https.label_url) if url)
    return files + (" (unverified: never seen)" if card.https.unverified else "")


def _verify(chosen: DataSet) -> None:
    from streamgauge.streams.datasets.content_hash import contents_of

    card = chosen.card
    found = contents_of(chosen.open())
    pairs = {
        "rows": (_number(card.rows), _number(found.rows)),
        "p_majority": (_share(card.p_majority), _share(found.p_majority)),
        "p_persistent": (_share(card.p_persistent), _share(found.p_persistent)),
        "content_sha256": (card.content_sha256 or "-", found.sha256),
    }
    wrong = [
        f"{key} is {now}, the card says {said}"
        for key, (said, now) in pairs.items()
        if said not in ("-", now)
    ]
    if wrong:
        raise InputError(f"{card.name}: {chosen.find()} is another table: {'; '.join(wrong)}")
    typer.echo("\nRead anew, all rows:")
    for key, (said, now) in pairs.items():
        typer.echo(f"{key.ljust(_KEY_WIDTH)}{now}{' (not on the card)' if said != now else ''}")
