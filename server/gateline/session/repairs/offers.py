"""Repairs that are offered in an editor: looked for once for each finding, and dropped with its text."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from gateline.model import Document, Finding, Problem, Snapshot, digest_of
from gateline.repairs.budget import ASKED, BESIDE, Effort
from gateline.repairs.reported import SYNTAX, TYPES, problem_of
from gateline.repairs.result import DebugResult
from gateline.services.child import ChildError
from gateline.session.errors import UsageError
from gateline.session.live.documents import Documents
from gateline.session.repairs.all_offers import together
from gateline.session.repairs.confirming import Confirming
from gateline.session.repairs.in_turn import InTurn
from gateline.session.repairs.offer import Digests, Offer, Watch, offers
from gateline.session.repairs.records import Happened, RepairRecords
from gateline.session.repairs.repairing import OutdatedError
from gateline.session.repairs.reported_errors import problems_told, raised_in
from gateline.session.toolset import Toolset
from gateline.session.workspace.external_documents import is_elsewhere
from gateline.session.workspace.reading import read
from gateline.testing.failing import FAILING

log = logging.getLogger(__name__)


class Offers:
    """`tools` waits until there are some."""

    def __init__(
        self,
        tools: Callable[[], Awaitable[Toolset]],
        documents: Documents,
        records: RepairRecords | None = None,
    ) -> None:
        self._tools = tools
        self._documents = documents
        self._records = records or RepairRecords()
        self._watch = Watch()
        self._snapshot: Snapshot | None = None
        self._found: dict[str, asyncio.Task[tuple[Offer, ...]]] = {}
        self._known: frozenset[str] | None = None
        """The types of problems that families know; None until they were asked."""
        self._preparing: asyncio.Task[None] | None = None
        self._is_cold = True
        """Whether no search has ended yet."""
        self._notes: set[asyncio.Future[None]] = set()
        documents.on_change = self._changed

    def key(self, finding: Finding) -> str | None:
        """Names a finding of a text as it is now; None when no family knows it, or its text is not open."""
        document = self._documents.get(finding.path)
        if document is None or not self._may_be_known(finding):
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

    def needs_preparing(self, findings: Iterable[Finding]) -> bool:
        """Whether it is not known yet what families know, and one of the findings may be known to them."""
        return self._known is None and any(map(self._may_be_known, findings))

    def _may_be_known(self, finding: Finding) -> bool:
        if finding.code == FAILING or is_elsewhere(finding.path):
            return not is_elsewhere(finding.path)
        if self._known is None:
            return finding.code in (SYNTAX, TYPES)
        return problem_of(finding).type in self._known

    def look(self, finding: Finding, key: str) -> asyncio.Task[tuple[Offer, ...]]:
        """The search for repairs of a finding with this key; the same one until a text is edited.

        Nobody need wait for it. It ends with nothing when a text is edited meanwhile.
        """
        if self._snapshot is not self._documents.snapshot:
            self._snapshot, self._found = self._documents.snapshot, {}
        if key not in self._found:
            self._found[key] = asyncio.create_task(self._search(finding, self._documents.snapshot))
        return self._found[key]

    async def all_at_once(self, path: str, findings: Sequence[Finding]) -> Offer | None:
        """One repair of everything in a document of which only one repair holds; None when there is none.

        Each was verified by itself, and all together are once more. Raises ChildError.
        """
        snapshot, document = self._documents.snapshot, self._documents.get(path)
        repairable = (f for f in findings if f.code in (SYNTAX, TYPES))
        keyed = [(finding, key) for finding in repairable if (key := self.key(finding))]
        if document is None or not keyed:
            return None
        found = [offer for finding, key in keyed for offer in (await self.look(finding, key))[:1]]
        offer, texts = together(document, found)
        if offer is None or snapshot is not self._documents.snapshot:
            return None
        if len(found) > 1:
            tools = await self._tools()
            proof = await tools.repairing.proof(problem_of(keyed[0][0]), {path: document.text}, texts)
            offer = offer if proof is not None else None
        return offer

    async def is_current(self, offer: Offer) -> bool:
        """Whether every text is still the one that an offer's edits are against."""
        tools = await self._tools()
        collector = tools.worktree.workspace.collector
        closed = [path for path, _ in offer.digests if self._documents.get(path) is None]
        files = {p: await asyncio.to_thread(read, collector.root, p, collector.max_size) for p in closed}
        # Open texts are looked at last: one may be edited while a file is read.
        return _fits(offer.digests, {**files, **self._documents.buffers})

    def shown(self, offer: Offer) -> None:
        """A client was told of an offer."""
        if self._watch.offered(offer):
            self._note(Happened.OFFERED, offer.pattern)

    def _changed(self, document: Document) -> None:
        """A document was edited: perhaps it is what an offer makes of it."""
        if self._watch.watches(document.path):
            for what, pattern in self._watch.changed(document.path, document.digest):
                self._note(what, pattern)

    async def stop(self) -> None:
        """End all searches."""
        tasks = [*self._found.values(), *([self._preparing] if self._preparing else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, *self._notes, return_exceptions=True)

    async def _search(self, finding: Finding, snapshot: Snapshot) -> tuple[Offer, ...]:
        try:
            problem = await self._problem(finding)
            if problem is None:
                return ()
            result = await self._patiently_debugged(problem, snapshot)
            tally = await asyncio.to_thread(self._records.tally)
        except OutdatedError:
            return ()
        except ChildError as error:
            log.warning("no repair could be looked for: %s", error)
            return ()
        self._note(Happened.FOUND if result.success else Happened.MISSED)
        return offers(result, {p: d.text for p, d in snapshot.documents.items()}, tally)

    async def _patiently_debugged(self, problem: Problem, snapshot: Snapshot) -> DebugResult:
        """The search; once more when its time went into starting what verifies, which is warm then."""
        was_cold = self._is_cold
        result = await self._debugged(problem, snapshot)
        self._is_cold = False
        late = was_cold and result.late and not result.success
        return await self._debugged(problem, snapshot) if late else result

    async def debugged(self, finding: Finding) -> DebugResult | None:
        """Everything about the search for a repair of a finding; None when a test passed meanwhile.

        Raises OutdatedError and ChildError.
        """
        snapshot = self._documents.snapshot
        problem = await self._problem(finding)
        return None if problem is None else await self._debugged(problem, snapshot, ASKED)

    async def debugged_proposal(self, finding: Finding, texts: Mapping[str, str | None]) -> DebugResult:
        """The same for a finding of texts that are not written, of which the type checker knows nothing.

        Tests that fail have no place in them: nothing is run for a proposal. A file that it deletes (None)
        still counts as there, which the result notes.
        """
        laid = {path: text for path, text in texts.items() if text is not None}
        result = await self._debugged(problem_of(finding), self._documents.snapshot, ASKED, laid)
        deleted = ", ".join(path for path in texts if path not in laid)
        note = f"verified without the deletion of {deleted}: call gate_check with the repair in texts"
        return replace(result, notes=(note,)) if deleted else result

    async def debugged_report(self, report: str) -> DebugResult:
        """The same for all errors of an output, each as it is seen here: all repairs as one.

        Raises also UsageError.
        """
        tools, snapshot = await self._tools(), self._documents.snapshot
        workspace, texts = tools.worktree.workspace, _texts(snapshot)
        told = await asyncio.to_thread(problems_told, report, workspace.root)

        async def debug(problem: Problem, _: Mapping[str, str], laid: Mapping[str, str]) -> DebugResult:
            return await self._debugged(problem, snapshot, ASKED, laid)

        limit, tests = workspace.collector.max_size, await tools.repairing.tests()
        turn = InTurn(workspace.root, limit, debug, open=texts)
        confirming = Confirming(workspace.root, limit, tools.judging.types, tests, texts)
        await turn.told(told, confirming)
        if (result := turn.joined()) is None:
            raise UsageError(
                "; ".join(confirming.notes) or "the error does not occur here: nothing to repair"
            )
        return result

    @property
    def versions(self) -> Mapping[str, int | None]:
        """The versions of the open documents, by path."""
        return {path: document.version for path, document in self._documents.buffers.items()}

    async def _problem(self, finding: Finding) -> Problem | None:
        """The problem behind a finding: of a failing test what it raised when it ran last."""
        if finding.code != FAILING:
            return problem_of(finding)
        last = (await self._tools()).runs.last
        return None if last is None else raised_in(finding, last.run)

    async def _debugged(
        self,
        problem: Problem,
        snapshot: Snapshot,
        effort: Effort = BESIDE,
        laid: Mapping[str, str] = MappingProxyType({}),
    ) -> DebugResult:
        tools = await self._tools()
        if problem.path not in laid and (document := snapshot.documents.get(problem.path)) is not None:
            # The type checker must know this text: what it says of a repair is said beside it.
            await tools.checking.types.update(document)
        texts = {**_texts(snapshot), **laid}

        def is_current() -> bool:
            return self._documents.snapshot is snapshot

        return await tools.repairing.debug(problem, texts, effort, is_current, laid)

    def _note(self, what: Happened, pattern: str = "") -> None:
        note = asyncio.ensure_future(asyncio.to_thread(self._records.note, what, pattern))
        self._notes.add(note)
        note.add_done_callback(self._notes.discard)


def _texts(snapshot: Snapshot) -> dict[str, str]:
    """The texts of the open documents that belong to the workspace."""
    return {path: d.text for path, d in snapshot.documents.items() if not is_elsewhere(path)}


def _fits(digests: Digests, texts: Mapping[str, object]) -> bool:
    """Whether these are the texts with those digests."""
    found = ((texts.get(path), digest) for path, digest in digests)
    return all(isinstance(now, Document) and now.digest == digest for now, digest in found)
