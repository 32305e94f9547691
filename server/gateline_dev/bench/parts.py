"""The parts of a measurement, in the order in which they share one copy of a project."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass

from gateline_dev.bench.affected_tests import affected_tests
from gateline_dev.bench.agent_hooks import agent_hooks
from gateline_dev.bench.client import ServerFailedError
from gateline_dev.bench.context_speed import context_speed
from gateline_dev.bench.context_tiers import context_tiers
from gateline_dev.bench.embedding_beside import embedding_beside
from gateline_dev.bench.evaluation import command, evaluation
from gateline_dev.bench.long_session import huge, idle, session
from gateline_dev.bench.trial import Trial
from gateline_dev.bench.typing_session import typing


@dataclass(frozen=True)
class Part:
    """Something that can be measured by itself."""

    name: str
    meaning: str
    run: Callable[[Trial], Awaitable[None]]
    everywhere: bool = False
    """In all projects; otherwise only in that with a short file."""
    once: bool = False
    """Only in the first round."""

    def concerns(self, trial: Trial) -> bool:
        """Whether it is to be measured in this trial."""
        here = self.everywhere or trial.project.short is not None
        return self.name in trial.server.parts and here and not (self.once and trial.number)


async def _start(trial: Trial) -> None:
    for _ in range(trial.plan.starts):
        async with trial.started():
            pass


async def _session(trial: Trial) -> None:
    if trial.plan.session_edits:
        await session(trial)


PARTS = (
    # The first to look at the copy: caches must be cold.
    Part("typing", "opening, single edits, bursts, saving, memory", typing, everywhere=True),
    Part("start", "until `initialize` is answered", _start, everywhere=True),
    Part("evaluation", "checkpoints of a change of one short file", evaluation),
    Part("command", "start-up of the command line", command),
    Part("idle", "processor and git while nothing is typed", idle, once=True),
    Part("tests", "affected tests on unsaved text", affected_tests, once=True),
    Part("hooks", "hooks of coding agents, and their engine at rest", agent_hooks, once=True),
    Part("context", "retrieval: starts, questions, edits", context_speed, everywhere=True, once=True),
    Part("tiers", "retrieval with the transformer", context_tiers, everywhere=True, once=True),
    Part("beside", "findings while the transformer embeds", embedding_beside, everywhere=True, once=True),
    Part("session", "memory after 1,000 edits (full run only)", _session, once=True),
    Part("huge", "small requests while 30,000 lines are analysed", huge, once=True),
)


async def measure(trial: Trial, names: Collection[str], tell: Callable[[str], None]) -> None:
    """Measure what concerns this server; a part that fails is noted and the others go on."""
    for part in PARTS:
        if part.name in names and part.concerns(trial):
            tell(f"{trial.server.name} on {trial.project.name}: {part.name}")
            try:
                await part.run(trial)
            except (ServerFailedError, OSError) as error:
                trial.result.failures.append(f"{part.name}: {error}")
