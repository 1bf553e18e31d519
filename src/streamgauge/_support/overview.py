"""The public names by group: the text of `help(streamgauge)`, and docs/names.md."""

from __future__ import annotations

from textwrap import fill

from streamgauge._support import registry


def groups() -> dict[str, tuple[str, ...]]:
    """The names of each group that streamgauge itself defines, without second names."""
    return {
        title: tuple(n for n in registry.own_names(*kinds) if n not in registry.SECOND_NAMES)
        for title, kinds in registry.GROUPS.items()
    }


def as_text() -> str:
    """A paragraph per group."""
    indent = "    "
    return "\n\n".join(
        f"{title}\n{fill(', '.join(names), 96, initial_indent=indent, subsequent_indent=indent)}"
        for title, names in groups().items()
    )


def as_markdown() -> str:
    """The page docs/names.md."""
    lines = [
        f"| {title} | {', '.join(f'`{n}`' for n in names)} |\n" for title, names in groups().items()
    ]
    second = " and ".join(f"`{n}` for `{first}`" for n, first in registry.SECOND_NAMES.items())
    return (
        "# Names\n\n"
        "Every public name of streamgauge, by group; `help(sg)` shows the same list, and "
        "`help(sg.NAME)` explains one,\n`streamgauge names` lists what options take.\n"
        "All but metrics are in one flat namespace, `sg.NAME`; "
        f"metrics are named in texts. The papers' names {second}\nare accepted, too. "
        "`make stub` writes this page from the registry.\n\n| group | names |\n|---|---|\n"
        + "".join(lines)
    )
