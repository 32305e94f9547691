"""What every round of a loop consists of: an agent is asked, what it left is kept, judged and stored."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from gateline.refinement.contract import AgentInput, AgentOutput
from gateline.refinement.state import AUTODEBUG, LoopState, Round, Step, Verdict, Way
from gateline.services.agent_command import AgentError
from gateline.session.errors import UsageError
from gateline.session.refinement.agents import Desk
from gateline.session.refinement.lessons import inside
from gateline.session.refinement.log import Replayed, encoded
from gateline.session.refinement.places import Place
from gateline.session.refinement.storage import Storage
from gateline.session.refinement.verifying import Findings
from gateline.store.candidates.scratch import changed_paths, keep
from gateline.store.database import StoreError

Tell = Callable[[str], None]
OnState = Callable[[LoopState], None]
_LONGEST = 4000
"""Letters of what an agent said that are kept."""


@dataclass(frozen=True, slots=True)
class Handed:
    """What an agent handed back: an answer, or what it did instead, and the tree that it left."""

    tree: str
    changed: tuple[str, ...]
    output: AgentOutput | None = None
    trouble: str = ""

    def noted(self, done: Round) -> Round:
        """A round with what its agent said."""
        if self.output is None:
            return replace(done, trouble=self.trouble)
        said = self.output
        return replace(
            done,
            success=said.success,
            confidence=said.confidence,
            reasoning=said.reasoning[:_LONGEST],
            trouble=self.trouble,
            tokens=said.tokens,
            cost=said.cost,
        )


def input_of(state: LoopState, place: Place, verdict: Verdict) -> dict[str, Any]:
    """What every agent is told of the work tree that it works in."""
    failing = [{"test": one.test, "error": one.error, "place": one.place} for one in verdict.open]
    return {"goal": state.goal, "workspace": str(place.root), "failing": failing}


def outputs_of(rounds: Iterable[Round]) -> tuple[dict[str, Any], ...]:
    """What agents answered in rounds."""
    return tuple(
        {"round": done.number, "success": done.success, "reasoning": done.reasoning} for done in rounds
    )


@dataclass
class Rounds:
    """The rounds of one loop that runs."""

    desk: Storage
    state: LoopState
    tell: Tell
    on_state: OnState
    replayed: Replayed | None = None
    """A log that stands in for its agents."""

    async def handed(
        self, number: int, way: Way, tree: str, asked: AgentInput, place: Place, found: Findings
    ) -> Handed:
        """Have an agent work in a place that holds `tree`, of which `found` is known."""
        self.log("input", round=number, tree=tree, input=asked.model_dump(mode="json"))
        output, trouble = await self._worked(number, way, asked, place, found)
        if trouble:
            # What a crash, or a time limit, left half-written is nobody's proposal.
            await place.reset(tree)
        after = await asyncio.to_thread(self._kept, number, place)
        changed = await asyncio.to_thread(changed_paths, self.desk.savepoints.shadow, tree, after)
        files = await asyncio.to_thread(self.desk.contents, tree, after)
        told = output.model_dump(mode="json") if output is not None else None
        self.log("output", round=number, tree=after, files=encoded(files), output=told, trouble=trouble)
        await place.written(changed)
        return Handed(after, changed, output, trouble)

    async def stored(self, state: LoopState) -> None:
        """Store what is known beside the rounds."""
        await asyncio.to_thread(self.desk.loops.update, state)
        self.state = state

    async def ended(self, step: Step) -> None:
        """Store how it ended."""
        await self.stored(replace(self.state, ended=step, due=self.replayed is None))
        self.log("end", kind_of_end=str(step.kind), reason=step.reason, tree=step.tree)

    async def troubled(self, *troubles: str) -> None:
        """Tell and keep what the loop does without; where that cannot be stored it is only told."""
        for trouble in troubles:
            self.tell(trouble)
        known = tuple(dict.fromkeys((*self.state.troubles, *troubles)))
        if known != self.state.troubles:
            self.state = replace(self.state, troubles=known)
            with suppress(StoreError):
                await self.stored(self.state)

    async def add(self, done: Round) -> None:
        """Store a round, and tell it."""
        await asyncio.to_thread(self.desk.loops.add, self.state.id, done)
        rounds = sorted((*self.state.rounds, done), key=lambda one: one.number)
        self.state = replace(self.state, rounds=tuple(rounds))
        self.on_state(self.state)

    def log(self, kind: str, **said: object) -> None:
        """Append a line to the loop's log."""
        self.desk.log(self.state.id).add(kind, at=datetime.now(UTC).isoformat(), **said)

    def _kept(self, number: int, place: Place) -> str:
        """The tree that a round left, under a name of its own. Blocks."""
        # Whoever drops savepoints prunes what has no name yet.
        with self.desk.savepoints.locked():
            tree = place.scratch.take(self.state.tree)
            keep(self.desk.savepoints.shadow, f"{self.state.id}/{number:02}", tree)
        return tree

    async def _worked(
        self, number: int, way: Way, asked: AgentInput, place: Place, found: Findings
    ) -> tuple[AgentOutput | None, str]:
        """What the agent answers; else what it did instead."""
        if self.replayed is not None:
            return await asyncio.to_thread(self._as_logged, self.replayed, number, place)
        agent = place.agent(way.agent)
        self.tell(f"round {number}: {way.agent} {way.strategy}".rstrip())
        try:
            return await agent.work(asked, Desk(place.root, found, self.tell)), ""
        except AgentError as error:
            return None, str(error)

    def _as_logged(self, log: Replayed, number: int, place: Place) -> tuple[AgentOutput | None, str]:
        """Write what an agent wrote according to the log. Blocks."""
        row, files = log.rounds[number]
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

    async def learned(self, way: Way, tree: str, verdict: Verdict) -> tuple[str, ...]:
        """The lessons for a round; none where they cannot be read, which is told: the round does without."""
        if self.replayed is not None:
            return ()
        try:
            return await asyncio.to_thread(self._lessons, way, tree, verdict)
        except StoreError as error:
            await self.troubled(f"a round begins without lessons: {error}")
            return ()

    def _lessons(self, way: Way, tree: str, verdict: Verdict) -> tuple[str, ...]:
        """What was learned before of what a round works on. Blocks."""
        desk = self.desk
        changed = changed_paths(desk.savepoints.shadow, desk.tree_of(self.state.base), tree)
        besides = ("repairs",) if way.agent == AUTODEBUG else ()
        paths = inside(changed, desk.workspace.root, desk.savepoints.root)
        return desk.lessons.before_round(verdict, paths, besides)
