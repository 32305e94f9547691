"""Spans of OpenTelemetry, where the program that runs gateline loaded it: nothing is imported for it.

`opentelemetry-instrument gateline check` loads the SDK and says where spans go; without that there are none.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_API = "opentelemetry.trace"


@contextmanager
def span(name: str, **attributes: str | float | bool) -> Iterator[None]:
    """A span around some work; nothing where OpenTelemetry was not loaded."""
    api = sys.modules.get(_API)
    if api is None:
        yield
        return
    with api.get_tracer("gateline").start_as_current_span(name, attributes=attributes):
        yield
