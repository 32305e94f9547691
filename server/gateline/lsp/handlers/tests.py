"""Tests that a person asks for, and what they cover. Params are validated by the caller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcInvalidParams

from gateline.lsp.handlers.asked import failures, session_at, wire
from gateline.lsp.progress import work_done

if TYPE_CHECKING:
    from gateline.lsp.server import Server
    from gateline.protocol.testing import CancelTestsParams, CoverageParams, RunTestsParams
    from gateline.testing.result import Result


async def run(ls: Server, params: RunTestsParams) -> dict[str, Any]:
    """Run tests on the texts as they are, with progress."""
    from gateline.lsp.tested import run_result
    from gateline.session.tests.testing import Which

    session = session_at(ls, params.uri)
    counted = [0, 0]
    async with work_done(ls, params.work_done_token, "gateline: tests") as tell:

        def count(result: Result) -> None:
            counted[0] += 1
            counted[1] += result.is_bad
            tell(f"{counted[0]} run" + (f", {counted[1]} failing" if counted[1] else ""))

        with failures():
            return wire(run_result(await session.tests.run(Which(params.which), params.ids, count)))


async def cancel(ls: Server, params: CancelTestsParams) -> dict[str, Any]:
    """End the tests that are being run."""
    from gateline.protocol.testing import CancelTestsResult

    return wire(CancelTestsResult(cancelled=await session_at(ls, params.uri).tests.cancel()))


async def coverage(ls: Server, params: CoverageParams) -> dict[str, Any]:
    """The changed lines of an open document, as tests execute them."""
    from gateline.lsp.tested import coverage_result

    address = ls.folders.owner(params.uri)
    if address is None or address.folder.session is None:
        raise JsonRpcInvalidParams(f"uri: must be an open Python document, not {params.uri!r}")
    session = address.folder.session
    document = session.document(address.path)
    with failures():
        report, known = await session.tests.coverage(address.path)
    return wire(coverage_result(document.version if document else None, report, known))
