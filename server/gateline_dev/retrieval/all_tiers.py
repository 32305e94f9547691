"""Times questions with all tiers: `python -m gateline_dev.retrieval.all_tiers FOLDER`, as JSON.

Through the service, as a server asks: while the transformer embeds the folder in the background, and when
that is done. Needs weights and `gateline[semantic-light]`; without them it says so. Where things are kept is
told by the environment, as for a server.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter

import psutil

from gateline.context.values import Question
from gateline.services.embedding.choice import can_make
from gateline.session.context.service import ContextService
from gateline.session.live.documents import Documents
from gateline.session.live.scheduler import Scheduler
from gateline.session.workspace.workspace import open_workspace
from gateline_dev.retrieval.speed import WORDS

_QUESTIONS = 100
_BUDGET = 4_000
_DEADLINE = 0.03
"""Seconds that a tier which is not needed may take, as in the product."""
_GAP = 0.02
"""Seconds between two questions of somebody in a hurry."""
_RESUMED = 0.7
"""Seconds after a question after which the embedder, which rests while somebody asks, is at work again."""
_BESIDE = 50
"""Questions that meet it at work; not so many that it comes to its end meanwhile."""
_LOOK = 0.25
_AT_MOST = 900.0
"""Seconds in which everything is expected to be embedded."""


class Asking:
    """One service whose index is read."""

    def __init__(self, service: ContextService) -> None:
        self.service = service
        self.without = 0
        """Answers in which the transformer took no part."""

    async def read(self) -> None:
        """Until all files were read."""
        while "index" in (await self.service.search(Question(WORDS[0]), _BUDGET)).degraded:
            pass

    async def state(self, *wanted: str) -> str:
        """Until embedding is in one of these states, or has failed; which one."""
        end = perf_counter() + _AT_MOST
        while perf_counter() < end:
            state = self.service.embedding.state
            if state.state in (*wanted, "off", "missing", "failed"):
                return state.state
            await asyncio.sleep(_LOOK)
        return "late"

    async def times(self, kind: str, questions: int = _QUESTIONS, gap: float = _GAP) -> list[float]:
        """Seconds of questions that were never asked before."""
        taken = []
        for number, words in enumerate(islice(cycle(WORDS), questions)):
            began = perf_counter()
            answer = await self.service.search(Question(f"{words} {kind} {number}"), _BUDGET, _DEADLINE)
            taken.append(perf_counter() - began)
            self.without += "semantic" not in answer.tiers
            await asyncio.sleep(gap)
        return taken

    def megabytes(self) -> float:
        """What the process takes that holds the index."""
        pid = self.service.process.child.pid
        return float(psutil.Process(pid).memory_info().rss) / 1e6 if pid else 0.0


async def _measured(root: Path) -> dict[str, object]:
    service = ContextService(Documents(), Scheduler())
    await service.opened(open_workspace(root, os.environ), trusted=True)
    asking = Asking(service)
    try:
        await asking.read()
        if await asking.state("working", "ready") != "working":
            return {"missing": service.embedding.state.detail or service.embedding.state.state}
        busy = await asking.times("busy", _BESIDE, _RESUMED)
        if service.embedding.state.state != "working":
            return {"state": "done too soon"}
        began, before = perf_counter(), service.embedding.state.done
        state, asked = await asking.state("ready"), perf_counter() - began
        embedded = service.embedding.state.done - before
        found = {"busy": busy, "embedding": asked, "embedded": embedded, "state": state}
        await asking.times("warm")
        idle = await asking.times("idle")
        detail = service.embedding.state.detail
        return found | {"idle": idle, "without": asking.without, "MB": asking.megabytes(), "engine": detail}
    finally:
        await service.stop()


def main() -> int:
    """Open the folder, ask while it is embedded, and ask when that is done."""
    if not can_make():
        print(json.dumps({"missing": "gateline[semantic-light] is not installed"}))
        return 0
    print(json.dumps(asyncio.run(_measured(Path(sys.argv[1])))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
