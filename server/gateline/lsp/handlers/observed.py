"""What is observed of gateline itself in a folder. Params are validated by the caller."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from gateline.lsp.handlers.asked import failures, session_at, wire
from gateline.protocol.methods import OBSERVED

if TYPE_CHECKING:
    from gateline.lsp.server import Server
    from gateline.protocol.observed import ObservedParams


async def observed(ls: Server, params: ObservedParams) -> dict[str, Any]:
    """Counters and histograms of the folder, and how much waits in its session."""
    from gateline.protocol.observed import ObservedResult, SeriesResult
    from gateline.session.observability.families import QUEUE
    from gateline.session.observability.reading import series_of

    session = session_at(ls, params.uri)
    with failures():
        found = await asyncio.to_thread(series_of, session.root)
    depth = SeriesResult(name=QUEUE.name, count=1, total=session.queue_depth, buckets=())
    rows = (SeriesResult(**asdict(one)) for one in found)
    return wire(ObservedResult(series=(*rows, depth)))


ANSWERS: dict[str, Callable[[Server, Any], Awaitable[dict[str, Any]]]] = {OBSERVED.name: observed}
