"""Going back to a savepoint: the command, and the code action where a change went from better to worse."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from gateline.lsp.addresses import file_of
from gateline.lsp.handlers.asked import failures, session_at, wire
from gateline.lsp.rollback_edit import rollback_edit, without_edited

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from gateline.lsp.folders import Address
    from gateline.lsp.server import Server
    from gateline.model import Finding
    from gateline.protocol.tasks import RestoreParams, RestoreResult
    from gateline.session.session import Session
    from gateline.session.tasks.recording.journal import Journal
    from gateline.session.tasks.recording.rollback import Rollback, Seen

RESTORE = "gateline.restore"
NEGATIVE = "GTL801"
_CUT_SHORT = (
    "an interrupted restore was undone: the files are as they were before it, and nothing else was restored; "
    "check them, then try again"
)
_TITLE = "Roll back to the last good savepoint"


def register(server: Server) -> None:
    """Hand the command to pygls."""
    server.command(RESTORE)(restore)


def rollback_action(
    ls: Server, address: Address, finding: Finding, diagnostics: list[lsp.Diagnostic]
) -> lsp.CodeAction | None:
    """The way back from a change that went from better to worse; None for another finding."""
    if finding.code != NEGATIVE or not ls.client.applying:
        return None
    command = lsp.Command(title=_TITLE, command=RESTORE, arguments=[{"uri": address.folder.uri}])
    return lsp.CodeAction(_TITLE, lsp.CodeActionKind.QuickFix, diagnostics, command=command)


async def restore(ls: Server, _token: object = None, where: object = None, *_: object) -> dict[str, Any]:
    """Restore a savepoint as one edit that can be undone; `where` as `RestoreParams` has it.

    The answer says what was done with each file, also of those that were left alone.
    """
    from gateline.protocol.tasks import RestoreParams

    await ls.ready.wait()
    params = _validated(RestoreParams, where)
    session = session_at(ls, params.uri)
    with ExitStack() as alone:
        with failures():
            made = await _rolled_back(ls, session, params, alone)
        return await _carried_out(ls, params, made)


async def _carried_out(ls: Server, params: RestoreParams, made: Rollback) -> dict[str, Any]:
    from gateline.session.tasks.wire import restore_result

    if params.preview:
        return wire(restore_result(made, applied=False))
    return wire(await carried_out(ls, made, f"Restore {made.target.id}"))


async def carried_out(ls: Server, made: Rollback, label: str) -> RestoreResult:
    """Have the editor write files as one edit, and tell what was left alone."""
    from gateline.session.tasks.wire import restore_result

    made = without_edited(ls, made)
    left = sum(bool(step.conflict) for step in made.steps)
    if left == len(made.steps):
        return restore_result(made, applied=False)
    if not ls.client.applying:
        return _said(ls, made, "this editor does not accept edits from the server; use `gateline restore`")
    edit = lsp.ApplyWorkspaceEditParams(rollback_edit(ls, made), label)
    answer = await ls.workspace_apply_edit_async(edit)
    if not answer.applied:
        return _said(
            ls, made, f"nothing was restored: {answer.failure_reason or 'the editor refused the edit'}"
        )
    if left:
        _tell(ls, f"{left} files were skipped: " + "; ".join(_reasons(made)))
    return restore_result(made, applied=True)


async def _rolled_back(ls: Server, session: Session, params: RestoreParams, alone: ExitStack) -> Rollback:
    """What would be restored; until `alone` ends, no other editor or shell restores."""
    from gateline.session.tasks.recording.rollback import rollback

    texts = await session.recorder.texts()
    opened = documents(ls, params.dirty)

    def make(journal: Journal) -> Rollback:
        if not params.preview:
            begin(journal, alone)
        return rollback(journal, params.savepoint, params.paths, texts, opened.seen(journal))

    return await session.recorder.use(make)


@dataclass(frozen=True, slots=True)
class Documents:
    """The URIs of the editor's documents at one moment: that of the texts which are recorded."""

    told: tuple[str, ...]
    dirty: tuple[str, ...] | None

    def seen(self, journal: Journal) -> Seen:
        """The same by path from the repository's top."""
        from gateline.session.tasks.recording.rollback import Seen

        top = journal.savepoints().root
        dirty = None if self.dirty is None else frozenset(_below(top, self.dirty))
        return Seen(frozenset(_below(top, self.told)), dirty)


def documents(ls: Server, dirty: Sequence[str] | None) -> Documents:
    """What the editor has open. To be asked on the event loop, right after the texts."""
    told = tuple(uri for folder in ls.folders for uri in folder.uris.values())
    return Documents(told, None if dirty is None else tuple(dirty))


def begin(journal: Journal, alone: ExitStack) -> None:
    """Until `alone` ends, no other editor or shell restores.

    Blocks. Raises SavepointError, also where a restore that was cut short had to be undone first.
    """
    from gateline.session.tasks.savepoints import restoring
    from gateline.store.savepoints.values import SavepointError

    undone = alone.enter_context(restoring(journal.savepoints()))
    if undone is not None:
        # The texts of now were those of its half-restored files.
        raise SavepointError(_CUT_SHORT)


def _below(top: Path, uris: object) -> Iterator[str]:
    """Documents by their path from the repository's top."""
    for uri in uris if isinstance(uris, list | tuple) else ():
        file = file_of(uri)
        if file is not None and file.is_relative_to(top):
            yield file.relative_to(top).as_posix()


def _validated(kind: type[RestoreParams], where: object) -> RestoreParams:
    from pydantic import ValidationError
    from pygls.exceptions import JsonRpcInvalidParams

    try:
        return kind.model_validate({} if where is None else where)
    except ValidationError as error:
        raise JsonRpcInvalidParams(f"{RESTORE}: {error}") from None


def _reasons(made: Rollback) -> list[str]:
    return [f"{step.path} ({step.conflict})" for step in made.steps if step.conflict][:5]


def _said(ls: Server, made: Rollback, message: str) -> RestoreResult:
    from gateline.session.tasks.wire import restore_result

    _tell(ls, message)
    return restore_result(made, applied=False)


def _tell(ls: Server, message: str) -> None:
    ls.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, message))
