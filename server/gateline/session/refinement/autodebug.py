"""The built-in agent: repairs what failing tests raised, by gateline's own repairs. No model is asked.

Of several repairs that hold, the one is made that leaves fewest tests failing: the verification of the round
judges it. Its strategies, in their order: `repair` makes repairs after which tests pass that did not;
`onward` makes also repairs after which a test comes further, and fails with another error; `otherwise` takes
back a repair of an earlier round, and looks for another one of the same error, as long as fewer tests fail.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from gateline.model import Document, Origin, Problem, digest_of
from gateline.refinement.contract import AgentInput, AgentOutput
from gateline.repairs.budget import Effort
from gateline.repairs.choice import chosen
from gateline.repairs.edits import apply_all
from gateline.repairs.result import Attempt, DebugResult, Outcome
from gateline.services.child import ChildError
from gateline.services.tests.options import Limits
from gateline.session.refinement.agents import Desk
from gateline.session.refinement.verifying import Verifying, grouped
from gateline.session.repairs.confirming import Confirming, of_syntax
from gateline.session.repairs.file_writing import write
from gateline.session.repairs.in_turn import InTurn
from gateline.session.repairs.repairing import Repairing
from gateline.session.repairs.tests import RepairTests, repair_tests
from gateline.session.types.types import Types
from gateline.session.workspace.reading import read
from gateline.store.candidates.merging import merged

REPAIR, ONWARD, OTHERWISE = "repair", "onward", "otherwise"
STRATEGIES = (REPAIR, ONWARD, OTHERWISE)
_EFFORT = Effort(seconds=120.0, attempts=60, alternatives=1, for_the_rest=4)
_ROUND, _LEAST = 180.0, 3.0
"""Seconds for the searches of one round, and for one when they are over."""
_TAKEN_BACK = 3
"""So many repairs are taken back, one at a time, in a round that looks for others."""
_PASSES = 4
"""So often it looks at the tests again in one round, as long as it repaired something."""
_LIMITS = Limits(test=10.0, total=60.0, collection=60.0)
"""Nobody waits for a single repair, and a suite that is cut short says too little of one."""
_PATIENCE = 20.0
"""Seconds besides: on a machine that is busy, to import a module again takes longer than its tests."""
_MOST = 12
"""So many different errors are looked at in one round: what is left comes in the next."""


@dataclass(frozen=True, slots=True)
class _Made:
    """A repair that was made: of what, and what it changed."""

    problem: Problem
    mark: tuple[str, str]
    """The path of its first edit, and its title."""
    before: Mapping[str, str]
    after: Mapping[str, str]


@dataclass
class Autodebug:
    """Repairs in the scratch workspace; its processes stay for all rounds."""

    verifying: Verifying
    made: list[_Made] = field(default_factory=list)
    """The repairs of all rounds, oldest first."""
    known: dict[tuple[object, ...], DebugResult] = field(default_factory=dict)
    """What searches came to, by the error, the content and what was refused: a round may ask again."""
    held: dict[str, str] = field(default_factory=dict)
    """The digests of the files of the round, by path: none is written before its end."""
    end: float = 0.0
    """When the searches of this round are over, on the monotonic clock."""
    refused: set[tuple[str, str]] = field(default_factory=set)
    """Those that another one was looked for."""
    tests: RepairTests | None = field(init=False)
    repairing: Repairing = field(init=False)

    def __post_init__(self) -> None:
        judging = self.verifying.judging
        self.tests = repair_tests(judging.tests, _agreed, limits=_LIMITS, patience=_PATIENCE)
        # The verification of the round asks the type checker about what comes out.
        types = Types(None) if self.tests is not None else judging.types
        given = (self.verifying.workspace, types, judging.engine, self.tests)
        self.repairing = Repairing(*given, nice=0, onward=True)

    async def work(self, asked: AgentInput, desk: Desk) -> AgentOutput:
        """Repair one error after the other, and write what was repaired. Raises ChildError."""
        self.end = time.monotonic() + _ROUND
        self.held = await asyncio.to_thread(self._digests)
        strategy = asked.context.refinement_state.strategy or REPAIR
        notes: list[str] = []
        limit = self.verifying.workspace.collector.max_size
        types = self.verifying.judging.types
        confirming = Confirming(desk.root, limit, types, self.tests, notes=notes)
        turn = InTurn(desk.root, limit, self._debug, tell=desk.tell)
        if strategy == OTHERWISE:
            await self._otherwise(turn, desk)
        problems = await self._problems({}, desk.findings.problems)
        for _ in range(_PASSES):
            done = len(turn.repaired)
            await turn.told(problems, confirming)
            if len(turn.repaired) == done or self.tests is None:
                break
            problems = await self._further(desk, turn)
        led_on = None if turn.repaired or strategy != ONWARD else _onward(turn.given_up)
        before, after = dict(turn.before), dict(turn.texts)
        if led_on is not None:
            before, after = dict(led_on.before), dict(apply_all(led_on.before, led_on.repair.edits))
        await asyncio.to_thread(write, desk.root, before, after)
        return _output(asked, turn, led_on, notes)

    async def warm(self) -> None:
        """Start what searches, while the first tests run."""
        with contextlib.suppress(ChildError):
            await self.repairing.warm()

    def written(self, paths: Iterable[str]) -> None:
        """Files were written since the last round."""
        self.repairing.files_changed()

    async def stop(self) -> None:
        """End all processes."""
        await self.repairing.stop()

    async def _debug(
        self, problem: Problem, texts: Mapping[str, str], laid: Mapping[str, str]
    ) -> DebugResult:
        refused = frozenset(self.refused)
        content = {**self.held, **{path: digest_of(text) for path, text in texts.items()}}
        key = (_mark(problem), problem.line, frozenset(content.items()), refused)
        if key in self.known:
            return self.known[key]
        seconds = max(_LEAST, min(_EFFORT.seconds, self.end - time.monotonic()))
        effort = replace(_EFFORT, seconds=seconds)
        result = await self.repairing.debug(problem, texts, effort, laid=laid, excluded=refused)
        if not result.late:
            self.known[key] = result
        repair = chosen(result)
        if repair is not None and result.texts is not None:
            root = self.verifying.workspace.root
            before = {path: texts.get(path) or self._text(root, path) for path in result.texts}
            mark = (repair.edits[0].path, repair.title)
            self.made.append(_Made(problem, mark, before, dict(result.texts)))
        return result

    async def _otherwise(self, turn: InTurn, desk: Desk) -> None:
        """Take back the newest repair beside which another one leaves fewer tests failing."""
        if self.tests is None or not desk.findings.verdict.open:
            return
        failing = len((await self.tests.before(None, {})).failed)
        tried = [made for made in reversed(self.made) if made.mark not in self.refused][:_TAKEN_BACK]
        for made in tried:
            texts = await asyncio.to_thread(self._without, made, desk.root)
            self.refused.add(made.mark)
            if texts is None:
                continue
            desk.tell(f"looking for another repair than {made.mark[1]!r}")
            known = list(self.made)
            result = await self._debug(made.problem, texts, texts)
            repaired = {**texts, **(result.texts or {})}
            left = await self.tests.before(None, repaired)
            if result.success and not left.is_late and len(left.failed) < failing:
                turn.before |= {path: self._text(desk.root, path) for path in repaired}
                turn.texts |= repaired
                turn.repaired.append(result)
                return
            self.made = known

    def _without(self, made: _Made, root: Path) -> dict[str, str] | None:
        """The texts of now without a repair; None where what was repaired since stands in its way. Blocks."""
        found = {}
        for path, after in made.after.items():
            rows = (self._text(root, path), after, made.before[path])
            text = merged(*(row.encode("utf-8", "surrogatepass") for row in rows))
            if text is None:
                return None
            found[path] = text.decode("utf-8", "surrogatepass")
        return found

    def _text(self, root: Path, path: str) -> str:
        file = read(root, path, self.verifying.workspace.collector.max_size)
        return file.text if isinstance(file, Document) else ""

    async def _further(self, desk: Desk, turn: InTurn) -> list[Problem]:
        """What tests fail with after what was repaired, without what was given up already."""
        assert self.tests is not None
        desk.tell("running the tests again")
        ran = await self.tests.before(None, dict(turn.texts))
        known = {_mark(result.problem) for result in (*turn.given_up, *turn.unclear)}
        found = await self._problems(turn.texts, grouped(ran.problems))
        return [problem for problem in found if _mark(problem) not in known]

    async def _problems(self, texts: Mapping[str, str], raised: Sequence[Problem]) -> list[Problem]:
        """What does not parse first, then what most tests fail with."""
        found = await asyncio.to_thread(self._unparsed, texts)
        broken = {problem.path for problem in found}
        rest = [one for one in raised if one.path and one.path not in broken]
        rest.sort(key=lambda problem: -len(problem.tests))
        return [*found, *rest][:_MOST]

    def _digests(self) -> dict[str, str]:
        return {file.path: file.digest for file in self._files()}

    def _unparsed(self, texts: Mapping[str, str]) -> list[Problem]:
        return of_syntax({**{file.path: file.text for file in self._files()}, **texts})

    def _files(self) -> Iterator[Document]:
        """The Python files of the workspace as they are on the disk. Blocks."""
        collector = self.verifying.workspace.collector
        for path in collector.project_files():
            if isinstance(file := read(collector.root, path, collector.max_size), Document):
                yield file


async def _agreed() -> bool:
    return True


def _mark(problem: Problem) -> tuple[str, str, str]:
    return problem.path, problem.type, problem.message


def _onward(given_up: Sequence[DebugResult]) -> Attempt | None:
    """The likeliest repair after which a test came further, of an error that could not be repaired whole."""
    led_on = [
        attempt
        for result in given_up
        if result.problem.origin is Origin.RUN
        for attempt in result.attempts
        if attempt.outcome is Outcome.PARTIAL and attempt.iteration == 1
    ]
    return min(led_on, key=lambda attempt: attempt.repair.cost, default=None)


def _output(asked: AgentInput, turn: InTurn, led_on: Attempt | None, notes: Sequence[str]) -> AgentOutput:
    made = [repair.title for result in turn.repaired if (repair := chosen(result)) is not None]
    made += [led_on.repair.title] if led_on is not None else []
    left = [f"{one.problem.path}:{one.problem.line + 1}: {one.problem.type}" for one in turn.given_up]
    told = [*made, *(f"not repaired: {row}" for row in left), *notes]
    return AgentOutput(
        agent_id=asked.agent_id,
        task_id=asked.task_id,
        success=bool(made) and not left,
        output_data={"repaired": made, "left": left},
        reasoning="; ".join(told) or "there is nothing to repair",
        confidence=0.8 if made and not left else 0.3,
        next_actions=tuple(f"look at {row}" for row in left[:5]),
    )
