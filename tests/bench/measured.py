"""Results as a measurement leaves them, written by hand."""

from __future__ import annotations

from gateline_dev.bench.results import Result, Samples
from gateline_dev.bench.targets import Results


def measured(server: str, project: str = "httpx", **milliseconds: float | tuple[float, ...]) -> Result:
    """Each kind (`open_cold` for "open cold") with its times."""
    kinds = {}
    for name, times in milliseconds.items():
        listed = times if isinstance(times, tuple) else (times,)
        kinds[name.replace("_", " ")] = Samples([time / 1000 for time in listed])
    return Result(server, project, kinds)


def by_name(*results: Result) -> Results:
    return {(result.server, result.project): result for result in results}
