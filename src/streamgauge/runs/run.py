"""`Run`: the results of one learner over one stream, just evaluated or saved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from streamgauge._support.errors import UsageError
from streamgauge._support.printable import printable_lines, printed
from streamgauge._support.types import Drift, Floats, Label
from streamgauge.measures.curves import Curve
from streamgauge.rendering.frames import frame_of
from streamgauge.rendering.html import notebook_html
from streamgauge.rendering.sheet import sheet_of
from streamgauge.runs._confusion_figure import draw_confusion
from streamgauge.runs._curve_figure import curve_figure
from streamgauge.runs._hindsight_figure import draw_hindsight
from streamgauge.runs._late_label_figure import draw_late_labels
from streamgauge.runs._parts import Parts
from streamgauge.runs.answer import show_answer
from streamgauge.runs.bins.bins import Bins
from streamgauge.runs.record import RunRecord, run_to_dict
from streamgauge.runs.store import save_run
from streamgauge.runs.text import header, show_runs, table_lines, table_notes, words_on


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class Run(RunRecord):
    """One learner's pass over one stream; printing it shows the table and the verdict.

    `evaluate` makes runs, `open_run` and `results` open saved ones. Both have the same attributes;
    only the trained learner is not saved. Undefined numbers are NaN.

    Attributes
    ----------
    name
        The learner's name.
    identity
        The learner and its parameters before the run.
    stream
        A summary of the stream: name, rows, features, classes, drifts.
    settings
        How the run was made: labels, forget, seed, ...
    counts
        Number of rows that arrived, were scored or never got a label.
    confusion
        True class × predicted class, abstentions last; None for regression.
    references
        Cumulative metrics of each reference on the same rows.
    overall
        Cumulative metrics of the learner.
    summaries
        Metrics at the end of the run, under each forgetting; `summary` is the first.
    scales
        Of each metric and cost, its `direction` ("higher" or "lower" is better; None: neither) and
        its `unit`.
    verdict
        Whether the learner is better than each reference; print it for words.
    late_labels
        Scores in order of arrival beside those in order of reveal, and whether waits depend on the
        class; None if labels came in the order of the rows.
    cost
        Seconds, rows per second and model size at the end of the run.
    time
        Wall-clock seconds: compiling, reading the stream, in total.
    failure
        Why the run ended early; None if it did not.
    warnings
        Sentences on numbers that may mislead, or that the seed does not determine.

    References
    ----------
    gama2013, bifet2013, zliobaite2015 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> run = sg.evaluate(sg.SEA(2000, seed=1), sg.NaiveBayes())
    >>> print(f"accuracy {run.summary['accuracy']:.3f}, kappa {run.summary['kappa']:.3f}")
    accuracy 0.933, kappa 0.838
    >>> run.confusion.tolist()
    [[508, 127, 0], [5, 1359, 1]]
    >>> {each.reference: each.word for each in run.verdict.against[:3]}
    {'Majority': 'better', 'Transition': 'better', 'Seasonal': 'better'}
    """

    _parts: Parts = field(repr=False)

    @property
    def path(self) -> Path | None:
        """The directory of the saved run; None if it has not been saved."""
        return self._parts.path

    @property
    def id(self) -> str:
        """A hash of everything that determines the run's numbers."""
        return self._parts.id

    @property
    def learner(self) -> Any:
        """The trained learner; a saved run has none."""
        return self._parts.learner

    @property
    def curve(self) -> Curve:
        """Every metric along the stream, under each forgetting."""
        return self._parts.curve

    @property
    def cost_curve(self) -> dict[str, Floats]:
        """The cost along the stream, by arrived rows and (scored) rows."""
        return self._parts.cost_curve

    @property
    def bins(self) -> Bins:
        """Metrics per bin of the wait: `run.bins["accuracy"]`, bins 0 to B + 1."""
        bins = self._parts.bins
        if bins is None:
            raise UsageError(
                "this run has no bins; to get them: evaluate(..., reevaluate=Reevaluate())"
            )
        return bins

    def bins_at(self, labels: int) -> Bins:
        """The table of bins after the first `labels` labels."""
        return self.bins._after(labels)

    @property
    def summary(self) -> dict[str, float]:
        """Every metric at the end of the run, under the first forgetting."""
        return _Summary(next(iter(self.summaries.values())), self)

    @property
    def undefined(self) -> dict[str, tuple[int, str]]:
        """The metrics with undefined points on the curve: how many there are, and why."""
        return self.curve.undefined()

    @property
    def classes(self) -> tuple[Label, ...]:
        """The classes, in the order of the confusion table."""
        return self.stream.classes

    @property
    def drifts(self) -> tuple[Drift, ...]:
        """The true drifts that the stream declares."""
        return self.stream.drifts

    @property
    def predictions(self) -> pa.Table:
        """Row, label, the learner's first prediction and the references', in reveal order."""
        return self._parts.predictions

    def plot(
        self,
        metric: str | None = None,
        *,
        forget: Any = None,
        references: bool | Sequence[str] = True,
        alarms: Iterable[int] = (),
        zoom: bool = False,
    ) -> Any:
        """Draw a metric along the stream: an Altair chart; see `sg.plot` (docs/figures.md)."""
        return curve_figure(
            {self.title: [self]},
            metric,
            forget=forget,
            references=references,
            alarms=alarms,
            zoom=zoom,
        )

    def plot_confusion(self, parts: int = 4) -> Any:
        """Draw what each class was predicted as, in successive parts of the stream.

        It reads the predictions. Needs Altair: pip install 'streamgauge[plot]'.

        Parameters
        ----------
        parts
            Number of parts of the stream, equal in labels.

        Returns
        -------
        altair.Chart
            The chart: change it as you like; `.save("x.pdf")` also writes .svg, .png and .html.

        Examples
        --------
        >>> import streamgauge as sg
        >>> run = sg.evaluate(sg.SEA(2000, seed=1), sg.NaiveBayes())
        >>> chart = run.plot_confusion(parts=2)
        >>> [panel["title"]["text"] for panel in chart.to_dict()["concat"]]
        ['rows 1 to 1,000', 'rows 1,001 to 2,000']
        """
        return draw_confusion(self, parts)

    def plot_late_labels(self, parts: int = 20) -> Any:
        """Draw the score as labels came and as rows arrived, and the waits of each class.

        It reads the predictions. Needs Altair: pip install 'streamgauge[plot]'.

        Parameters
        ----------
        parts
            Number of parts of the stream, each with a score.

        Returns
        -------
        altair.Chart
            The chart: change it as you like; `.save("x.pdf")` also writes .svg, .png and .html.

        Examples
        --------
        >>> import streamgauge as sg
        >>> late = sg.RandomDelay("geometric(0.01)", seed=1)
        >>> run = sg.evaluate(sg.SEA(2000, seed=1), sg.NaiveBayes(), labels=late)
        >>> chart = run.plot_late_labels()
        >>> chart.caption.partition(". ")[0]
        'Labels did not come in the order of the rows'
        """
        return draw_late_labels(self, parts)

    def plot_hindsight(self, window: int = 500) -> Any:
        """Draw the score of the newest rows as it was known at each moment, and as it is now.

        Where labels come late, the newest rows whose label is in are no fair sample of the newest
        rows. It reads the predictions. Needs Altair: pip install 'streamgauge[plot]'.

        Parameters
        ----------
        window
            How many of the newest rows a score is about.

        Returns
        -------
        altair.Chart
            The chart: change it as you like; `.save("x.pdf")` also writes .svg, .png and .html.

        Examples
        --------
        >>> import streamgauge as sg
        >>> late = sg.RandomDelay("geometric(0.01)", seed=1)
        >>> run = sg.evaluate(sg.SEA(2000, seed=1), sg.NaiveBayes(), labels=late)
        >>> chart = run.plot_hindsight(window=200)
        >>> print(*chart.to_dict()["title"]["text"])
        SEA(2000, seed=1): NaiveBayes, known then and in hindsight
        """
        return draw_hindsight(self, window)

    def to_frame(self, kind: str | None = None) -> Any:
        """The curve as a frame: "pandas", "polars" or "arrow"; by default the first installed."""
        return frame_of(self.curve.to_arrow(), kind)

    def save(self, folder: str | Path) -> Path:
        """Save the run in a new directory under `folder` and return that directory.

        The directory appears only when it is complete. A saved run is copied.
        """
        return save_run(self, Path(folder))

    def to_dict(self) -> dict[str, Any]:
        """The run as plain values, as `--json` writes it (docs/json.md); undefined is None."""
        return run_to_dict(self)

    @property
    def details(self) -> str:
        """Everything there is to say of the run, as text; printing it shows the answer only."""
        return printable_lines(show_runs([self]))

    @printed
    def __str__(self) -> str:
        return show_answer([self])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        notes = [header(self), *table_notes([self])]
        return notebook_html([words_on(self)], sheet_of(table_lines([self]), notes), self)


class _Summary(dict[str, float]):
    """A dict whose error for an unknown metric says how to get it."""

    def __init__(self, values: dict[str, float], run: Run) -> None:
        super().__init__(values)
        self._run = run

    def __missing__(self, name: str) -> float:
        return float(self._run.curve[name][-1])
