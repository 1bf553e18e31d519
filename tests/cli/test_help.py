"""--help: every option in a group, at every width; names and typing errors."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import typer.main

from streamgauge._support import registry
from streamgauge.cli import make_app
from streamgauge.runs.options import OPTIONS
from tests.cli.running import Shell
from tests.cli.test_widths import too_long


def pages() -> Iterator[tuple[str, ...]]:
    """The commands that have a page of help."""
    yield ()
    group = typer.main.get_command(make_app(registry.own_names("verb")))
    for verb, command in group.commands.items():  # type: ignore[attr-defined]
        yield (verb,)
        yield from ((verb, each) for each in getattr(command, "commands", ()))


@pytest.mark.parametrize("page", list(pages()), ids=" ".join)
def test_help_fits_the_terminal(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, page: tuple[str, ...]
) -> None:
    for width in (40, 60, 80, 120):
        monkeypatch.setenv("COLUMNS", str(width))
        code, out, err = shell(*page, "--help")
        assert (code, err) == (0, "")
        assert out.startswith("Usage: streamgauge")
        assert too_long(out, width) == []
        if width >= 80:
            assert len(out.splitlines()) <= 60


def test_every_option_of_evaluate_has_its_group(shell: Shell) -> None:
    out = shell("evaluate", "--help").out
    groups = {part.split("\n")[0]: part for part in out.split("\n\n")}
    for option in OPTIONS:
        (found,) = [part for part in groups.values() if f"  {option.flag} " in part]
        assert found.startswith(f"{option.group or 'Options'}:\n")
        assert option.help in found
    wanted = ["--learner", "--labels", "--delay", "--rows", "-v", "--save", "--plot", "--json"]
    places = [groups["Options:"].index(f"  {each}") for each in wanted]
    assert places == sorted(places)


def test_names_lists_what_options_take(shell: Shell) -> None:
    out = shell("names").out
    kinds: tuple[registry.Kind, ...] = (
        "learner", "reference", "wrapper", "detector", "forgetting", "label policy", "protocol",
        "metric", "generator",
    )  # fmt: skip
    assert [name for name in registry.shown_names(*kinds) if name not in out] == []
    one = shell("names", "metrics").out
    assert "kappa" in one
    assert "KNN" not in one
    code, _, err = shell("names", "metric")
    assert (code, err) == (2, "streamgauge: unknown kind 'metric' (did you mean 'metrics'?)\n")


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["evaluate", "table.csv", "--learner", "HoefdingTree"], "HoeffdingTree"),
        (["evaluate", "table.csv", "--metric", "kapa"], "kappa"),
        (["evaluate", "table.csv", "--labels", "Dely(3)"], "Delay"),
        (["evaluate", "table.csv", "--forget", "Windw(3)"], "Window"),
        (["evaluate", "table.csv", "--protocol", "Holdut(9, 3)"], "Holdout"),
        (["evaluate", "table.csv", "--drop", "hnt"], "hint"),
        (["evaluate", "elec3"], "elec2"),
        (["detect", "table.csv", "--detector", "DMD"], "DDM"),
    ],
)
def test_a_typing_error_gets_one_suggestion(shell: Shell, arguments: list[str], meant: str) -> None:
    code, out, err = shell(*arguments)
    assert (code, out) == (2, "")
    assert err.endswith(f" (did you mean {meant!r}?)\n")
    assert len(err) < 120


@pytest.mark.parametrize(
    "arguments",
    [
        ["evaluate", "table.csv", "--learner", "Oak"],
        ["evaluate", "table.csv", "--metric", "beauty"],
        ["evaluate", "table.csv", "--labels", "Soon"],
        ["evaluate", "nothing"],
        ["detect", "table.csv", "--detector", "Nose"],
    ],
)
def test_an_unknown_name_gets_a_short_answer(shell: Shell, arguments: list[str]) -> None:
    code, out, err = shell(*arguments)
    assert (code, out) == (2, "")
    assert "expected " in err
    assert len(err) < 320


def test_usage_errors_name_the_near_option_or_verb(shell: Shell) -> None:
    assert "--learner" in shell("evaluate", "table.csv", "--lerner", "KNN").err
    assert "'evaluate'" in shell("evalute", "table.csv").err
