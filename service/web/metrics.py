"""Counts and times for Prometheus; labels come from closed sets, never from what a client sent."""

import contextlib
from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

MEDIA_TYPE = CONTENT_TYPE_LATEST
METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS"})
_SECONDS = (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 120)


class Metrics:
    """What one process of the service counts, in a registry of its own."""

    def __init__(self) -> None:
        self._registry = held = CollectorRegistry()
        labels = ("method", "route", "status")
        self._requests = Counter("hoptrail_requests", "Requests.", labels, registry=held)
        self._seconds = Histogram(
            "hoptrail_request_seconds",
            "Seconds a request took.",
            ("route",),
            registry=held,
            buckets=_SECONDS,
        )
        self._now = Gauge("hoptrail_requests_under_way", "Requests under way.", registry=held)
        self.waiting = Gauge(
            "hoptrail_questions_waiting", "Questions that wait for a thread.", registry=held
        )
        self.questions = Counter(
            "hoptrail_questions",
            "Questions by method and what came of them.",
            ("method", "outcome"),
            registry=held,
        )
        self.not_recorded = Counter(
            "hoptrail_answers_not_recorded",
            "Answers that could not be written into the graph.",
            registry=held,
        )
        self.jobs = Counter("hoptrail_jobs", "Jobs that ended, by how.", ("state",), registry=held)

    @contextlib.contextmanager
    def under_way(self) -> Iterator[None]:
        """Count a request while it is served."""
        with self._now.track_inprogress():
            yield

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that was served; status 0 is a client that left before."""
        known = method if method in METHODS else "other"
        self._requests.labels(known, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def text(self) -> bytes:
        """Write all of it in Prometheus' format."""
        return generate_latest(self._registry)
