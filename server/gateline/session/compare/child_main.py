"""The far side of a comparison: a process of its own, which ends with it, as `gateline compare` does."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from gateline.services import far
from gateline.session.compare.comparing import compare
from gateline.session.compare.recorded import record
from gateline.session.compare.requests import Compare, Compared
from gateline.session.far_work import Doing, Tell, happening

if TYPE_CHECKING:
    from gateline.services.models.relay import EditorSaid, Relay

_relays: list[Relay] = []
"""That of the comparison, where the model of the editor is asked."""


def answer(request: Compare) -> Iterator[object]:
    """`Doing`, and `Compared` or `Refused`, as it happens."""
    return happening(partial(_compared, request))


async def _compared(request: Compare, tell: Tell) -> None:
    given = {"python": request.python} if request.python else {}
    found = await compare(
        request.root,
        request.asked,
        given,
        None,
        lambda step: tell(Doing(step)),
        _relay(tell) if request.by_editor else None,
    )
    tell(Compared(found, await asyncio.to_thread(record, request.root, found)))


def _relay(tell: Tell) -> Relay:
    from gateline.services.models.relay import Relay

    relay = Relay(tell)
    _relays[:] = [relay]
    return relay


def hear(said: EditorSaid) -> None:
    """What the editor's model said, while candidates are compared."""
    for relay in _relays:
        relay.hear(said)


if __name__ == "__main__":
    # Nobody asks a second time, and whoever stops the work waits for the end of the process.
    far.serve(answer, sys.exit, hear, hears_at_work=True)
