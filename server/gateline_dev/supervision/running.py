"""One run: a scripted agent over a task in the product's own loop, then the task's own tests."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from gateline.model import Evaluation, Progress
from gateline.refinement.policy import checkpoint_of, quality_of
from gateline.refinement.state import LoopState, Round, Rules
from gateline.session.judge.judging import Judging, Tell
from gateline.session.judge.request import Request
from gateline.session.refinement.loop import refine
from gateline.session.refinement.requests import Asked
from gateline_dev.supervision import agent, policies
from gateline_dev.supervision.corpus import Corpus, Row, dumped
from gateline_dev.supervision.figures import CHECKPOINTS, CONTROL, UNADJUSTED, Run, Seen

_TOLD = 600
"""Characters of what the gate said that are kept."""
_FIRST_STRATEGY = "direct"
"""Of a command: what is told to go about it otherwise has another one."""


def run(corpus: Corpus, task: Row, kind: str, mode: str, rules: Rules, seed: int) -> Run:
    """Run a loop to its end, and judge the result."""
    with tempfile.TemporaryDirectory(prefix="gateline-supervision-") as place:
        scratch = Path(place)
        root = scratch / "loop" / task["project"]
        corpus.lay_out(task, root)
        script = {**corpus.script(task, kind, seed), "strategy": _FIRST_STRATEGY}
        file = dumped(script, scratch / "script.json")
        command = f"{sys.executable} -S {agent.__file__} {file}"
        asked = Asked(
            task["goal"], (command,), replace(rules, adjust=mode != UNADJUSTED), python=corpus.python
        )
        begin = time.monotonic()
        policy = policies.unsupervised if mode == CONTROL else None
        with _own_state(scratch / "state"), policies.in_force(policy), _timed() as times:
            found = asyncio.run(refine(root, asked))
        seconds = time.monotonic() - begin
        outcome = corpus.judged(task, found.patch, scratch / "judged")
        return _recorded(
            found.state, task["id"], kind, mode, outcome.solved, outcome.quality, sum(times), seconds
        )


def _recorded(
    state: LoopState,
    task: str,
    kind: str,
    mode: str,
    solved: bool,
    quality: float,
    overhead: float,
    seconds: float,
) -> Run:
    assert state.ended is not None
    return Run(
        task,
        kind,
        mode,
        len(state.rounds),
        str(state.ended.kind),
        str(state.ended.kind) == "accept",
        solved,
        round(quality, 4),
        {name: seen for name in CHECKPOINTS if (seen := _seen(state, name)) is not None},
        round(overhead, 1),
        round(seconds, 1),
        _why(state),
    )


def _why(state: LoopState) -> str:
    assert state.ended is not None
    verdict = state.latest
    told = "; ".join((*verdict.integrity, *verdict.reasons))[:_TOLD] if verdict else ""
    return f"{state.ended.reason} | {told}"


def _seen(state: LoopState, checkpoint: str) -> Seen | None:
    """What was seen at a checkpoint; of a loop that was accepted before it, what it was accepted with."""
    rounds = state.rules.rounds
    place = next(n for n in range(rounds, 0, -1) if checkpoint_of(n, rounds) == checkpoint)
    if len(state.rounds) >= place:
        return _told(state.rounds[place - 1], state)
    if state.rounds and state.ended is not None and str(state.ended.kind) == "accept":
        return replace(_told(state.rounds[-1], state), decision="accept", trajectory="")
    return None


def _told(done: Round, state: LoopState) -> Seen:
    quality = quality_of(done.verdict, state.total)
    return Seen(round(quality, 4), done.verdict.decision, done.verdict.trajectory)


@contextmanager
def _own_state(folder: Path) -> Iterator[None]:
    """State of its own, so that no run learns of another; caches are shared, as on anybody's machine."""
    with patch.dict(os.environ, {"XDG_STATE_HOME": str(folder)}):
        yield


@contextmanager
def _timed() -> Iterator[list[float]]:
    """The milliseconds of each evaluation that only a checkpoint asks for: its reports are there already."""
    times: list[float] = []
    evaluate = Judging.evaluate

    async def timed(self: Judging, request: Request, tell: Tell | None = None) -> Evaluation:
        begin = time.perf_counter()
        try:
            return await evaluate(self, request, tell)
        finally:
            if request.progress is Progress.COUNTED:
                times.append((time.perf_counter() - begin) * 1000)

    with patch.object(Judging, "evaluate", timed):
        yield times
