"""The far side of a comparison: a process of its own, which ends with it, as `gateline compare` does."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from functools import partial

from gateline.services import far
from gateline.session.compare.comparing import compare
from gateline.session.compare.recorded import record
from gateline.session.compare.requests import Compare, Compared
from gateline.session.far_work import Doing, Tell, happening


def answer(request: Compare) -> Iterator[object]:
    """`Doing`, and `Compared` or `Refused`, as it happens."""
    return happening(partial(_compared, request))


async def _compared(request: Compare, tell: Tell) -> None:
    given = {"python": request.python} if request.python else {}
    found = await compare(request.root, request.asked, given, None, lambda step: tell(Doing(step)))
    tell(Compared(found, await asyncio.to_thread(record, request.root, found)))


if __name__ == "__main__":
    # Nobody asks a second time, and whoever stops the work waits for the end of the process.
    far.serve(answer, sys.exit)
