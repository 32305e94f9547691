"""Metrics in Prometheus' text format: as a text, as a file, or served on this machine alone.

Only `gateline metrics --prometheus` and `--serve` import this: the client is an extra, `gateline[metrics]`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.exposition import start_http_server
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from gateline.session.observability.families import FAMILIES, Family
from gateline.store.observations import Series

Read = Callable[[], Sequence[Series]]
"""Gives all series as they are now. Raises StoreError."""


class _Collector(Collector):
    """Reads the store at each scrape."""

    def __init__(self, read: Read) -> None:
        self._read = read

    def collect(self) -> Iterator[Metric]:
        found = self._read()
        for family in FAMILIES.values():
            yield _metric(family, [one for one in found if one.name == family.name])


def registry(read: Read) -> CollectorRegistry:
    """A registry of gateline's metrics alone: nothing of this process or of other libraries is in it."""
    made = CollectorRegistry(auto_describe=False)
    # Registered without being described: that would read the store.
    made.register(_Collector(read))
    return made


def text(read: Read) -> str:
    """All metrics in the text format."""
    return generate_latest(registry(read)).decode()


def serve(read: Read, address: str, port: int) -> Callable[[], None]:
    """Serve metrics until what is answered is called. Raises OSError for a port that cannot be had."""
    server, thread = start_http_server(port, address, registry(read))

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return stop


def _metric(family: Family, found: Iterable[Series]) -> Metric:
    if family.kind == "histogram":
        histogram = HistogramMetricFamily(family.name, family.help, labels=family.labels)
        for one in found:
            histogram.add_metric(_values(family, one), _buckets(family, one), one.total)
        return histogram
    made: CounterMetricFamily | GaugeMetricFamily
    if family.kind == "counter":
        made = CounterMetricFamily(family.name, family.help, labels=family.labels)
    else:
        made = GaugeMetricFamily(family.name, family.help, labels=family.labels)
    for one in found:
        made.add_metric(_values(family, one), one.total)
    return made


def _values(family: Family, one: Series) -> list[str]:
    return [one.labels.get(label, "") for label in family.labels]


def _buckets(family: Family, one: Series) -> list[tuple[str, float]]:
    bounds = [*(f"{bound:g}" for bound in family.bounds), "+Inf"]
    if len(one.buckets) != len(bounds):
        # Counted by other bounds: only how many there were is known.
        return [("+Inf", float(one.count))]
    return [(bound, float(n)) for bound, n in zip(bounds, accumulate(one.buckets), strict=True)]
