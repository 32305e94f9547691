"""Repairs that are offered in an editor: looked for once for each finding, and dropped with its text."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from gateline.model import Document, Edit, Finding, Problem, Proof, Snapshot, digest_of
from gateline.repairs.choice import chosen, is_clear
from gateline.repairs.reported import SYNTAX, TYPES, problem_of
from gateline.repairs.result import DebugResult
from gateline.services.child import ChildError
from gateline.session.documents import Documents
from gateline.session.elsewhere import is_elsewhere
from gateline.session.reading import read
from gateline.session.repairing import Effort, OutdatedError
from gateline.session.told import problem_told
from gateline.session.toolset import Toolset

log = logging.getLogger(__name__)

_EFFORT = Effort(seconds=4.0, alternatives=2)


@dataclass(frozen=True, slots=True)
class Offer:
    """A verified repair, and the texts that it is for."""

    title: str
    proof: Proof
    edits: tuple[Edit, ...]
    preferred: bool
    """It is clearly the likeliest."""
    digests: tuple[tuple[str, str], ...]
    """The digest of each text that its edits are against, by path."""


class Offers:
    """`tools` waits until there are some."""

    def __init__(self, tools: Callable[[], Awaitable[Toolset]], documents: Documents) -> None:
        self._tools = tools
        self._documents = documents
        self._snapshot: Snapshot | None = None
        self._found: dict[str, asyncio.Task[tuple[Offer, ...]]] = {}
        self._known: frozenset[str] | None = None
        """The types of problems that families know; None until they were asked."""
        self._preparing: asyncio.Task[None] | None = None

    def key(self, finding: Finding) -> str | None:
        """Names a finding of a text as it is now; None when no family knows it, or its text is not open."""
        document = self._documents.get(finding.path)
        if document is None or is_elsewhere(finding.path) or not self._may_be_known(finding):
            return None
        return digest_of(repr((finding.code, finding.origin, finding.message, finding.span, document.digest)))

    def prepare(self) -> asyncio.Task[None]:
        """Start the process that searches, once: then it is known exactly what families know."""
        if self._preparing is None or (self._preparing.done() and self._known is None):
            self._preparing = asyncio.create_task(self._prepared())
        return self._preparing

    async def _prepared(self) -> None:
        try:
            self._known = await (await self._tools()).repairing.warm()
        except ChildError as error:
            log.warning("no repair can be looked for: %s", error)

    def _may_be_known(self, finding: Finding) -> bool:
        if self._known is None:
            return finding.code in (SYNTAX, TYPES)
        return problem_of(finding).type in self._known

    def look(self, finding: Finding) -> asyncio.Task[tuple[Offer, ...]]:
        """The search for repairs of a finding of an open document; the same one until a text is edited.

        Nobody need wait for it. It ends with nothing when a text is edited meanwhile.
        """
        if self._snapshot is not self._documents.snapshot:
            self._snapshot, self._found = self._documents.snapshot, {}
        key = self.key(finding) or ""
        if key not in self._found:
            self._found[key] = asyncio.create_task(self._search(finding, self._documents.snapshot))
        return self._found[key]

    async def is_current(self, offer: Offer) -> bool:
        """Whether every text is still the one that an offer's edits are against."""
        tools = await self._tools()
        collector = tools.worktree.workspace.collector
        closed = [path for path, _ in offer.digests if self._documents.get(path) is None]
        files = {p: await asyncio.to_thread(read, collector.root, p, collector.max_size) for p in closed}
        # Open texts are looked at last: one may be edited while a file is read.
        for path, digest in offer.digests:
            now = self._documents.get(path) or files.get(path)
            if not isinstance(now, Document) or now.digest != digest:
                return False
        return True

    async def stop(self) -> None:
        """End all searches."""
        tasks = [*self._found.values(), *([self._preparing] if self._preparing else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _search(self, finding: Finding, snapshot: Snapshot) -> tuple[Offer, ...]:
        try:
            return _offers(await self._debugged(problem_of(finding), snapshot))
        except OutdatedError:
            return ()
        except ChildError as error:
            log.warning("no repair could be looked for: %s", error)
            return ()

    async def debugged(self, finding: Finding) -> DebugResult:
        """Everything about the search for a repair of a finding. Raises OutdatedError and ChildError."""
        return await self._debugged(problem_of(finding), self._documents.snapshot)

    async def debugged_report(self, report: str) -> DebugResult:
        """The same for the error of a traceback. Raises also UsageError."""
        root = (await self._tools()).worktree.workspace.root
        problem = await asyncio.to_thread(problem_told, report, root)
        return await self._debugged(problem, self._documents.snapshot)

    @property
    def versions(self) -> Mapping[str, int | None]:
        """The versions of the open documents, by path."""
        return {path: document.version for path, document in self._documents.buffers.items()}

    async def _debugged(self, problem: Problem, snapshot: Snapshot) -> DebugResult:
        tools = await self._tools()
        if (document := snapshot.documents.get(problem.path)) is not None:
            # The type checker must know this text: what it says of a repair is said beside it.
            await tools.checking.types.update(document)
        texts = {path: d.text for path, d in snapshot.documents.items() if not is_elsewhere(path)}

        def is_current() -> bool:
            return self._documents.snapshot is snapshot

        return await tools.repairing.debug(problem, texts, _EFFORT, is_current)


def _offers(result: DebugResult) -> tuple[Offer, ...]:
    """The best repair, and the others that stand alone."""
    repair = chosen(result)
    if repair is None or result.proof is None:
        return ()
    first = Offer(repair.title, result.proof, result.edits, is_clear(result), result.digests)
    if result.iterations > 1:
        # The others go on from a text that nobody has.
        return (first,)
    others = (Offer(o.repair.title, o.proof, o.repair.edits, False, o.digests) for o in result.alternatives)
    return (first, *others)
