"""Runs a refinement loop: rounds in a scratch work tree, each stored before the next one begins.

What happens next is the policy's business; here it is carried out. A process that is killed leaves a loop
that `resume` goes on with at the round it was in: a round counts when it is stored, and is stored once.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gateline.git import GitError
from gateline.refinement.contract import AgentContext, AgentInput, AgentOutput, RefinementState
from gateline.refinement.feedback import feedback, numbers
from gateline.refinement.policy import best_of, checkpoint_of, next_step
from gateline.refinement.state import AUTODEBUG, REVIEW, Kind, LoopState, Round, Step, Verdict, Way
from gateline.services.agent_command import AgentError
from gateline.services.threaded import threaded
from gateline.session.check import readable_workspace
from gateline.session.errors import UndecidedError, UsageError
from gateline.session.memory.fixes import fixed, fixes_of
from gateline.session.refinement.agents import Agent, Desk, Review, command_of
from gateline.session.refinement.autodebug import Autodebug
from gateline.session.refinement.lessons import inside
from gateline.session.refinement.log import Replayed, encoded, read_log
from gateline.session.refinement.requests import Asked
from gateline.session.refinement.storage import Storage, opened
from gateline.session.refinement.verifying import Findings, Verifying, verifying
from gateline.session.tasks.metrics import keep_metrics
from gateline.store.candidates.scratch import Scratch, changed_paths, keep, scratch
from gateline.store.candidates.trees import Base, CandidateError
from gateline.store.database import StoreError
from gateline.store.savepoints.values import SavepointError

Tell = Callable[[str], None]
OnState = Callable[[LoopState], None]


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
                return await _Refining(desk, state, tell, on_state, replayed).refined()
    except (SavepointError, GitError, StoreError, CandidateError, OSError) as error:
        raise UndecidedError(f"the loop cannot go on: {error}") from error


@dataclass
class _Refining:
    """One loop that runs."""

    desk: Storage
    state: LoopState
    tell: Tell
    on_state: OnState
    replayed: Replayed | None = None
    """A log that stands in for its agents."""
    agents: dict[str, Agent] = field(default_factory=dict)

    async def refined(self) -> Refined:
        """Run it to its end; one that has ended is told of again."""
        began = time.monotonic()
        self.on_state(self.state)
        ends_here = self.state.ended is None
        if ends_here:
            await self._rounds()
            await self._without_fail(keep_metrics, self.desk.workspace.root)
        state = self.state
        assert state.ended is not None
        root, top = self.desk.workspace.root, self.desk.savepoints.root
        shadow = self.desk.savepoints.shadow
        tree = state.ended.tree or best_of(state)[0]
        changed = await asyncio.to_thread(changed_paths, shadow, state.tree, tree)
        if ends_here and self.replayed is None:
            # A log that is replayed, or a result that is told of again, fixed nothing once more.
            fixes = fixes_of(state, tuple(inside(changed, root, top)))
            await self._without_fail(fixed, root, state.id, fixes)
        patch = await asyncio.to_thread(
            shadow.run, "diff-tree", "-p", "--binary", "--no-renames", state.tree, tree
        )
        log = self.desk.log(state.id).file
        return Refined(root, top, state, tree, changed, patch, log, time.monotonic() - began)

    async def _without_fail(self, keep: Callable[..., str], *given: object) -> None:
        """Keep what no loop depends on, and tell what went wrong."""
        if trouble := await asyncio.to_thread(keep, *given):
            self.tell(trouble)

    async def _rounds(self) -> None:
        desk, state = self.desk, self.state
        shadow = desk.savepoints.shadow
        base = Base(state.base, await asyncio.to_thread(desk.tree_of, state.base))
        inside = desk.workspace.root.relative_to(desk.savepoints.root)
        self.tell("preparing a work tree of its own")
        async with threaded(scratch(desk.workspace.root, shadow, next_step(state).tree, base)) as place:
            root = place.files / inside
            python = desk.workspace.interpreter.path
            judge = await asyncio.to_thread(verifying, root, state.base, python, desk.workspace.root)
            warming = [asyncio.create_task(one) for one in self._warmed(judge)]
            try:
                await self._until_the_end(_Place(place, root, judge))
            finally:
                for task in warming:
                    task.cancel()
                await asyncio.gather(*warming, return_exceptions=True)
                stopping = [agent.stop() for agent in self.agents.values() if isinstance(agent, Autodebug)]
                await asyncio.gather(judge.stop(), *stopping)

    def _warmed(self, judge: Verifying) -> Iterator[Coroutine[Any, Any, None]]:
        """What is started while the tests of the start run."""
        if self.replayed is None and any(way.agent == AUTODEBUG for way in self.state.ways):
            self.agents[AUTODEBUG] = made = Autodebug(judge)
            yield made.warm()
        yield judge.warm()

    async def _until_the_end(self, place: _Place) -> None:
        while not (step := self._next()).is_end:
            if step.kind is Kind.VERIFY:
                found = await place.judge.findings(self.state, step.tree, "", self.tell)
                await self._stored(replace(self.state, start=found.verdict))
            else:
                await self._round(step, place)
        await self._stored(replace(self.state, ended=step))
        self._log("end", kind_of_end=str(step.kind), reason=step.reason, tree=step.tree)

    def _next(self) -> Step:
        """What the policy says; where a log has no more rounds, its end."""
        step = next_step(self.state)
        log, done = self.replayed, len(self.state.rounds)
        if log is None or step.kind is not Kind.RUN or done < len(log.rounds):
            return step
        return Step(Kind.CANCELLED, f"the log ends after {done} rounds", tree=best_of(self.state)[0])

    async def _stored(self, state: LoopState) -> None:
        await asyncio.to_thread(self.desk.loops.update, state)
        self.state = state

    async def _round(self, step: Step, place: _Place) -> None:
        assert step.way is not None
        number = len(self.state.rounds) + 1
        began = time.monotonic()
        await self._reset(step.tree, place)
        found = await place.judge.findings(self.state, step.tree, "", self.tell)
        lessons = await self._learned(step, found.verdict)
        asked = self._asked(step, number, place, found, lessons)
        self._log("input", round=number, tree=step.tree, input=asked.model_dump(mode="json"))
        output, trouble = await self._worked(step.way, asked, place, found)
        if trouble:
            # What a crash, or a time limit, left half-written is nobody's proposal.
            await self._reset(step.tree, place)
        shadow = self.desk.savepoints.shadow
        tree = await asyncio.to_thread(self._kept, number, place)
        changed = await asyncio.to_thread(changed_paths, shadow, step.tree, tree)
        files = await asyncio.to_thread(self.desk.contents, step.tree, tree)
        told = output.model_dump(mode="json") if output is not None else None
        self._log("output", round=number, tree=tree, files=encoded(files), output=told, trouble=trouble)
        await self._written(changed, place)
        checkpoint = checkpoint_of(number, self.state.rules.rounds)
        verdict = (await place.judge.findings(self.state, tree, checkpoint, self.tell)).verdict
        done = Round(
            number,
            step.way,
            step.tree,
            tree,
            verdict,
            changed,
            success=output.success if output is not None else False,
            confidence=output.confidence if output is not None else 0.0,
            reasoning=output.reasoning[:4000] if output is not None else "",
            trouble=trouble,
            seconds=round(time.monotonic() - began, 1),
            tokens=output.tokens if output is not None else 0,
            cost=output.cost if output is not None else 0.0,
        )
        await asyncio.to_thread(self.desk.loops.add, self.state.id, done)
        self.state = replace(self.state, rounds=(*self.state.rounds, done))
        self.on_state(self.state)

    def _kept(self, number: int, place: _Place) -> str:
        """The tree that a round left, under a name of its own. Blocks."""
        # Whoever drops savepoints prunes what has no name yet.
        with self.desk.savepoints.locked():
            tree = place.scratch.take(self.state.tree)
            keep(self.desk.savepoints.shadow, f"{self.state.id}/{number:02}", tree)
        return tree

    async def _worked(
        self, way: Way, asked: AgentInput, place: _Place, found: Findings
    ) -> tuple[AgentOutput | None, str]:
        """What the agent answers; else what it did instead."""
        if self.replayed is not None:
            return await asyncio.to_thread(self._as_logged, len(self.state.rounds), place)
        agent = self._agent(way.agent, place.judge)
        self.tell(f"round {asked.context.refinement_state.round}: {way.agent} {way.strategy}".rstrip())
        try:
            return await agent.work(asked, Desk(place.root, found, self.tell)), ""
        except AgentError as error:
            return None, str(error)

    def _as_logged(self, at: int, place: _Place) -> tuple[AgentOutput | None, str]:
        """Write what an agent wrote according to the log. Blocks."""
        assert self.replayed is not None
        row, files = self.replayed.rounds[at]
        for path, data in files.items():
            file = place.scratch.files / path
            # Resolved: a link in the tree may lead anywhere.
            if not file.resolve().is_relative_to(place.scratch.files.resolve()):
                raise UsageError(f"the log writes {path!r}, which is outside of the work tree")
            if data is None:
                file.unlink(missing_ok=True)
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)
        output = None if row["output"] is None else AgentOutput.model_validate(row["output"])
        return output, str(row["trouble"])

    def _agent(self, name: str, judge: Verifying) -> Agent:
        if name not in self.agents:
            made: Agent = Review() if name == REVIEW else command_of(name)
            self.agents[name] = Autodebug(judge) if name == AUTODEBUG else made
        return self.agents[name]

    async def _learned(self, step: Step, verdict: Verdict) -> tuple[str, ...]:
        """The lessons for a round; none where they cannot be read, which is told: the round does without."""
        try:
            return await asyncio.to_thread(self._lessons, step, verdict)
        except StoreError as error:
            self.tell(f"a round begins without lessons: {error}")
            return ()

    def _lessons(self, step: Step, verdict: Verdict) -> tuple[str, ...]:
        """What was learned before of what a round works on. Blocks."""
        assert step.way is not None
        if self.replayed is not None:
            return ()
        desk = self.desk
        changed = changed_paths(desk.savepoints.shadow, desk.tree_of(self.state.base), step.tree)
        besides = ("repairs",) if step.way.agent == AUTODEBUG else ()
        paths = inside(changed, desk.workspace.root, desk.savepoints.root)
        return desk.lessons.before_round(verdict, paths, besides)

    def _asked(
        self, step: Step, number: int, place: _Place, found: Findings, lessons: tuple[str, ...]
    ) -> AgentInput:
        assert step.way is not None
        quality, ema = numbers(self.state)
        failing = [{"test": one.test, "error": one.error, "place": one.place} for one in found.verdict.open]
        outputs = tuple(
            {"round": done.number, "success": done.success, "reasoning": done.reasoning}
            for done in self.state.rounds
        )
        return AgentInput(
            agent_id=step.way.agent,
            task_id=self.state.id,
            input_data={"goal": self.state.goal, "workspace": str(place.root), "failing": failing},
            context=AgentContext(
                previous_outputs=outputs,
                cumulative_feedback=feedback(self.state),
                lessons=lessons,
                refinement_state=RefinementState(
                    round=number,
                    rounds=self.state.rules.rounds,
                    quality=quality,
                    ema=ema,
                    strategy=step.way.strategy,
                    advice=self.state.latest.advice if self.state.latest is not None else (),
                ),
            ),
        )

    async def _reset(self, tree: str, place: _Place) -> None:
        paths = await asyncio.to_thread(place.scratch.reset, tree, self.state.tree)
        await self._written(paths, place)

    async def _written(self, paths: Sequence[str], place: _Place) -> None:
        """Tell whoever remembers files that these, from the top of the repository, were written."""
        inside = [os.path.relpath(place.scratch.files / path, place.root) for path in paths]
        if inside:
            await place.judge.written(inside)
            for agent in self.agents.values():
                if isinstance(agent, Autodebug):
                    agent.written(inside)

    def _log(self, kind: str, **said: object) -> None:
        self.desk.log(self.state.id).add(kind, at=datetime.now(UTC).isoformat(), **said)


@dataclass(frozen=True)
class _Place:
    """Where a loop works."""

    scratch: Scratch
    root: Path
    """Of the workspace in it."""
    judge: Verifying
