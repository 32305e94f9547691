"""Times the first answer of a server: `python -m gateline_dev.retrieval.first_answers FOLDER`, as JSON.

It begins when a workspace was opened and a question is asked, and ends with the first answer that shows
something: where nothing is stored, from what is read by then. The process of the index is started within.
Where it keeps things is told by the environment, as for a server.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from time import perf_counter

from gateline.context.values import Question
from gateline.session.context.process import IDLE
from gateline.session.context.service import ContextService
from gateline.session.live.documents import Documents
from gateline.session.live.scheduler import Scheduler
from gateline.session.workspace.workspace import open_workspace

_WORDS = "escape a value for the shell"
_BUDGET = 4_000
_WRITING = 3.0
"""Seconds in which an index is looked through and written."""


async def _measured(root: Path) -> dict[str, float]:
    service = ContextService(Documents(), Scheduler())
    await service.opened(open_workspace(root, os.environ), trusted=True)
    began, found = perf_counter(), dict[str, float]()
    try:
        while "whole" not in found:
            answer = await service.search(Question(_WORDS), _BUDGET)
            taken = perf_counter() - began
            if answer.passages:
                found.setdefault("first", taken)
            if "index" not in answer.degraded:
                found["whole"] = taken
        # For whoever starts next: what is done in idle time is done.
        await asyncio.sleep(IDLE + _WRITING)
    finally:
        await service.stop()
    return found


def main() -> int:
    """Open the folder, and ask until all files were read."""
    print(json.dumps(asyncio.run(_measured(Path(sys.argv[1])))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
