"""How a loop that follows a plan goes on: a pure function of its stored rounds.

The router says which step and agent is next; here its answers are followed along the contents. Every step has
work of its own, which comes into the content of the whole when its gate finds it sufficient: directly where
nothing else came in meanwhile, else merged. The same rounds have the same course.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from gateline.refinement.policy import best_of, is_acceptable, overspent, quality_of
from gateline.refinement.router import (
    ENDS,
    UNDECIDED,
    Action,
    Agent,
    Assignment,
    Attempt,
    Limits,
    Route,
    TaskState,
    TaskStep,
    applied,
    first_of,
    recorded,
    route,
)
from gateline.refinement.state import AUTODEBUG, Kind, LoopState, Round, Step, Verdict, Way
from gateline.refinement.verifier.values import Reason

LOST = "conflict.lost"
"""The check of a reason that says that the work of others was taken where both changed the same lines."""


@dataclass(frozen=True, slots=True)
class Work:
    """The work at a step that is not sufficient yet."""

    base: str
    """The content of the whole that it was made over."""
    tree: str


@dataclass(frozen=True, slots=True)
class Turn:
    """An agent's turn at a step."""

    number: int
    """Of its round."""
    step: TaskStep
    way: Way
    content: str
    """The content of the whole, which it begins with."""
    work: Work | None = None
    """What was done at the step before, which is brought along where it fits."""
    feedback: tuple[str, ...] = ()
    action: Action = Action.CONTINUE
    reason: str = ""
    last: bool = False
    """Whether the whole is done with it, so that its gate is that of the whole."""


@dataclass(frozen=True, slots=True)
class Merging:
    """The work of a step that is to come into a content with the work of others."""

    number: int
    step: TaskStep
    way: Way
    """Who did it."""
    base: str
    content: str
    tree: str
    others: tuple[str, ...]
    """The steps whose work came into the content since `base`."""
    last: bool = False


@dataclass(frozen=True, slots=True)
class Course:
    """Where a loop that follows a plan stands, and what comes next: turns, a merge, or its end."""

    task: TaskState
    content: str
    """With the work of all steps that are sufficient."""
    routes: tuple[Route, ...]
    """What the router said, oldest first."""
    turns: tuple[Turn, ...] = ()
    merging: Merging | None = None
    end: Step | None = None


def course_of(state: LoopState) -> Course:
    """Where a loop with steps stands. It was looked at before its first turn."""
    return _Following(state).course()


def result_of(state: LoopState) -> str:
    """The tree of what a loop found: its end's, else the content of its plan, else the best one."""
    if state.ended is not None and state.ended.tree:
        return state.ended.tree
    return course_of(state).content if state.steps else best_of(state)[0]


@dataclass
class _Following:
    """Follows the rounds of a loop, oldest first."""

    state: LoopState
    task: TaskState = field(init=False)
    content: str = field(init=False)
    contents: list[str] = field(default_factory=list)
    """For each attempt the content before it."""
    works: dict[str, Work] = field(default_factory=dict)
    routes: list[Route] = field(default_factory=list)
    number: int = 1
    """Of the next round."""

    def __post_init__(self) -> None:
        rules = self.state.rules
        limits = Limits(attempts=rules.rounds, accept=rules.accept)
        self.task = TaskState(self.state.steps, _agents(self.state), limits=limits)
        self.content = self.state.tree

    def course(self) -> Course:
        rounds = {done.number: done for done in self.state.rounds}
        while True:
            found = route(self.task)
            self.routes.append(found)
            if found.action in ENDS:
                return self._at(end=self._end(found))
            if found.action in (Action.ADD_STEP, Action.TRUNCATE_FROM):
                self._change(found)
                continue
            turns = self._turns(found)
            missing = tuple(turn for turn in turns if turn.number not in rounds)
            if missing:
                spent = overspent(self.state)
                end = Step(Kind.BUDGET, spent, tree=self.content) if spent else None
                return self._at(end=end) if end else self._at(turns=missing)
            merging = self._taken_in(turns, rounds)
            if merging is not None:
                return self._at(merging=merging)

    def _at(
        self, turns: tuple[Turn, ...] = (), merging: Merging | None = None, end: Step | None = None
    ) -> Course:
        return Course(self.task, self.content, tuple(self.routes), turns, merging, end)

    def _end(self, found: Route) -> Step:
        """How it ends: nothing is accepted but what was looked at as a whole."""
        if found.action is Action.ACCEPT:
            verdict = _verdict(self.state, self.content)
            if verdict is not None and is_acceptable(verdict, self.state.rules, self.state.total):
                return Step(Kind.ACCEPT, found.reason, tree=self.content)
            told = "every step is sufficient, but the whole is not accepted"
            return Step(Kind.ESCALATE, told, tree=self.content)
        is_bound = len(self.task.attempts) >= self.task.limits.attempts
        return Step(Kind.BOUND if is_bound else Kind.ESCALATE, found.reason, tree=self.content)

    def _change(self, found: Route) -> None:
        if found.action is Action.TRUNCATE_FROM:
            first = first_of(self.task, {step.id for step in self.task.steps[found.index :]})
            self.content = self.contents[first] if first < len(self.contents) else self.content
            self.works.clear()
        self.task = applied(self.task, found)

    def _turns(self, found: Route) -> tuple[Turn, ...]:
        turns = (self._turn(found, one, place) for place, one in enumerate(found.assignments))
        alone = len(found.assignments) == 1
        return tuple(replace(turn, last=alone and self._is_last(turn.step.id)) for turn in turns)

    def _turn(self, found: Route, given: Assignment, place: int) -> Turn:
        step = next(one for one in self.task.steps if one.id == given.step)
        ways = [way for way in self.state.ways if way.agent == given.agent]
        tried = sum(one.step == step.id and one.agent == given.agent for one in self.task.attempts)
        way = ways[tried % len(ways)]
        told = dict.fromkeys(str(r) for a in self.task.attempts if a.step == step.id for r in a.reasons)
        return Turn(
            self.number + place,
            step,
            way,
            self.content,
            self.works.get(step.id),
            tuple(told),
            found.action,
            found.reason,
        )

    def _is_last(self, step: str) -> bool:
        """Whether every other step is done."""
        return all(self.task.is_done(other.id) for other in self.task.steps if other.id != step)

    def _taken_in(self, turns: tuple[Turn, ...], rounds: Mapping[int, Round]) -> Merging | None:
        """Take in what the turns came to; the first merge that was not made yet."""
        before = len(self.task.attempts)
        self.number += len(turns)
        for turn in turns:
            done = rounds[turn.number]
            if not done.sufficient:
                self.works.pop(turn.step.id, None)
                if not done.verdict.integrity and done.tree != turn.content:
                    self.works[turn.step.id] = Work(turn.content, done.tree)
                self._record(self._attempt(done))
            elif turn.content == self.content:
                self._came_in(self._attempt(done), done.tree)
            elif (merged := rounds.get(self.number)) is None:
                others = self._others(before)
                last = self._is_last(turn.step.id)
                base, tree = turn.content, done.tree
                return Merging(self.number, turn.step, turn.way, base, self.content, tree, others, last)
            else:
                self.number += 1
                self._merged(turn, done, merged)
        return None

    def _others(self, before: int) -> tuple[str, ...]:
        since = self.task.attempts[before:]
        return tuple(dict.fromkeys(one.step for one in since if self.task.is_done(one.step)))

    def _merged(self, turn: Turn, done: Round, merged: Round) -> None:
        """What became of work that was done beside that of others."""
        merge, step = merged.merge, turn.step.id
        assert merge is not None
        if not merge.paths:
            if merged.sufficient:
                self._came_in(self._attempt(merged), merged.tree)
            else:
                self.works[step] = Work(self.content, merged.tree)
                self._record(self._attempt(merged))
        elif merge.winner == step:
            agents = {one.step: one.agent for one in self.task.attempts}
            self._came_in(self._attempt(done), done.tree)
            for other in merge.others:
                self._record(_failed(other, agents[other], Reason(LOST, merge.reason)))
        else:
            self.works.pop(step, None)
            check = LOST if merge.winner else UNDECIDED
            self._record(_failed(step, turn.way.agent, Reason(check, merge.reason)))

    def _attempt(self, done: Round) -> Attempt:
        quality = quality_of(done.verdict, self.state.total) if self._is_last(done.step) else None
        # Those of the final gate stop the whole; at a step before its end they may still be open.
        floors = () if done.sufficient else done.verdict.floors
        return Attempt(done.step, done.way.agent, done.sufficient, done.reasons, floors, quality)

    def _came_in(self, attempt: Attempt, tree: str) -> None:
        self.works.pop(attempt.step, None)
        self._record(attempt)
        self.content = tree

    def _record(self, attempt: Attempt) -> None:
        self.contents.append(self.content)
        self.task = recorded(self.task, attempt)


def _agents(state: LoopState) -> tuple[Agent, ...]:
    """Who works, as they were named; beside others gateline's repairs are asked where errors are left."""
    names = tuple(dict.fromkeys(way.agent for way in state.ways))
    return tuple(Agent(name, repairs=name == AUTODEBUG and len(names) > 1) for name in names)


def _failed(step: str, agent: str, reason: Reason) -> Attempt:
    return Attempt(step, agent, sufficient=False, reasons=(reason,))


def _verdict(state: LoopState, tree: str) -> Verdict | None:
    """The newest verdict on a tree."""
    found = [done.verdict for done in state.rounds if done.tree == tree]
    return found[-1] if found else state.start if tree == state.tree else None
