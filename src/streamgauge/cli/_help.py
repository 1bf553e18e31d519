"""--help: options in groups, most wanted first, in as many columns as the terminal has."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

from typer.core import TyperCommand, TyperGroup

from streamgauge.cli._terminal import echo
from streamgauge.rendering.layout import text_width, wrap
from streamgauge.runs.options import LATE, METRICS, MORE

COLUMNS = "Columns"
_GROUPS = (None, COLUMNS, LATE, METRICS, MORE)  # of options, in the order of --help
_FEW = 12  # options that need no groups
_LONGEST = 24  # a longer name has a line of its own
_NARROW = 60  # columns; with fewer, every name has one
_GLUE = "\u00a0"
_NAMED = ("LEARNER", "DETECTOR", "FORGETTING", "POLICY")  # what `streamgauge names` lists


class _Help:
    """How a verb, or a group of verbs, shows its help; a base beside one of typer's."""

    def get_help(self: Any, ctx: Any) -> str:
        """The page of --help."""
        ctx.terminal_width = text_width()
        return str(super().get_help(ctx))  # type: ignore[misc]

    def get_help_option(self: Any, ctx: Any) -> Any:
        """--help, which prints as verbs do."""
        option = super().get_help_option(ctx)  # type: ignore[misc]
        if option is not None:
            option.callback = _show_help
        return option

    def collect_usage_pieces(self: Any, ctx: Any) -> list[str]:
        """The line of usage: arguments by their names, those that may be missing in brackets."""
        names = [
            each.metavar if each.required else f"[{each.metavar}]"
            for each in self.get_params(ctx)
            if each.param_type_name == "argument"
        ]
        more = [self.subcommand_metavar] if isinstance(self, TyperGroup) else []
        return ["[OPTIONS]", *names, *more]

    def format_help_text(self: Any, ctx: Any, formatter: Any) -> None:
        """What the verb does, and examples."""
        for paragraph in inspect.cleandoc(self.help or "").split("\n\n"):
            kept = paragraph.startswith("\b\n")
            lines = paragraph.split("\n")[1:] if kept else [" ".join(paragraph.split("\n"))]
            further = "      " if kept else "  "
            shown = "\n".join(_filled(line, "  ", further) for line in lines)
            formatter.write(f"\n{shown}\n")

    def format_options(self: Any, ctx: Any, formatter: Any) -> None:
        """Arguments and options by group, then commands."""
        groups = _grouped(self.get_params(ctx), ctx)
        if isinstance(self, TyperGroup):
            found = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
            groups["Commands"] = [(name, _summary(command)) for name, command in found]
        column = _column(row for rows in groups.values() for row in rows)
        for title, rows in groups.items():
            if rows:
                formatter.write(f"\n{title or 'Options'}:\n")
                formatter.write("".join(f"{line}\n" for line in _lines(rows, column)))

    def format_epilog(self: Any, ctx: Any, formatter: Any) -> None:
        """How to read the options."""
        parameters = self.get_params(ctx)
        notes = ["...: may be repeated."] if any(map(_repeated, parameters)) else []
        if any(each.metavar in _NAMED for each in parameters):
            notes.append("All learners, metrics and other names: streamgauge names")
        if notes:
            formatter.write(f"\n{wrap(' '.join(notes))}\n")


class Verb(_Help, TyperCommand):
    """A verb."""


class Verbs(_Help, TyperGroup):
    """A group of verbs."""


def _show_help(ctx: Any, _: Any, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        echo(ctx.get_help())
        ctx.exit()


def _grouped(parameters: list[Any], ctx: Any) -> dict[str | None, list[tuple[str, str]]]:
    """Names and texts by group; few options need none, and one option is no group."""
    groups: dict[str | None, list[tuple[str, str]]] = {group: [] for group in _GROUPS}
    for each in parameters:
        if (record := each.get_help_record(ctx)) is not None:
            is_help = each is ctx.command.get_help_option(ctx)
            text = record[1].removesuffix("  [required]") if _is_argument(each) else record[1]
            groups[MORE if is_help else each.rich_help_panel].append((_name(each, record[0]), text))
    for group, rows in groups.items():
        if group is not None and (len(rows) == 1 or len(parameters) <= _FEW):
            groups[None] += rows
            groups[group] = []
    return groups


def _is_argument(parameter: Any) -> bool:
    return bool(parameter.param_type_name == "argument")


def _repeated(parameter: Any) -> bool:
    return bool(getattr(parameter, "multiple", False))


def _name(parameter: Any, name: str) -> str:
    if _is_argument(parameter):
        return str(parameter.metavar)
    return f"{name}..." if _repeated(parameter) else name


def _summary(command: Any) -> str:
    """What a verb does, in one sentence."""
    return str(command.help or "").strip().split("\n\n")[0]


def _column(rows: Iterable[tuple[str, str]]) -> int:
    """Where the texts begin."""
    if text_width() < _NARROW:
        return 6
    return 4 + max(len(name) for name, _ in rows if len(name) <= _LONGEST)


def _lines(rows: Iterable[tuple[str, str]], column: int) -> Iterator[str]:
    for name, text in rows:
        indent = " " * column
        shown = _filled(text, indent, indent)
        start = f"  {name}".ljust(column)
        if start.endswith("  "):
            yield start + shown.removeprefix(indent)
        else:
            yield f"{_filled(name, '  ', '      ')}\n{shown}"


def _filled(text: str, first: str, further: str) -> str:
    glued = text.replace("[default: ", f"[default:{_GLUE}")
    shown = textwrap.fill(
        glued, text_width(), initial_indent=first, subsequent_indent=further,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    return shown.replace(_GLUE, " ")
