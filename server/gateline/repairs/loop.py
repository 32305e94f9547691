"""The loop: classify, propose, check the house rules, verify; feed what remains back; stop in time.

It asks for everything that takes time or touches the world, one request after the other, and is told the
answer: the shell may run a family in a worker, and a verification in the services, without the loop knowing.
Nothing is ever applied here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from gateline.model import (
    Diagnosis,
    Family,
    Knowledge,
    Origin,
    Problem,
    Proof,
    Question,
    Repair,
    Repairer,
    VerifiedRepair,
)
from gateline.repairs.budget import Budget
from gateline.repairs.choice import CLEAR
from gateline.repairs.classify import classify
from gateline.repairs.proof import Trial, Verdict, permit, proof_of, verified, why_not
from gateline.repairs.result import Attempt, DebugResult, Outcome, finished
from gateline.repairs.rules import Protected
from gateline.repairs.rules_of_files import is_test
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


_PARTIAL = 3
"""Partial repairs of an iteration from which a later one may start."""

_GUESSED = 3.0
"""What costs more, one in twenty, is a guess."""
_AGAIN = 0.12
"""What another repair of the same pattern costs more."""
_SAME_PLACE = 1.0
_FAILED_CHECK = 0.5
_LESS_FAR = 2.0
"""The run ends in a call that led to the first error: it came less far than before."""

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
    excluded: frozenset[tuple[str, str]] = frozenset()
    """Repairs that were made before and led nowhere, by the path of their first edit and their title."""


@dataclass(frozen=True, slots=True)
class _Tried:
    """The best that one iteration came to."""

    trial: Trial
    verdict: Verdict
    others: tuple[VerifiedRepair, ...] = ()


@dataclass(slots=True)
class _State:
    """The texts that a partial repair led to, the problem that is next, and how far it was gone into."""

    texts: Mapping[str, str]
    problem: Problem
    number: int = 0
    """Which iteration it is; 0 while it waits."""
    untried: Iterator[tuple[Repair, Diagnosis]] | None = None
    """What was proposed and not tried yet; None before anything was."""


def debug(problem: Problem, job: Job) -> Steps:
    """Repair a problem, and what remains after it. The steps never raise of themselves.

    A partial repair that leads nowhere is given up for the next best one of the same iteration.
    """
    run = _Run(job)
    waiting, left = [_State({}, problem)], list[_State]()
    numbers = iter(range(1, job.budget.iterations + 1))
    while not run.is_late():
        state = _next(waiting, left, numbers)
        if state is None:
            break
        solved, partial = yield from run.iteration(state)
        if solved is not None:
            texts = {**state.texts, **solved.trial.texts}
            return finished(problem, texts, job.knowledge, run.attempts, solved.verdict, solved.others)
        waiting += [
            _State({**state.texts, **p.trial.texts}, p.verdict.remaining[0]) for p in reversed(partial)
        ]
        if state.problem.origin is Origin.RUN and state.untried is not None:
            left.append(state)
    return finished(problem, {}, job.knowledge, run.attempts, late=run.is_late(), advice=run.advice)


def _next(waiting: list[_State], left: list[_State], numbers: Iterator[int]) -> _State | None:
    """What a partial repair led to; where nothing waits, what was not tried of earlier iterations."""
    if waiting and (number := next(numbers, 0)):
        state = waiting.pop()
        state.number = number
        return state
    return left.pop(0) if left else None


class _Run:
    """The state of one run: the texts so far, and every attempt."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._end = job.budget.now() + job.budget.seconds
        self.attempts: list[Attempt] = []
        self.advice = ""
        self._seen: set[tuple[tuple[str, str], ...]] = set()

    def is_late(self) -> bool:
        return self._job.budget.now() >= self._end

    def iteration(self, state: _State) -> Generator[Request, Answer, tuple[_Tried | None, Sequence[_Tried]]]:
        """Try candidates, the likeliest first, until one repairs everything; else the best partial ones."""
        partial: list[_Tried] = []
        solved: _Tried | None = None
        left = self._job.budget.attempts
        half = (self._job.budget.now() + self._end) / 2
        knowledge = Overlay(self._job.knowledge, state.texts)
        if state.untried is None:
            state.untried = iter((yield from self._proposed(state.problem, knowledge)))
        # Half of the time is for going on from what led on.
        while left > 0 and not self.is_late() and not (partial and self._job.budget.now() > half):
            repair, diagnosis = next(state.untried, (None, None))
            if repair is None or diagnosis is None:
                state.untried = None
                break
            if solved is not None and _is_decided(solved, repair):
                continue
            if (trial := self._permitted(state.number, diagnosis, repair, knowledge)) is None:
                continue
            left -= 1
            verdict = yield from _verdict(trial)
            self.attempts.append(_attempt(state.number, diagnosis, trial, verdict))
            if _is_complete(verdict):
                solved = _with(solved, trial, verdict)
                left = min(left, self._job.budget.further(solved.verdict.failing) - len(solved.others))
            elif _progress(verdict, trial) is not None:
                partial.append(_Tried(trial, verdict))
        return solved, sorted(partial, key=_progress_of, reverse=True)[:_PARTIAL]

    def _proposed(
        self, problem: Problem, knowledge: Overlay
    ) -> Generator[Request, Answer, list[tuple[Repair, Diagnosis]]]:
        """What all families propose, the likeliest first, and not one pattern over and over."""
        found: list[tuple[Repair, Diagnosis]] = []
        for repairer, diagnosis in classify(problem, knowledge, self._job.repairers):
            self.advice = self.advice or diagnosis.advice
            answer = yield Look(repairer, diagnosis, knowledge, self._job.budget.looks)
            made = sorted(answer, key=lambda repair: repair.cost) if isinstance(answer, Sequence) else []
            found += [(repair, diagnosis) for repair in made if _is_worth_it(problem, repair)]
        return _mixed(sorted(found, key=lambda row: _price(row[0])))

    def _permitted(
        self, number: int, diagnosis: Diagnosis, repair: Repair, knowledge: Overlay
    ) -> Trial | None:
        """A trial, unless a house rule refuses it, which is noted, or the same texts were seen before."""
        if (repair.edits[0].path, repair.title) in self._job.excluded:
            return None
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


def _is_worth_it(problem: Problem, repair: Repair) -> bool:
    """A run tells a lucky guess from a wrong one; a type checker is content with many wrong ones."""
    is_judged = problem.origin is Origin.RUN or repair.family is Family.SYNTAX
    return is_judged or repair.cost <= _GUESSED


def _price(repair: Repair) -> float:
    """What counts when families are compared.

    A cost below nothing orders the repairs of one family: none of them comes before what another is sure of.
    """
    return max(repair.cost, 0.0)


def _mixed(found: Sequence[tuple[Repair, Diagnosis]]) -> list[tuple[Repair, Diagnosis]]:
    """Where the first of a pattern is wrong, the next one of it is a little less likely than it was.

    Not of syntax, where all of them are compared before they are proposed.
    """
    seen = Counter[str]()
    rows: list[tuple[float, tuple[Repair, Diagnosis]]] = []
    for repair, diagnosis in found:
        rows.append((_price(repair) + _AGAIN * seen[repair.pattern], (repair, diagnosis)))
        seen[repair.pattern] += repair.family is not Family.SYNTAX
    return [row for _, row in sorted(rows, key=lambda row: row[0])]


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


def _is_decided(solved: _Tried, other: Repair) -> bool:
    """Whether it makes no difference that another repair holds, too: it is neither better nor as likely."""
    is_best = proof_of(solved.verdict) is Proof.V3 and not solved.verdict.failing
    return is_best and other.cost - solved.trial.repair.cost >= CLEAR


def _with(solved: _Tried | None, trial: Trial, verdict: Verdict) -> _Tried:
    """The first complete repair, with the later ones as its alternatives; a better proof comes first."""
    if solved is None:
        return _Tried(trial, verdict)
    new, old = verified(trial, verdict), verified(solved.trial, solved.verdict)
    if new is None or old is None:
        return solved
    if (new.proof, -verdict.failing) > (old.proof, -solved.verdict.failing):
        return _Tried(trial, verdict, (old, *solved.others))
    return replace(solved, others=(*solved.others, new))


def _progress_of(tried: _Tried) -> tuple[float, float, float]:
    return _progress(tried.verdict, tried.trial) or (0, 0, 0)


def _progress(verdict: Verdict, trial: Trial) -> tuple[float, float, float] | None:
    """How good a partial repair is, greater is better; None when it does not lead on.

    It leads on when the problem is gone and only others remain, or when the first error of a text moved down.
    A run does not say how far it came: of repairs after which it meets another error, the likelier is better.
    """
    if not verdict.remaining or not (verdict.gone or not verdict.parses):
        return None
    first = min(verdict.remaining, key=lambda problem: problem.sort_key)
    if first.path == trial.problem.path and first.line <= trial.problem.line and not verdict.gone:
        return None
    if trial.problem.origin is Origin.RUN:
        return (verdict.parses, -trial.repair.cost - _setback(first, trial.problem), 0)
    return (verdict.parses, first.line, -len(verdict.remaining))


def _setback(now: Problem, then: Problem) -> float:
    """What a partial repair costs more for the error that the run meets next.

    One in the same place may be of the repair's own making; a check that fails says less of what is wrong.
    """
    if (now.path, now.line) == (then.path, then.line):
        return _SAME_PLACE
    if now.type == "AssertionError" and is_test(now.path):
        # What was called came to its end.
        return _FAILED_CHECK
    if any(frame.ours and (frame.path, frame.line) == (now.path, now.line) for frame in then.frames):
        return _LESS_FAR
    return _FAILED_CHECK if now.type == "AssertionError" else 0.0


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
