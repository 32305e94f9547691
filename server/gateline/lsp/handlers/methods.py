"""gateline's own requests. Their params are validated here, so that a misfit is answered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcContentModified, JsonRpcInvalidParams

from gateline.lsp import life
from gateline.lsp.handlers import checks, comparing, context, memory, observed, refining, tasks, tests
from gateline.lsp.handlers.asked import failures, session_at, wire
from gateline.lsp.progress import work_done
from gateline.model import Level, Progress
from gateline.model.level import counted
from gateline.protocol import methods

if TYPE_CHECKING:
    from gateline.lsp.server import Server
    from gateline.protocol.debugging import AutodebugParams
    from gateline.protocol.evaluation import CurrentParams
    from gateline.protocol.methods import Method
    from gateline.protocol.status import HistoryParams
    from gateline.protocol.types import DoctorParams, EvaluateParams
    from gateline.repairs.result import DebugResult
    from gateline.session.session import Session
    from gateline.worklog.scored import Scored

Answer = Callable[["Server", Any], Awaitable[dict[str, Any]]]


def register(server: Server) -> None:
    """Hand a handler for every request to pygls; one without a handler is a mistake of ours."""
    for method in methods.METHODS:
        if method.is_answered_here:
            assert method.name in _ANSWERS, method.name
            server.feature(method.name)(_wrapped(method))


def validated(method: Method, params: object) -> Any:
    """The params as the method's type. Raises JsonRpcInvalidParams with the key and the value."""
    from pydantic import ValidationError

    try:
        return method.params_type().model_validate({} if params is None else params)
    except ValidationError as error:
        raise JsonRpcInvalidParams("; ".join(_told(e) for e in error.errors())) from None


def _told(error: Any) -> str:
    key = ".".join(str(part) for part in error["loc"]) or "params"
    return f"{key}: {error['msg']}, not {error['input']!r}"


def _wrapped(method: Method) -> Callable[[Server, Any], Awaitable[dict[str, Any]]]:
    async def handler(ls: Server, params: Any) -> dict[str, Any]:
        return await answered(ls, method, params)

    return handler


async def answered(ls: Server, method: Method, params: object) -> dict[str, Any]:
    """The result of one of gateline's own requests, from its raw params. Raises JsonRpcException."""
    await life.at_rest(ls)
    return await _ANSWERS[method.name](ls, validated(method, params))


async def evaluate(ls: Server, params: EvaluateParams) -> dict[str, Any]:
    """Judge the change, the project, or one document, with progress."""
    from gateline.session.judge.scoped import PROJECT, to_scoped

    session, scope = _judged(ls, params)
    level = Level(params.level) if params.level else None
    if level is None and params.iteration is not None:
        level = counted(params.iteration, params.iterations)
    source = Progress.SAID if params.level else Progress.COUNTED if level else Progress.INFERRED
    async with work_done(ls, params.work_done_token, "gateline") as tell:
        with failures():
            evaluation = await session.evaluate(level, scope, source, tell)
            trend = await _trend(session) if params.scope == PROJECT else ()
            moved = session.verdicts.trajectory(evaluation)
            return wire(to_scoped(evaluation, params.scope, trend, moved))


async def _trend(session: Session) -> Sequence[Scored]:
    """The remembered scores of the branch; none where they cannot be read."""
    from gateline.store.database import StoreError

    try:
        return await session.recorder.scores("branch")
    except StoreError:
        return ()


async def current(ls: Server, params: CurrentParams) -> dict[str, Any]:
    """The newest evaluation of a folder's change, as it is."""
    from gateline.protocol.evaluation import CurrentResult
    from gateline.session.judge.wire import to_wire

    verdicts = session_at(ls, params.uri).verdicts
    newest = verdicts.current
    moved = verdicts.trajectory(newest) if newest else None
    return wire(CurrentResult(evaluation=to_wire(newest, moved=moved) if newest else None))


async def history(ls: Server, params: HistoryParams) -> dict[str, Any]:
    """The evaluations of a folder's session, and the scores of its task or branch."""
    from gateline.lsp.shown import history_result

    session = session_at(ls, params.uri)
    with failures():
        known = await session.recorder.scores(params.of) if params.of != "session" else ()
    return wire(history_result(session.verdicts.entries(), known))


async def doctor(ls: Server, params: DoctorParams) -> dict[str, Any]:
    """What was chosen in a folder, and why."""
    from gateline.lsp.shown import doctor_result

    with failures():
        return wire(doctor_result(await session_at(ls, params.uri).doctor()))


async def autodebug(ls: Server, params: AutodebugParams) -> dict[str, Any]:
    """Look for a repair; nothing is applied."""
    from gateline.session.repairs.repairing import OutdatedError
    from gateline.session.repairs.wire import debug_to_wire

    session = session_at(ls, params.uri)
    async with work_done(ls, params.work_done_token, "gateline"):
        try:
            with failures():
                result = await _debugged(ls, session, params)
        except OutdatedError as error:
            raise JsonRpcContentModified(str(error)) from None
    return wire(debug_to_wire(result, session.offers.versions))


async def _debugged(ls: Server, session: Session, params: AutodebugParams) -> DebugResult:
    """The search that is asked for. Raises JsonRpcInvalidParams when the document has no such finding."""
    if params.traceback is not None:
        return await session.offers.debugged_report(params.traceback)
    if params.texts or params.patch:
        return await _debugged_proposal(session, params)
    address = ls.folders.address(params.uri or "")
    if address is None:
        raise JsonRpcInvalidParams(f"uri: must be a document of the workspace, not {params.uri!r}")
    for finding in session.told(address.path):
        is_meant = params.identity == finding.identity if params.identity else session.offers.key(finding)
        if is_meant and (result := await session.offers.debugged(finding)) is not None:
            return result
    raise JsonRpcInvalidParams(
        f"identity: {params.identity!r} is not a finding of {address.path}"
        if params.identity
        else f"uri: {address.path} has no finding for which repairs are known"
    )


async def _debugged_proposal(session: Session, params: AutodebugParams) -> DebugResult:
    """The search in texts that are not written. Raises JsonRpcInvalidParams without such a finding."""
    from gateline.session.checks.proposal import Proposal

    proposal = Proposal(tuple((row.path, row.text) for row in params.texts), params.patch)
    evaluation, texts = await session.checks.proposed(proposal)
    found = next((one for one in evaluation.findings if one.identity == params.identity), None)
    if found is None:
        raise JsonRpcInvalidParams(
            f"identity: {params.identity!r} is not a finding of these texts at the checkpoint early; "
            "give the texts that were judged"
        )
    return await session.offers.debugged_proposal(found, texts)


def _judged(ls: Server, params: EvaluateParams) -> tuple[Session, str]:
    """The session asked, and the scope as it knows it."""
    if params.scope != "buffer":
        return session_at(ls, params.uri), params.scope
    address = ls.folders.owner(params.uri or "")
    if address is None or address.folder.session is None:
        raise JsonRpcInvalidParams(f"uri: must be an open Python document, not {params.uri!r}")
    return address.folder.session, address.path


_ANSWERS: dict[str, Answer] = {
    methods.EVALUATE.name: evaluate,
    methods.CURRENT.name: current,
    methods.HISTORY.name: history,
    methods.DOCTOR.name: doctor,
    methods.AUTODEBUG.name: autodebug,
    methods.RUN_TESTS.name: tests.run,
    methods.CANCEL_TESTS.name: tests.cancel,
    methods.COVERAGE.name: tests.coverage,
    **tasks.ANSWERS,
    **context.ANSWERS,
    **checks.ANSWERS,
    **memory.ANSWERS,
    **refining.ANSWERS,
    **comparing.ANSWERS,
    **observed.ANSWERS,
}
