"""A reading in the text formats of Prometheus: OpenMetrics, or the older one if asked for."""

from __future__ import annotations

from http import HTTPStatus

from streamgauge._support.errors import MissingExtra
from streamgauge.monitoring._metric_families import Family, samples
from streamgauge.monitoring.serving._reading import Reading
from streamgauge.reports.server import Answer

OPEN_METRICS = "application/openmetrics-text"


def require_prometheus_client() -> None:
    """Raise an error in words if prometheus-client is missing."""
    try:
        import prometheus_client  # noqa: F401
    except ImportError:
        raise MissingExtra("prometheus-client", "metrics") from None


def metrics_answer(reading: Reading, accept: str) -> Answer:
    """All metrics of a reading; OpenMetrics unless the older text format is asked for."""
    require_prometheus_client()
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
    from prometheus_client.exposition import choose_encoder
    from prometheus_client.registry import CollectorRegistry

    kinds = {"counter": CounterMetricFamily, "gauge": GaugeMetricFamily}
    made: dict[Family, CounterMetricFamily | GaugeMetricFamily] = {}
    name = reading.status["name"]
    for family, labels, value in samples(
        reading.status, reading.clock, reading.watermark, reading.taken
    ):
        if family not in made:
            kind = kinds[family.kind]
            made[family] = kind(family.name, family.help, labels=("monitor", *family.labels))
        made[family].add_metric((name, *labels), value)

    class _Reading:
        def collect(self) -> list[CounterMetricFamily | GaugeMetricFamily]:
            return list(made.values())

    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Reading())
    wanted = accept if accept not in ("", "*/*") else OPEN_METRICS
    encode, content_type = choose_encoder(wanted)
    return Answer(HTTPStatus.OK, content_type, encode(registry).decode())
