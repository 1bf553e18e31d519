"""`Monitor`: joins predictions and late labels as they come, and keeps the figures up to date."""

from __future__ import annotations

import os
import time
import weakref
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from streamgauge._support.clock import time_text
from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.inside import Inside
from streamgauge._support.locks import acquire
from streamgauge._support.printable import printed
from streamgauge._support.types import NEVER, Clock
from streamgauge.measures.curves import Curve
from streamgauge.measures.scale import Scale
from streamgauge.monitoring._engine import Engine
from streamgauge.monitoring._feed import Feed, Vocabularies, reached
from streamgauge.monitoring._snapshot import (
    read_snapshot,
    write_in_background,
    write_snapshot,
)
from streamgauge.monitoring._spans import span
from streamgauge.monitoring._state_tree import Dump, StatePart
from streamgauge.monitoring._status import NowRules, model_status, plain
from streamgauge.monitoring._text import status_text
from streamgauge.monitoring._times import Times
from streamgauge.monitoring.config import MonitorConfig, make_config, read_config
from streamgauge.prequential.reasons import FAR_AHEAD
from streamgauge.runs.runs import Runs
from streamgauge.streams.formats.schema_inference import key_of

_SNAPSHOT = "snapshot"
_LOCK = "running"
_SMALL = 1 << 25  # bytes; a snapshot of fewer is written at once
_PAUSE = 0.2  # seconds between two looks at sources that had nothing new


class Monitor:
    r"""A monitor: joins predictions and late labels as they come.

    It reads its sources, joins labels to predictions by id in order of time, and scores them as
    `score` does: its figures equal those of `score` on the whole log. Its state is kept in a
    folder; a monitor that was stopped at any moment goes on where it was.

    Parameters
    ----------
    config
        The configuration: a TOML file (docs/monitoring.md), or the same as a dict.
    home
        The folder that paths of the configuration are relative to; by default that of the file, or
        the current one.

    Raises
    ------
    UsageError
        If the configuration is invalid.
    InputError
        If the state belongs to another configuration or version.

    References
    ----------
    grzenda2019 (docs/bibliography.md)

    Examples
    --------
    >>> from pathlib import Path
    >>> import streamgauge as sg
    >>> _ = Path("asked.csv").write_text("id,time,prediction\n7,0,yes\n8,1,no\n9,2,yes\n")
    >>> _ = Path("answers.csv").write_text("id,time,label\n8,5,no\n7,6,no\n")
    >>> monitor = sg.Monitor({
    ...     "predictions": {"path": "asked.csv", "prediction": "prediction"},
    ...     "labels": {"path": "answers.csv"},
    ...     "classes": ["no", "yes"],
    ...     "join": {"timeout": 100},
    ... })
    >>> monitor.finish()
    >>> run = monitor.runs["monitor"]
    >>> run.summary["accuracy"], run.counts.awaited
    (0.5, 1)
    """

    state_fields = ("_names", "_times", "_feeds", "_engine")

    def __init__(self, config: str | Path | Mapping[str, Any], home: str | Path | None = None):
        if isinstance(config, str | Path):
            self._home = Path(Path(config).parent if home is None else home).absolute()
            self.config = read_config(config, self._home)
        else:
            self._home = Path("." if home is None else home).absolute()
            self.config = make_config(config, home=self._home)
        self.folder = self._home / self.config.state
        self._place = Inside(self.folder).make()
        classes = self.config.classes or []
        self._names = Vocabularies(
            len(self.config.predictions.segments), tuple(map(key_of, classes))
        )
        self._engine = Engine(self.config, self._place, self._names)
        self._times = Times(self.config.join)
        self._feeds = _feeds(self.config, self._home, self._names, self._times)
        self._writer: tuple[int, int] | None = None  # a process, and the alarms that it saves
        self._unlock: Callable[[], object] | None = None
        self._saved_events = 0  # number of events that the last snapshot has
        if self._snapshot.exists():
            self._resume()

    @property
    def _snapshot(self) -> Path:
        return self.folder / _SNAPSHOT

    @property
    def clock(self) -> Clock:
        """What times count; "integers" before the first event."""
        return self._times.clock or "integers"

    @property
    def watermark(self) -> int | None:
        """All events before this time have happened; None before the first."""
        return None if self._engine.now == -NEVER else self._engine.now

    @property
    def runs(self) -> Runs:
        """The run of each model so far, as `score` makes it of the events before the watermark."""
        skipped = self.counts
        now = self._engine.now
        return Runs(model.run(now, skipped) for model in self._engine.models.values())

    @property
    def counts(self) -> dict[str, int]:
        """Lines and events that were not scored, by reason."""
        found = Counter(self._engine.counts)
        for feed in self._feeds:
            found.update(feed.counts)
            found[FAR_AHEAD] += feed.clock.waiting
        return {why: n for why, n in found.items() if n}

    def poll(self) -> bool:
        """Read some lines, if there are any, and let happen what is due; whether there were any.

        The feed that is behind is read first, so that little has to wait its turn.
        """
        self._lock_state()
        for feed in sorted(self._feeds, key=lambda each: each.newest):
            events = feed.read()
            if events is not None:
                self._engine.hold(*events)
                self._advance()
                return True
        self._advance()  # a feed may have become idle
        return False

    def _lock_state(self) -> None:
        if self._unlock is None:
            lock = acquire(self._place / _LOCK)
            if lock is not None:
                self._unlock = weakref.finalize(self, lock.release)
            else:
                raise UsageError(
                    f"{self.folder}: another monitor is running with this state; stop it, or give "
                    "this one a state folder of its own: state = '...'"
                )

    def catch_up(self) -> None:
        """Read all lines that there are now."""
        while self.poll():
            pass

    def finish(self) -> None:
        """Read all lines, and let the rest happen: nothing more will come."""
        self.catch_up()
        for feed in self._feeds:
            events = feed.end()
            if events is not None:
                self._engine.hold(*events)
        self._engine.classes.fix()
        newest = max((feed.clock.latest for feed in self._feeds), default=-NEVER)
        newest = max(newest, int(self._engine.labels.gather().times.max(initial=-NEVER)))
        if newest != -NEVER:
            self._engine.release(None, newest + 1, self.clock)

    def save(self, wait: bool = True) -> None:
        """Write a snapshot, and announce new alarms.

        Parameters
        ----------
        wait
            Whether to wait until it is written. If not, and it is large, another process writes
            it; a snapshot that is due before that one has ended is left out.
        """
        if self._written(wait) is False:
            return
        dump = Dump()
        tree = dump.tree(self)
        head = {"config": self.config.binding, "name": self.config.name}
        events = self._engine.alarms.count
        if not wait and sum(each.nbytes for each in dump.arrays) > _SMALL:
            process = write_in_background(self._place / _SNAPSHOT, head, tree, dump.arrays)
            if process is not None:
                self._writer = process, events
                return
        write_snapshot(self._place / _SNAPSHOT, head, tree, dump.arrays)
        self._announce(events)

    def _written(self, wait: bool) -> bool:
        """Whether no other process is writing a snapshot any more."""
        if self._writer is None:
            return True
        process, events = self._writer
        ended, code = os.waitpid(process, 0 if wait else os.WNOHANG)
        if not ended:
            return False
        self._writer = None
        if code:
            raise InputError(
                f"{self._snapshot}: the snapshot could not be written; is the disk full? The one "
                "before it is whole"
            )
        self._announce(events)
        return True

    def _announce(self, events: int) -> None:
        """Announce alarm events that a snapshot has by now, so that none is lost."""
        self._saved_events = events
        outbox = self._engine.alarms.outbox
        outbox.note_saved()
        outbox.deliver(events)

    def _resume(self) -> None:
        head, arrays = read_snapshot(self._snapshot)
        self._check_binding(head["config"])
        try:
            StatePart(head["tree"], arrays).into(self)
        except InputError as error:
            raise InputError(f"{self._snapshot}: {error}") from None

    def _check_binding(self, before: dict[str, str]) -> None:
        """Raise an error that names the settings which the state does not fit."""
        now = self.config.binding
        changed = [
            f"{key} was {before.get(key, 'not set')}, now {now.get(key, 'not set')}"
            for key in sorted(before.keys() | now.keys())
            if before.get(key) != now.get(key)
        ]
        if changed:
            raise InputError(
                f"{self._snapshot}: this state belongs to another configuration: "
                f"{'; '.join(changed)}. What was read, joined or measured would be another thing: "
                "set it back, or give this configuration a state folder of its own, state = '...': "
                "the whole log is then read again"
            )

    def _advance(self) -> None:
        bound = reached(self._feeds)
        if bound is None:
            return
        watermark = bound - span("lateness", self.config.join.lateness)
        if watermark > self._engine.now:
            self._engine.release(watermark, watermark, self.clock)

    def status(self) -> dict[str, Any]:
        """Everything there is to know now, as plain values that JSON can hold.

        Keys: `name`, `watermark`, `clock`, `classes`, `lines` (read, per feed), `held`, `idle`
        (feeds), `set_aside` (events far ahead of the others, per feed), `counts` and `examples` (of
        what was not scored), `models` (by name: `arrived`, `scored`, `waiting`, `timed_out`,
        `counts`, `bytes`, `now` (the newest window: `score`, `rows`, `low`, `high`, `baseline`,
        `change`), `figures` by forgetting and metric, `references`, `against`, `verdict`,
        `segments`, `detectors`, `maturity`), `comparisons`, `alarms`, `events`, and
        `notifications` (`waiting`, `dropped`, `problem`).
        Times are texts, undefined figures are None.
        """
        engine, clock, rules = self._engine, self.clock, NowRules.of(self.config)
        runs = self.runs
        now = self.watermark
        found = {
            "name": self.config.name,
            "watermark": None if now is None else time_text(now, clock),
            "clock": clock,
            "classes": "regression" if self.config.task == "regression" else engine.classes.text,
            "lines": {feed.kind: feed.lines for feed in self._feeds},
            "held": engine.held + sum(feed.held for feed in self._feeds),
            "idle": [feed.kind for feed in self._feeds if feed.idle],
            "set_aside": {feed.kind: feed.clock.waiting for feed in self._feeds},
            "counts": self.counts,
            "examples": [each for feed in self._feeds for each in feed.examples]
            + [each for examples in engine.unknown.values() for each in examples],
            "models": {
                name: model_status(model, runs[name], engine, rules, clock)
                for name, model in engine.models.items()
            },
            "comparisons": [pair.status(*engine.maturities(pair)) for pair in engine.pairs],
            "alarms": [alarm.status(clock) for alarm in engine.alarms.listed()],
            "events": engine.alarms.events[-20:],
            "notifications": engine.alarms.outbox.status(),
        }
        result: dict[str, Any] = plain(found)
        return result

    @property
    def curves(self) -> dict[str, Curve]:
        """The curve of each model so far."""
        return {name: model.scorer.curve() for name, model in self._engine.models.items()}

    @property
    def scales(self) -> dict[str, Scale]:
        """Direction and unit of each metric."""
        return {
            metric: scale
            for model in self._engine.models.values()
            for metric, scale in model.scorer.scales.items()
        }

    @property
    def events(self) -> list[dict[str, Any]]:
        """The last alarms that were raised or have ended; `number` counts all there have been."""
        return self._engine.alarms.events

    def take_remarks(self) -> list[str]:
        """What has happened to the sources since the last call, for a log."""
        found = [remark for feed in self._feeds for remark in feed.remarks]
        for feed in self._feeds:
            feed.remarks = []
        return found

    @property
    def firing(self) -> bool:
        """Whether an alarm is on."""
        return self._engine.alarms.firing

    @property
    def ended(self) -> bool:
        """Whether no source can bring more."""
        return all(feed.source.ended for feed in self._feeds)

    def run(
        self,
        stop: Callable[[], bool] = lambda: False,
        after: Callable[[bool], None] = lambda idle: None,
    ) -> None:
        """Follow the sources until `stop` says so, with a snapshot now and then.

        `after` is called after each look at the sources, with whether there was nothing new.
        """
        every = span("snapshot", self.config.snapshot) / 1e9
        saved = time.monotonic()
        while not (stop() or self.ended):
            idle = not self.poll()
            after(idle)
            news = self._engine.alarms.count > self._saved_events
            if time.monotonic() - saved >= every or news:
                self.save(wait=False)
                saved = time.monotonic()
            if idle:
                time.sleep(_PAUSE)
        self.save()

    def close(self) -> None:
        """Close the sources and let go of the state."""
        self._written(wait=True)
        for feed in self._feeds:
            feed.source.close()
        if self._unlock is not None:
            self._unlock()
            self._unlock = None

    @printed
    def __str__(self) -> str:
        return status_text(self.status(), self.clock)


def _feeds(config: MonitorConfig, home: Path, names: Vocabularies, times: Times) -> list[Feed]:
    regression = config.task == "regression"
    rules = config.join
    lateness = span("lateness", rules.lateness)
    ahead = None if rules.ahead is None else span("ahead", rules.ahead)
    idle = None if rules.idle is None else span("idle", rules.idle)
    given = [("predictions", config.predictions), ("labels", config.labels)]
    return [
        Feed(
            kind, feed, feed.open_source(home), names, times, regression,
            span("timeout", rules.timeout), lateness, ahead, idle,
        )
        for kind, feed in given
        if feed is not None
    ]  # fmt: skip
