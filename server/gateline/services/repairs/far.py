"""The far side of repairs: runs the loop, and keeps it between a request for verification and its verdict.

Families may search for a while, and read many files: here nobody waits for the interpreter's lock.
"""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any

from gateline.analyzers import syntax
from gateline.model import Document
from gateline.model.lines import changed_lines
from gateline.plugins import load
from gateline.repairs.budget import Budget
from gateline.repairs.locate.failed_imports import IMPORTING
from gateline.repairs.locate.undefined import UNDEFINED
from gateline.repairs.loop import Answer, Job, Look, Steps, debug, proposals
from gateline.repairs.proof import Trial, Verdict, proof_of
from gateline.repairs.reported import problem_of
from gateline.repairs.result import DebugResult
from gateline.repairs.rule import compared
from gateline.services import far
from gateline.services.repairs.known import Disk, Installed, Known
from gateline.services.repairs.messages import Asked, Begin, Tell, Warm

_PYTHON = (".py", ".pyi", ".pyw")


class Repairing:
    """Answers `services.repairs.messages`, one problem at a time."""

    def __init__(self) -> None:
        self._repairers = load().repairers
        self._disk = Disk()
        self._installed = Installed()
        self._run: Run | None = None

    def answer(self, request: Any) -> Iterator[Any]:
        """The one part of the answer to a request."""
        match request:
            case Begin():
                self._run = Run(self._job(request), request)
                yield self._run.advance(None)
            case Tell():
                if self._run is None:
                    raise ValueError("a verdict arrived without a question")
                yield self._run.advance(request.verdict)
            case Warm():
                yield self._warm(request)
            case _:
                raise TypeError(f"unknown request {type(request).__name__}")

    def _warm(self, request: Warm) -> frozenset[str]:
        modules = self._installed.of(request.environment)
        _ = modules.names
        if request.types is None or request.types & (UNDEFINED | IMPORTING):
            # Beside whatever is asked next: the first search for a missing name need not wait for all of it,
            # and no other search has anything of the second that it takes.
            threading.Thread(target=modules.learn, name="learning what modules declare", daemon=True).start()
        return frozenset(code for repairer in self._repairers for code in repairer.codes)

    def _job(self, request: Begin) -> Job:
        modules = self._installed.of(request.place.environment)
        known = Known(request.place, request.texts, self._disk, modules)
        budget = Budget.of(request.effort, time.monotonic)
        return Job(known, self._repairers, known.is_protected, budget, request.excluded)


class Run:
    """The loop on one problem, from one request for verification to the next."""

    def __init__(self, job: Job, request: Begin) -> None:
        self._knowledge = job.knowledge
        self._steps: Steps = debug(request.problem, job)
        self._laid: Mapping[str, str] = {}
        """The texts that earlier iterations repaired."""
        self._asks: Trial | None = None

    def advance(self, answer: Answer | None) -> Asked | DebugResult:
        """Go on until something must be verified that parses, or to the end."""
        if isinstance(answer, Verdict) and proof_of(answer) is not None and self._asks is not None:
            answer = whole_verdict(self._asks) or answer
        while True:
            try:
                request = next(self._steps) if answer is None else self._steps.send(answer)
            except StopIteration as end:
                result: DebugResult = end.value
                return result
            if isinstance(request, Look):
                self._laid = request.knowledge.texts
                answer = proposals(request)
            elif (refused := parse_verdict(request.trial)) is not None:
                answer = refused
            else:
                self._asks = request.trial
                return self._asked(request.trial)

    def _asked(self, trial: Trial) -> Asked:
        texts = {**self._laid, **trial.texts}
        return Asked(trial.problem, texts, {path: self._touched(path, text) for path, text in texts.items()})

    def _touched(self, path: str, text: str) -> frozenset[int]:
        before = Document(path, self._knowledge.text(path) or "")
        return changed_lines(before.lines, Document(path, text).lines)


def parse_verdict(trial: Trial) -> Verdict | None:
    """The verdict on texts of which one does not parse; None when all do, as far as the repair goes."""
    return None if all(_parses(trial, path) for path in trial.texts) else whole_verdict(trial)


def whole_verdict(trial: Trial) -> Verdict | None:
    """The same of whole texts."""
    wrong = {
        path: refusal
        for path, text in trial.texts.items()
        if path.endswith(_PYTHON) and (refusal := syntax.compiler_error(path, text)) is not None
    }
    if not wrong:
        return None
    found = (
        f for path, r in wrong.items() for f in syntax.recovering_errors(path, trial.texts[path]) or (r,)
    )
    remaining = sorted((problem_of(finding) for finding in found), key=lambda problem: problem.sort_key)
    return Verdict(parses=False, gone=False, remaining=tuple(remaining))


def _parses(trial: Trial, path: str) -> bool:
    """Of what a repair touches: for most candidates that is all there is to say, at a tenth of the time."""
    if not path.endswith(_PYTHON):
        return True
    _, after = compared(path, trial.before[path], trial.texts[path])
    return syntax.compiler_error(path, after) is None


def collect_rarely() -> None:
    """Make pauses of the garbage collector rare: a search makes trees that stay, and few cycles that go."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


if __name__ == "__main__":
    collect_rarely()
    far.serve(Repairing().answer)
