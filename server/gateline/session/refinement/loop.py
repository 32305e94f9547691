"""Runs a refinement loop: rounds in a scratch work tree, each stored before the next one begins.

What happens next is the policy's business; here it is carried out. A process that is killed leaves a loop
that `resume` goes on with at the round it was in: a round counts when it is stored, and is stored once.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from gateline.git import GitError
from gateline.refinement.contract import AgentContext, AgentInput, RefinementState
from gateline.refinement.course import result_of
from gateline.refinement.feedback import feedback, numbers
from gateline.refinement.policy import checkpoint_of, next_step
from gateline.refinement.state import AUTODEBUG, Kind, LoopState, Round, Step
from gateline.session.check import readable_workspace
from gateline.session.errors import UndecidedError, UsageError
from gateline.session.memory.fixes import fixed, fixes_of
from gateline.session.refinement.lessons import inside
from gateline.session.refinement.log import read_log
from gateline.session.refinement.places import Place, place_of
from gateline.session.refinement.planned import follow_plan
from gateline.session.refinement.requests import Asked
from gateline.session.refinement.rounds import OnState, Rounds, Tell, input_of, outputs_of
from gateline.session.refinement.storage import Storage, opened
from gateline.session.refinement.verifying import Findings
from gateline.session.tasks.metrics import keep_metrics
from gateline.store.candidates.scratch import changed_paths
from gateline.store.candidates.trees import CandidateError
from gateline.store.database import StoreError
from gateline.store.savepoints.values import SavepointError


@dataclass(frozen=True, slots=True)
class Refined:
    """A loop that has ended, and its result."""

    root: Path
    top: Path
    """Of the repository: paths of the patch are relative to it."""
    state: LoopState
    tree: str
    """The best content that was found."""
    changed: tuple[str, ...]
    """The paths in which that differs from the start."""
    patch: bytes
    log: Path
    seconds: float

    @property
    def accepted(self) -> bool:
        """Whether the result was accepted."""
        return self.state.ended is not None and self.state.ended.kind is Kind.ACCEPT


async def refine(
    start: Path,
    asked: Asked,
    environ: Mapping[str, str] | None = None,
    tell: Tell = lambda step: None,
    on_state: OnState = lambda state: None,
) -> Refined:
    """Run a loop for the workspace around `start` to its end. Its tests run: the person agreed to that.

    `tell` hears each step, `on_state` the state when it begins or goes on, and after each round. Nothing of
    the user's is changed.

    Raises:
        UsageError: an agent, the loop or the settings cannot be used.
        UndecidedError: git cannot be used, or the store cannot.
        ChildError: a process that judges could not.

    """
    python = {"python": asked.python} if asked.python else {}
    workspace = await asyncio.to_thread(readable_workspace, start, environ or os.environ, python)
    if workspace.git is None:
        raise UndecidedError(f"{workspace.root} is not in a git repository; run `git init` and commit first")
    try:
        with opened(workspace) as desk:
            replayed = await asyncio.to_thread(read_log, asked.replay) if asked.replay else None
            if replayed is not None:
                state = await asyncio.to_thread(desk.replayed, replayed)
            else:
                state = await asyncio.to_thread(desk.resumed if asked.resume else desk.begun, asked)
            with desk.alone(state.id):
                return await _Refining(Rounds(desk, state, tell, on_state, replayed)).refined()
    except (SavepointError, GitError, StoreError, CandidateError, OSError) as error:
        raise UndecidedError(f"the loop cannot continue: {error}") from error


@dataclass
class _Refining:
    """One loop that runs."""

    rounds: Rounds

    async def refined(self) -> Refined:
        """Run it to its end; one that has ended is told of again."""
        began = time.monotonic()
        rounds = self.rounds
        desk = rounds.desk
        rounds.on_state(rounds.state)
        await rounds.troubled(*await asyncio.to_thread(note_missed, desk, rounds.state.id))
        ends_here = rounds.state.ended is None
        if ends_here:
            await self._to_the_end()
            await self._without_fail(keep_metrics, desk.workspace.root)
        if rounds.state.due:
            rounds.state, trouble = await asyncio.to_thread(note_fixes, desk, rounds.state)
            await rounds.troubled(*filter(None, [trouble]))
        state = rounds.state
        assert state.ended is not None
        root, top = desk.workspace.root, desk.savepoints.root
        shadow = desk.savepoints.shadow
        tree = result_of(state)
        changed = await asyncio.to_thread(changed_paths, shadow, state.tree, tree)
        patch = await asyncio.to_thread(
            shadow.run, "diff-tree", "-p", "--binary", "--no-renames", state.tree, tree
        )
        log = desk.log(state.id).file
        return Refined(root, top, state, tree, changed, patch, log, time.monotonic() - began)

    async def _without_fail(self, keep: Callable[..., str], *given: object) -> None:
        """Keep what no loop depends on, and tell what went wrong."""
        if trouble := await asyncio.to_thread(keep, *given):
            await self.rounds.troubled(trouble)

    async def _to_the_end(self) -> None:
        rounds, state = self.rounds, self.rounds.state
        rounds.tell("preparing a work tree of its own")
        if state.steps:
            await follow_plan(rounds)
            return
        repairs = rounds.replayed is None and any(way.agent == AUTODEBUG for way in state.ways)
        async with place_of(rounds.desk, state, next_step(state).tree, repairs=repairs) as place:
            while not (step := self._next()).is_end:
                if step.kind is Kind.VERIFY:
                    found = await place.judge.findings(rounds.state, step.tree, "", rounds.tell)
                    await rounds.stored(replace(rounds.state, start=found.verdict))
                else:
                    await self._round(step, place)
            await rounds.ended(step)

    def _next(self) -> Step:
        """What the policy says; where a log has no more rounds, its end."""
        state, log = self.rounds.state, self.rounds.replayed
        step = next_step(state)
        done = len(state.rounds)
        if log is None or step.kind is not Kind.RUN or done + 1 in log.rounds:
            return step
        return Step(Kind.CANCELLED, f"the log ends after {done} rounds", tree=result_of(state))

    async def _round(self, step: Step, place: Place) -> None:
        assert step.way is not None
        rounds, state = self.rounds, self.rounds.state
        number = len(state.rounds) + 1
        began = time.monotonic()
        await place.reset(step.tree)
        found = await place.judge.findings(state, step.tree, "", rounds.tell)
        lessons = await rounds.learned(step.way, step.tree, found.verdict)
        asked = self._asked(step, number, place, found, lessons)
        handed = await rounds.handed(number, step.way, step.tree, asked, place, found)
        checkpoint = checkpoint_of(number, state.rules.rounds)
        verdict = (await place.judge.findings(state, handed.tree, checkpoint, rounds.tell)).verdict
        done = Round(number, step.way, step.tree, handed.tree, verdict, handed.changed)
        await rounds.add(replace(handed.noted(done), seconds=round(time.monotonic() - began, 1)))

    def _asked(
        self, step: Step, number: int, place: Place, found: Findings, lessons: tuple[str, ...]
    ) -> AgentInput:
        assert step.way is not None
        state = self.rounds.state
        quality, ema = numbers(state)
        context = AgentContext(
            previous_outputs=outputs_of(state.rounds),
            cumulative_feedback=feedback(state),
            lessons=lessons,
            refinement_state=RefinementState(
                round=number,
                rounds=state.rules.rounds,
                quality=quality,
                ema=ema,
                strategy=step.way.strategy,
                advice=state.latest.advice if state.latest is not None else (),
            ),
        )
        return AgentInput(
            agent_id=step.way.agent,
            task_id=state.id,
            input_data=input_of(state, place, found.verdict),
            context=context,
        )


def note_fixes(desk: Storage, state: LoopState) -> tuple[LoopState, str]:
    """Note what a loop that has ended fixed; it as it is stored then, and what went wrong.

    Blocks. Raises StoreError and SavepointError.
    """
    changed = changed_paths(desk.savepoints.shadow, state.tree, result_of(state))
    paths = tuple(inside(changed, desk.workspace.root, desk.savepoints.root))
    if trouble := fixed(desk.workspace.root, state.id, fixes_of(state, paths)):
        return state, trouble
    noted = replace(state, due=False)
    desk.loops.update(noted)
    return noted, ""


def note_missed(desk: Storage, but: str) -> tuple[str, ...]:
    """Note what loops fixed whose process ended before; `but` is the loop that goes on. What went wrong.

    Blocks. Raises StoreError.
    """
    troubles: list[str] = []
    for state in desk.loops.ended():
        if state.due and state.id != but:
            try:
                # Whoever runs it is about to note it.
                with desk.alone(state.id):
                    troubles.append(note_fixes(desk, state)[1])
            except UsageError:
                continue
            except SavepointError as error:
                troubles.append(f"what loop {state.id} fixed is not noted: {error}")
    return tuple(filter(None, troubles))
