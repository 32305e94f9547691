"""Carries out a plan: each turn in a work tree, independent ones at the same time, what came of them merged.

What comes next is the business of `refinement/course.py`, a pure function of the stored rounds; so a plan
whose process was killed goes on at the step that it was in.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace

from gateline.refinement.conflicts import Proposal, resolve
from gateline.refinement.contract import AgentContext, AgentInput, RefinementState
from gateline.refinement.course import LOST, Course, Merging, Turn, course_of
from gateline.refinement.feedback import told_of
from gateline.refinement.router import UNDECIDED, Action
from gateline.refinement.state import AUTODEBUG, Kind, LoopState, Merge, Round, Step, Verdict
from gateline.refinement.step_gate import Left, reasons_of
from gateline.refinement.verifier.judged import judged
from gateline.refinement.verifier.values import Reason
from gateline.services.together import each
from gateline.session.refinement.places import Place, place_of
from gateline.session.refinement.rounds import Rounds, input_of, outputs_of
from gateline.store.candidates.merging import merged_trees
from gateline.store.candidates.scratch import changed_paths, keep


async def follow_plan(rounds: Rounds) -> None:
    """Run a loop with steps to its end; every round is stored before the next begins."""
    async with AsyncExitStack() as stack:
        plan = _Following(rounds, stack)
        if rounds.state.start is None:
            place = await plan.place(0)
            found = await place.judge.findings(rounds.state, rounds.state.tree, "", rounds.tell)
            await rounds.stored(replace(rounds.state, start=found.verdict))
        while (end := await plan.went_on()) is None:
            pass
        await rounds.ended(end)


@dataclass
class _Following:
    """A plan that is carried out."""

    rounds: Rounds
    stack: AsyncExitStack
    places: list[Place] = field(default_factory=list)
    told: int = 0
    """So many routes were told."""

    async def place(self, number: int) -> Place:
        """A work tree; made when it is first needed."""
        state = self.rounds.state
        while len(self.places) <= number:
            repairs = not self.places and any(way.agent == AUTODEBUG for way in state.ways)
            made = place_of(self.rounds.desk, state, state.tree, repairs=repairs)
            self.places.append(await self.stack.enter_async_context(made))
        return self.places[number]

    async def went_on(self) -> Step | None:
        """Do what is next; its end, when there is nothing more to do."""
        rounds = self.rounds
        course = course_of(rounds.state)
        self._tell(course)
        if course.end is not None:
            return course.end
        if course.merging is not None:
            await self._merge(course.merging, course)
            return None
        log = rounds.replayed
        if log is not None and any(turn.number not in log.rounds for turn in course.turns):
            done = len(rounds.state.rounds)
            return Step(Kind.CANCELLED, f"the log ends after {done} rounds", tree=course.content)
        places = [await self.place(number) for number in range(len(course.turns))]
        turns = zip(course.turns, places, strict=True)
        await each(self._turn(turn, place, course) for turn, place in turns)
        return None

    def _tell(self, course: Course) -> None:
        """Say what the router decided since, where it is not what was to be expected."""
        for route in course.routes[self.told :]:
            if route.action is not Action.CONTINUE:
                self.rounds.tell(f"{route.action}: {route.reason}")
        self.told = len(course.routes)

    async def _turn(self, turn: Turn, place: Place, course: Course) -> None:
        rounds, began = self.rounds, time.monotonic()
        start = await asyncio.to_thread(self._start, turn)
        await place.reset(start)
        found = await place.judge.findings(rounds.state, start, "", rounds.tell)
        lessons = await rounds.learned(turn.way, start, found.verdict)
        asked = _asked(turn, rounds.state, place, found.verdict, lessons)
        handed = await rounds.handed(turn.number, turn.way, start, asked, place, found)
        verdict = (await place.judge.findings(rounds.state, handed.tree, "", rounds.tell)).verdict
        open_ = handed.output.next_actions if handed.output is not None else ()
        done = Round(turn.number, turn.way, start, handed.tree, verdict, handed.changed, step=turn.step.id)
        reasons = await self._reasons(
            done, place, course, last=turn.last, open_=open_, trouble=handed.trouble
        )
        done = replace(handed.noted(done), sufficient=not reasons, reasons=reasons)
        await rounds.add(replace(done, seconds=round(time.monotonic() - began, 1)))

    def _start(self, turn: Turn) -> str:
        """The tree that a turn begins with: earlier work at the step is in it where it fits. Blocks."""
        if turn.work is None:
            return turn.content
        shadow = self.rounds.desk.savepoints.shadow
        merged = merged_trees(shadow, turn.work.base, turn.content, turn.work.tree)
        return turn.content if merged.conflicts else self._kept(f"{turn.number:02}-start", merged.tree)

    def _kept(self, name: str, tree: str) -> str:
        keep(self.rounds.desk.savepoints.shadow, f"{self.rounds.state.id}/{name}", tree)
        return tree

    async def _reasons(
        self,
        done: Round,
        place: Place,
        course: Course,
        *,
        last: bool,
        open_: tuple[str, ...] = (),
        trouble: str = "",
    ) -> tuple[Reason, ...]:
        """Why what is in a place is not sufficient for its step."""
        state, shadow = self.rounds.state, self.rounds.desk.savepoints.shadow
        evaluation = await place.judge.at_step(done.tree, last=last)
        changed = await asyncio.to_thread(changed_paths, shadow, state.tree, done.tree)
        step = next(one for one in course.task.steps if one.id == done.step)
        said = None if evaluation is None else (judged(evaluation), evaluation.decision.status)
        left = Left(step, done.verdict, said, changed, open_, trouble, last)
        return reasons_of(left, state, course.task.steps)

    async def _merge(self, merging: Merging, course: Course) -> None:
        """Put the work of a step beside that of others, or decide whose is taken."""
        rounds, began = self.rounds, time.monotonic()
        shadow = rounds.desk.savepoints.shadow
        self.rounds.tell(f"merging step {merging.step.id} with {', '.join(merging.others)}")
        made = await asyncio.to_thread(merged_trees, shadow, merging.base, merging.content, merging.tree)
        if made.conflicts:
            done = await asyncio.to_thread(self._decided, merging, made.conflicts)
        else:
            done = await self._both(merging, made.tree, course)
        rounds.log("merge", round=done.number, tree=done.tree, step=done.step, paths=list(made.conflicts))
        await rounds.add(replace(done, seconds=round(time.monotonic() - began, 1)))

    async def _both(self, merging: Merging, tree: str, course: Course) -> Round:
        """What fits together, judged as a whole."""
        place = await self.place(0)
        await asyncio.to_thread(self._kept, f"{merging.number:02}", tree)
        await place.reset(tree)
        verdict = (await place.judge.findings(self.rounds.state, tree, "", self.rounds.tell)).verdict
        shadow = self.rounds.desk.savepoints.shadow
        changed = await asyncio.to_thread(changed_paths, shadow, merging.content, tree)
        done = Round(
            merging.number,
            merging.way,
            merging.content,
            tree,
            verdict,
            changed,
            step=merging.step.id,
            merge=Merge(merging.others),
        )
        reasons = await self._reasons(done, place, course, last=merging.last)
        return replace(done, sufficient=not reasons, reasons=reasons)

    def _decided(self, merging: Merging, paths: Sequence[str]) -> Round:
        """Whose work is taken where both change the same lines. Blocks."""
        state = self.rounds.state
        success = self.rounds.desk.success()
        mine = _proposal(state, merging.step.id, success)
        theirs = {_proposal(state, other, success): other for other in _touching(state, merging, paths)}
        found = resolve((mine, *theirs))
        winner = "" if found.winner is None else theirs.get(found.winner, merging.step.id)
        told = f"{', '.join(paths)}: {found.reason}"
        tree = merging.tree if winner == merging.step.id else merging.content
        verdict = next(one.verdict for one in reversed(state.rounds) if one.tree == tree)
        return Round(
            merging.number,
            merging.way,
            merging.content,
            tree,
            verdict,
            step=merging.step.id,
            sufficient=winner == merging.step.id,
            reasons=() if winner == merging.step.id else (Reason(LOST if winner else UNDECIDED, told),),
            merge=Merge(merging.others, tuple(paths), winner, told),
        )


def _touching(state: LoopState, merging: Merging, paths: Sequence[str]) -> Sequence[str]:
    """The other steps that changed the files of a conflict."""
    changed = {done.step for done in state.rounds if set(done.changed) & set(paths)}
    return [other for other in merging.others if other in changed] or merging.others


def _proposal(state: LoopState, step: str, success: Mapping[str, tuple[int, int]]) -> Proposal:
    """The newest work of a step, as far as others are compared with it."""
    done = next(one for one in reversed(state.rounds) if one.step == step and one.merge is None)
    verdict = done.verdict
    failed = {one.test for one in state.start.open} if state.start is not None else set[str]()
    right, made = success.get(done.way.agent, (0, 0))
    return Proposal(
        f"step {step} by {done.way.agent}",
        broken=frozenset((*verdict.floors, *verdict.integrity)),
        meets=frozenset(failed - {one.test for one in verdict.open}),
        confidence=done.confidence,
        right=right,
        made=made,
    )


def _asked(
    turn: Turn, state: LoopState, place: Place, verdict: Verdict, lessons: tuple[str, ...]
) -> AgentInput:
    """What an agent is asked at a step."""
    step = turn.step
    told = (*(told_of(done, state) for done in state.rounds), *turn.feedback)
    context = AgentContext(
        plan_path=state.plan or None,
        previous_outputs=outputs_of(state.rounds),
        cumulative_feedback=told,
        lessons=lessons,
        refinement_state=RefinementState(
            round=turn.number, rounds=state.rules.rounds, strategy=turn.way.strategy
        ),
    )
    data = input_of(state, place, verdict)
    data["step"] = {"id": step.id, "about": step.about, "files": list(step.paths)}
    return AgentInput(agent_id=turn.way.agent, task_id=state.id, input_data=data, context=context)
