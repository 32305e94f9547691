"""Repairs one problem: families search in a process of their own, and what they find is verified here."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from gateline.model import Document, Origin, Problem, Proof
from gateline.model.lines import changed_lines
from gateline.repairs.budget import Effort
from gateline.repairs.choice import is_clear
from gateline.repairs.proof import proof_of
from gateline.repairs.result import DebugResult
from gateline.services.child import Child
from gateline.services.repairs.messages import Asked, Begin, Place, Tell, Warm
from gateline.services.shielded import shielded
from gateline.session.judge.engine import Engine
from gateline.session.repairs.tests import RepairTests
from gateline.session.repairs.verification import TestsOf, Verification
from gateline.session.types.types import Types
from gateline.session.workspace.environment import environment_of
from gateline.session.workspace.reading import read
from gateline.session.workspace.workspace import Workspace

FAR = "gateline.services.repairs.far"
_BESIDE = 5
"""How nice a search is to what somebody types beside it."""
_SLOWEST = 30.0
"""Seconds for one step of a search, far more than it is allowed to take by itself."""
_DECLARING = ("pyproject.toml", "requirements*.txt", "requirements/*.txt", "requirements*.in")
"""Files that name the project's dependencies."""


class OutdatedError(Exception):
    """The texts changed while a repair was looked for."""


@dataclass(frozen=True, slots=True)
class _Search:
    """One search: what is repaired, in which texts, and how it is verified."""

    problem: Problem
    texts: Mapping[str, str]
    effort: Effort
    is_current: Callable[[], bool]
    tests: TestsOf | None = None
    laid: Mapping[str, str] = field(default_factory=dict)
    """Those of the texts that the type checker was not told of."""
    excluded: frozenset[tuple[str, str]] = frozenset()


class Repairing:
    """Repairs of one workspace. Problems are taken one after the other; nothing is applied.

    Where the person agreed that tests are run, they verify as well: of an error that was raised from the
    beginning; of others once a repair is found, so that none waits for tests that has no repair.
    """

    def __init__(
        self,
        workspace: Workspace,
        types: Types,
        engine: Engine,
        tests: RepairTests | None = None,
        *,
        nice: int = _BESIDE,
        onward: bool = False,
    ) -> None:
        """`onward`: there may be several faults, and a repair of one is verified where others are left."""
        self._workspace = workspace
        self._verification = Verification(types, engine, onward)
        self._tests = tests
        self._child = Child(FAR, nice=nice)
        self._turn = asyncio.Lock()
        self._place: Place | None = None

    def without_tests(self) -> Repairing:
        """The same by the same process, which this one ends; tests verify nothing."""
        other = copy(self)
        other._tests = None
        return other

    async def debug(
        self,
        problem: Problem,
        texts: Mapping[str, str],
        effort: Effort,
        is_current: Callable[[], bool] = lambda: True,
        laid: Mapping[str, str] = MappingProxyType({}),
        excluded: frozenset[tuple[str, str]] = frozenset(),
    ) -> DebugResult:
        """Look for a repair of a problem in `texts` over the disk.

        `is_current` is asked between the steps. Of the texts that are `laid` over others the type checker
        was not told. `excluded` are repairs that are not to be tried, by path and title.

        Raises:
            OutdatedError: it said no.
            ChildError: the process that searches ended or was too slow.

        """
        async with self._turn:
            search = _Search(problem, texts, effort, is_current, laid=laid, excluded=excluded)
            if (tests := await self.tests()) is None:
                return await self._found(search)
            tested = replace(search, tests=TestsOf(tests, problem, texts))
            if problem.origin is Origin.RUN:
                return await self._found(tested)
            quick = await self._found(search)
            # What tests fail with then is of other faults: they tell nothing of the only way to parse.
            is_parsed = problem.origin is Origin.PARSER and is_clear(quick)
            if not quick.success or (self._verification.onward and is_parsed):
                return quick
            proven = await self._proven(quick, tested) if is_clear(quick) else None
            return proven or await self._found(tested)

    async def tests(self) -> RepairTests | None:
        """What runs tests for repairs; None where nobody agreed that they are run."""
        return self._tests if self._tests is not None and await self._tests.allowed() else None

    async def _proven(self, quick: DebugResult, tested: _Search) -> DebugResult | None:
        """A result with what tests say of its texts; None when they say that it is wrong, or not enough."""
        assert tested.tests is not None
        texts = quick.texts or {}
        asked = Asked(quick.problem, texts, {})
        before = await asyncio.to_thread(self._before, asked, tested.texts)
        touched = {path: _touched(path, before.get(path, ""), text) for path, text in texts.items()}
        verdict = await self._verification.of_tests(replace(asked, touched=touched), tested.tests)
        proof = None if verdict.failing else proof_of(verdict)
        return None if proof is None else replace(quick, proof=proof)

    async def _found(self, search: _Search) -> DebugResult:
        """What one search comes to."""
        texts, effort = search.texts, search.effort
        place = await self._known_place()
        step: Begin | Tell = Begin(search.problem, place, texts, effort, search.excluded)
        while True:
            if not search.is_current():
                raise OutdatedError(f"{search.problem.path} was edited during the search for a repair")
            answer: Asked | DebugResult = await self._ask(step)
            if isinstance(answer, DebugResult):
                return answer
            before = await asyncio.to_thread(self._before, answer, texts)
            step = Tell(await self._verification.verdict(answer, before, search.tests, search.laid))

    async def proof(
        self, problem: Problem, before: Mapping[str, str], after: Mapping[str, str]
    ) -> Proof | None:
        """How far texts are a verified repair of a problem; None when they are none."""
        touched = {path: _touched(path, before.get(path, ""), text) for path, text in after.items()}
        return proof_of(await self._verification.verdict(Asked(problem, after, touched), before))

    async def warm(self, types: frozenset[str] | None = None) -> frozenset[str]:
        """Start the process and let it read what can be imported; the types of problems it knows.

        `types` are those of the problems that will be asked about. Raises ChildError.
        """
        place = await self._known_place()
        async with self._turn:
            known: frozenset[str] = await self._ask(Warm(place.environment, types))
            return known

    def files_changed(self) -> None:
        """Files were written: which there are, and what tests say of them, is looked up again."""
        self._place = None
        if self._tests is not None:
            self._tests.files_changed()

    async def stop(self) -> None:
        """End all processes."""
        await self._child.dismiss()
        if self._tests is not None:
            await self._tests.stop()

    async def _ask(self, message: object) -> Any:
        # Shielded: who stops waiting must not end a process that has read what can be imported.
        return await shielded(self._child.ask(message, _SLOWEST))

    async def _known_place(self) -> Place:
        if self._place is None:
            self._place = await asyncio.to_thread(place_of, self._workspace)
        return self._place

    def _before(self, asked: Asked, texts: Mapping[str, str]) -> dict[str, str]:
        """The texts that a repair replaces; a file that it adds has none."""
        collector = self._workspace.collector
        files = {p: read(collector.root, p, collector.max_size) for p in asked.texts if p not in texts}
        found = {path: file.text for path, file in files.items() if isinstance(file, Document)}
        return found | {path: texts[path] for path in asked.texts if path in texts}


def place_of(workspace: Workspace) -> Place:
    """The workspace's files and environment. Blocks."""
    root = workspace.root
    declaring = (file for pattern in _DECLARING for file in root.glob(pattern) if file.is_file())
    files = {*workspace.collector.project_files(), *(_relative(file, root) for file in declaring)}
    return Place(str(root), tuple(sorted(files)), environment_of(workspace.interpreter))


def _touched(path: str, before: str, after: str) -> frozenset[int]:
    return changed_lines(Document(path, before).lines, Document(path, after).lines)


def _relative(file: Path, root: Path) -> str:
    return file.relative_to(root).as_posix()
