"""The far side of a refinement loop: a process of its own, which ends with the loop.

Whoever ends it loses the round that is under way; what was stored can be gone on with.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial

from gateline.services import far
from gateline.session.far_work import Doing, Tell, happening
from gateline.session.refinement.loop import refine
from gateline.session.refinement.requests import Run


def answer(request: Run) -> Iterator[object]:
    """`Doing`, `LoopState` and `Refused` as it happens; the last state is the end of the loop."""
    return happening(partial(_refined, request))


async def _refined(request: Run, tell: Tell) -> None:
    found = await refine(request.root, request.asked, None, lambda step: tell(Doing(step)), tell)
    tell(found.state)


if __name__ == "__main__":
    # Nobody asks a second time, and whoever stops the loop waits for the end of the process.
    far.serve(answer, sys.exit)
