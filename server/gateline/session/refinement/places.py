"""Where a loop works: scratch work trees, each with what judges it and the agents that know it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gateline.refinement.state import AUTODEBUG, REVIEW, LoopState
from gateline.services.threaded import threaded
from gateline.session.refinement.agents import Agent, Review, command_of
from gateline.session.refinement.autodebug import Autodebug
from gateline.session.refinement.storage import Storage
from gateline.session.refinement.verifying import Verifying, verifying
from gateline.store.candidates.scratch import Scratch, scratch
from gateline.store.candidates.trees import Base


@dataclass
class Place:
    """One work tree of a loop."""

    scratch: Scratch
    root: Path
    """Of the workspace in it."""
    judge: Verifying
    start: str
    """The tree that the loop began with."""
    agents: dict[str, Agent] = field(default_factory=dict)

    def agent(self, name: str) -> Agent:
        """Who is named so."""
        if name not in self.agents:
            made: Agent = Review() if name == REVIEW else command_of(name)
            self.agents[name] = Autodebug(self.judge) if name == AUTODEBUG else made
        return self.agents[name]

    async def reset(self, tree: str) -> None:
        """Make it hold a tree."""
        await self.written(await asyncio.to_thread(self.scratch.reset, tree, self.start))

    async def written(self, paths: Sequence[str]) -> None:
        """Tell whoever remembers files that these, from the top of the repository, were written."""
        inside = [os.path.relpath(self.scratch.files / path, self.root) for path in paths]
        if inside:
            await self.judge.written(inside)
            for agent in self.agents.values():
                if isinstance(agent, Autodebug):
                    agent.written(inside)

    def warmed(self, *, repairs: bool) -> Iterator[Coroutine[Any, Any, None]]:
        """What is started while the tests of the start run."""
        if repairs:
            self.agents[AUTODEBUG] = made = Autodebug(self.judge)
            yield made.warm()
        yield self.judge.warm()

    async def stop(self) -> None:
        """End all processes."""
        stopping = [agent.stop() for agent in self.agents.values() if isinstance(agent, Autodebug)]
        await asyncio.gather(self.judge.stop(), *stopping)


@asynccontextmanager
async def place_of(desk: Storage, state: LoopState, tree: str, *, repairs: bool) -> AsyncIterator[Place]:
    """A work tree that holds `tree`; `repairs`: gateline's own are warmed, too."""
    base = Base(state.base, await asyncio.to_thread(desk.tree_of, state.base))
    inside = desk.workspace.root.relative_to(desk.savepoints.root)
    async with threaded(scratch(desk.workspace.root, desk.savepoints.shadow, tree, base)) as made:
        root = made.files / inside
        python = desk.workspace.interpreter.path
        judge = await asyncio.to_thread(verifying, root, state.base, python, desk.workspace.root)
        place = Place(made, root, judge, state.tree)
        warming = [asyncio.create_task(one) for one in place.warmed(repairs=repairs)]
        try:
            yield place
        finally:
            for task in warming:
                task.cancel()
            await asyncio.gather(*warming, return_exceptions=True)
            await place.stop()
