"""The loop: classify, propose, check the house rules, verify; feed what remains back; stop in time.

It asks for everything that takes time or touches the world, one request after the other, and is told the
answer: the shell may run a family in a worker, and a verification in the services, without the loop knowing.
Nothing is ever applied here.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from gateline.model import Diagnosis, Knowledge, Problem, Question, Repair, Repairer, VerifiedRepair
from gateline.repairs.budget import Budget
from gateline.repairs.classify import classify
from gateline.repairs.proof import Trial, Verdict, permit, proof_of, verified, why_not
from gateline.repairs.result import Attempt, DebugResult, Outcome, finished
from gateline.repairs.rules import Protected
from gateline.repairs.texts import Overlay


@dataclass(frozen=True, slots=True)
class Look:
    """A request: the first `limit` repairs that a family proposes."""

    repairer: Repairer
    diagnosis: Diagnosis
    knowledge: Overlay
    limit: int


@dataclass(frozen=True, slots=True)
class Try:
    """A request: what is found when the texts of a trial are laid over the workspace."""

    trial: Trial


Request = Look | Try
Answer = Sequence[Repair] | Verdict
Steps = Generator[Request, Answer, DebugResult]


@dataclass(frozen=True, slots=True)
class Job:
    """What the loop needs besides the problems."""

    knowledge: Knowledge
    repairers: Sequence[Repairer]
    protected: Protected
    budget: Budget


@dataclass(frozen=True, slots=True)
class _Tried:
    """The best that one iteration came to."""

    trial: Trial
    verdict: Verdict
    others: tuple[VerifiedRepair, ...] = ()


def debug(problem: Problem, job: Job) -> Steps:
    """Repair a problem, and what remains after it. The steps never raise of themselves."""
    run = _Run(job)
    waiting: Problem | None = problem
    best: _Tried | None = None
    for number in range(1, job.budget.iterations + 1):
        if waiting is None or run.is_late():
            break
        best = yield from run.iteration(number, waiting)
        if best is None:
            break
        run.texts = {**run.texts, **best.trial.texts}
        waiting = next(iter(best.verdict.remaining), None)
        if proof_of(best.verdict) is not None and waiting is None:
            return finished(problem, run.texts, job.knowledge, run.attempts, best.verdict, best.others)
    return finished(problem, {}, job.knowledge, run.attempts, late=run.is_late())


class _Run:
    """The state of one run: the texts so far, and every attempt."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._end = job.budget.now() + job.budget.seconds
        self.texts: Mapping[str, str] = {}
        self.attempts: list[Attempt] = []
        self._seen: set[tuple[tuple[str, str], ...]] = set()

    def is_late(self) -> bool:
        return self._job.budget.now() >= self._end

    def iteration(self, number: int, problem: Problem) -> Generator[Request, Answer, _Tried | None]:
        """Try candidates, the likeliest first, until one repairs everything; else the best partial one."""
        partial: _Tried | None = None
        solved: _Tried | None = None
        left = self._job.budget.attempts
        knowledge = Overlay(self._job.knowledge, self.texts)
        for repair, diagnosis in (yield from self._proposed(problem, knowledge)):
            if left == 0 or self.is_late():
                break
            if (trial := self._permitted(number, diagnosis, repair, knowledge)) is None:
                continue
            left -= 1
            verdict = yield from _verdict(trial)
            self.attempts.append(_attempt(number, diagnosis, trial, verdict))
            if _is_complete(verdict):
                solved = _with(solved, trial, verdict)
                left = min(left, self._job.budget.alternatives - len(solved.others))
            elif _is_better(verdict, trial, partial):
                partial = _Tried(trial, verdict)
        return solved or partial

    def _proposed(
        self, problem: Problem, knowledge: Overlay
    ) -> Generator[Request, Answer, list[tuple[Repair, Diagnosis]]]:
        """What all families propose, the likeliest first."""
        found: list[tuple[Repair, Diagnosis]] = []
        for repairer, diagnosis in classify(problem, knowledge, self._job.repairers):
            answer = yield Look(repairer, diagnosis, knowledge, self._job.budget.looks)
            found += [(repair, diagnosis) for repair in (answer if isinstance(answer, Sequence) else ())]
        return sorted(found, key=lambda row: row[0].cost)

    def _permitted(
        self, number: int, diagnosis: Diagnosis, repair: Repair, knowledge: Overlay
    ) -> Trial | None:
        """A trial, unless a house rule refuses it, which is noted, or the same texts were seen before."""
        texts = {e.path: knowledge.text(e.path) or "" for e in repair.edits}
        answer = permit(repair, diagnosis.problem, texts, self._job.protected)
        if isinstance(answer, Trial):
            key = tuple(sorted(answer.texts.items()))
            is_new = key not in self._seen
            self._seen.add(key)
            return answer if is_new else None
        reason = "; ".join(refusal.reason for refusal in answer)
        self.attempts.append(Attempt(number, diagnosis, repair, texts, Outcome.REFUSED, reason))
        return None


def _verdict(trial: Trial) -> Generator[Request, Answer, Verdict]:
    answer = yield Try(trial)
    return answer if isinstance(answer, Verdict) else Verdict(parses=False, gone=False, reason="not verified")


def _attempt(number: int, diagnosis: Diagnosis, trial: Trial, verdict: Verdict) -> Attempt:
    if _is_complete(verdict):
        outcome, reason = Outcome.VERIFIED, ""
    elif _progress(verdict, trial) is not None:
        outcome, reason = Outcome.PARTIAL, f"{len(verdict.remaining)} problems remain"
    else:
        outcome, reason = Outcome.FAILED, why_not(verdict)
    return Attempt(number, diagnosis, trial.repair, trial.before, outcome, reason)


def _is_complete(verdict: Verdict) -> bool:
    return proof_of(verdict) is not None and not verdict.remaining


def _with(solved: _Tried | None, trial: Trial, verdict: Verdict) -> _Tried:
    """The first complete repair, with the later ones as its alternatives; a better proof comes first."""
    if solved is None:
        return _Tried(trial, verdict)
    new, old = verified(trial, verdict), verified(solved.trial, solved.verdict)
    if new is None or old is None:
        return solved
    if new.proof > old.proof:
        return _Tried(trial, verdict, (old, *solved.others))
    return replace(solved, others=(*solved.others, new))


def _progress(verdict: Verdict, trial: Trial) -> tuple[int, int, int] | None:
    """How good a partial repair is, greater is better; None when it does not lead on.

    It leads on when the problem is gone and only others remain, or when the first error of a text moved down.
    """
    if not verdict.remaining or not (verdict.gone or not verdict.parses):
        return None
    first = min(verdict.remaining, key=lambda problem: problem.sort_key)
    if first.path == trial.problem.path and first.line <= trial.problem.line and not verdict.gone:
        return None
    return (verdict.parses, first.line, -len(verdict.remaining))


def _is_better(verdict: Verdict, trial: Trial, than: _Tried | None) -> bool:
    new = _progress(verdict, trial)
    if new is None:
        return False
    old = None if than is None else _progress(than.verdict, than.trial)
    return old is None or new > old


def drive(steps: Steps, verify: Callable[[Trial], Verdict]) -> DebugResult:
    """Run the loop to its end here and now, families included."""
    answer: Answer | None = None
    while True:
        try:
            request = next(steps) if answer is None else steps.send(answer)
        except StopIteration as end:
            result: DebugResult = end.value
            return result
        answer = proposals(request) if isinstance(request, Look) else verify(request.trial)


def proposals(look: Look) -> tuple[Repair, ...]:
    """What a family proposes; one that crashes proposes nothing."""
    question = Question(look.diagnosis, look.knowledge)
    try:
        return tuple(islice(look.repairer.propose(question), look.limit))
    except Exception:  # noqa: BLE001 - the boundary of one family
        return ()
