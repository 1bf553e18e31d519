"""What the server of a monitor answers beside its page: metrics, health, readiness."""

from __future__ import annotations

import time
from http import HTTPStatus

from streamgauge._support.errors import MissingExtra
from streamgauge.monitoring.serving._open_metrics import metrics_answer
from streamgauge.monitoring.serving._reading import Readings
from streamgauge.reports.server import Answer, Answers, plain

STUCK = 60.0  # seconds without a look at the sources, after which a monitor is not healthy


class Health:
    """Whether the monitor looks at its sources, and whether it has caught up with them."""

    def __init__(self, readings: Readings) -> None:
        self._readings = readings
        self.ready = False

    def healthz(self, _: str) -> Answer:
        """200 while the monitor looks at its sources again and again."""
        silent = time.monotonic() - self._readings.looked
        if silent > STUCK:
            said = f"The monitor has not looked at its sources for {silent:.0f} s."
            return plain(HTTPStatus.SERVICE_UNAVAILABLE, said)
        return plain(HTTPStatus.OK, "ok")

    def readyz(self, _: str) -> Answer:
        """200 once all lines have been read that were there at the start."""
        if not self.ready:
            return plain(HTTPStatus.SERVICE_UNAVAILABLE, "The monitor is still catching up.")
        return plain(HTTPStatus.OK, "ready")


def answers(readings: Readings, health: Health) -> Answers:
    """The addresses of a monitor, beside its page."""

    def metrics(accept: str) -> Answer:
        reading = readings.latest()
        if reading is None:
            return plain(HTTPStatus.SERVICE_UNAVAILABLE, "No figures have been read yet.")
        try:
            return metrics_answer(reading, accept)
        except MissingExtra as error:
            return plain(HTTPStatus.SERVICE_UNAVAILABLE, str(error))

    return {"/metrics": metrics, "/healthz": health.healthz, "/readyz": health.readyz}
