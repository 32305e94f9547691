"""Clients that pull: because they cannot take pushes, or because they asked to."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest_lsp
from editor import SCRIPTED, Editor, capable, config
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient

HELD = config(*SCRIPTED, "--hold")
"""The later stage waits until a file called `release` is written."""


@pytest_lsp.fixture(config=HELD)
async def editor(lsp_client: LanguageClient, tmp_path: Path):
    lsp_client.editor = Editor(lsp_client, tmp_path)
    yield
    await lsp_client.shutdown_session()


async def pull(client: LanguageClient, uri: str, known: str | None = None) -> lsp.DocumentDiagnosticReport:
    params = lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(uri), previous_result_id=known)
    async with asyncio.timeout(30):
        return await client.text_document_diagnostic_async(params)


def release(editor: Editor) -> None:
    editor.touched(("release", lsp.FileChangeType.Created))


async def test_a_client_that_only_pulls_is_refreshed_when_later_findings_come(editor: LanguageClient) -> None:
    e = editor.editor
    answer = await e.start(capable("neovim", pull=True, refresh=True))
    assert answer.capabilities.diagnostic_provider.workspace_diagnostics
    uri = e.open("a.py", "# TODO LATER\n")
    first = await pull(editor, uri)
    assert [d.message for d in first.items] == ["TODO left"]
    assert (await pull(editor, uri, first.result_id)).kind == "unchanged"
    release(e)
    await e.until(lambda: e.refreshes)
    second = await pull(editor, uri, first.result_id)
    assert [d.message for d in second.items] == ["TODO left", "LATER left"]
    assert second.result_id != first.result_id
    assert e.pushed == [] and e.refreshes == 1


async def test_a_client_that_cannot_be_refreshed_waits_for_all_findings(editor: LanguageClient) -> None:
    e = editor.editor
    await e.start(capable("neovim", pull=True))
    uri = e.open("a.py", "# LATER\n")
    waiting = asyncio.ensure_future(pull(editor, uri))
    await e.barrier()
    assert not waiting.done()
    release(e)
    assert [d.message for d in (await waiting).items] == ["LATER left"]


async def test_a_pull_that_waits_can_be_cancelled(editor: LanguageClient) -> None:
    e = editor.editor
    await e.start(capable("neovim", pull=True))
    params = lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(e.open("a.py", "# LATER\n")))
    waiting = editor.protocol.send_request("textDocument/diagnostic", params, msg_id="pull-1")
    await e.barrier()
    editor.cancel_request(lsp.CancelParams("pull-1"))
    try:
        await asyncio.wait_for(asyncio.wrap_future(waiting), 30)
    except JsonRpcException as error:
        assert error.code == lsp.LSPErrorCodes.RequestCancelled
    else:
        raise AssertionError("answered in spite of the cancel")


async def test_the_client_may_ask_to_pull(editor: LanguageClient) -> None:
    e = editor.editor
    answer = await e.start(capable("neovim", both=True, refresh=True), options={"diagnostics": "pull"})
    assert answer.capabilities.diagnostic_provider is not None
    uri = e.open("a.py", "# TODO\n")
    assert len((await pull(editor, uri)).items) == 1
    e.close(uri)
    await e.barrier()
    assert e.pushed == []


async def test_a_client_that_can_do_both_is_pushed_to_yet_a_pull_is_answered(editor: LanguageClient) -> None:
    e = editor.editor
    answer = await e.start(capable("neovim", both=True))
    assert answer.capabilities.diagnostic_provider is None
    uri = e.open("a.py", "# TODO\n")
    await e.shown(uri, "TODO left")
    release(e)
    assert len((await pull(editor, uri)).items) == 1


async def test_the_workspace_is_pulled_as_a_whole(editor: LanguageClient) -> None:
    e = editor.editor
    await e.start(capable("neovim", pull=True, refresh=True))
    one, two = e.open("a.py", "# TODO\n"), e.open("b.py", "# TODO\n")
    await pull(editor, one)
    known = (await pull(editor, two)).result_id
    previous = [lsp.PreviousResultId(two, known), lsp.PreviousResultId(e.uri("gone.py"), "x")]
    report = await editor.workspace_diagnostic_async(lsp.WorkspaceDiagnosticParams(previous))
    kinds = {item.uri: (item.kind, len(getattr(item, "items", ()))) for item in report.items}
    assert kinds == {one: ("full", 1), two: ("unchanged", 0), e.uri("gone.py"): ("full", 0)}


async def test_a_document_closed_while_a_pull_waits_answers_empty(editor: LanguageClient) -> None:
    e = editor.editor
    await e.start(capable("neovim", pull=True))
    uri = e.open("a.py", "# LATER\n")
    waiting = asyncio.ensure_future(pull(editor, uri))
    await e.barrier()
    e.close(uri)
    release(e)
    assert list((await waiting).items) == []


@pytest_lsp.fixture(config=config(*SCRIPTED, "--hold", "--impatient"))
async def impatient(lsp_client: LanguageClient, tmp_path: Path):
    lsp_client.editor = Editor(lsp_client, tmp_path)
    yield
    await lsp_client.shutdown_session()


async def test_a_tool_that_never_ends_does_not_hold_the_answer(impatient: LanguageClient) -> None:
    e = impatient.editor
    await e.start(capable("neovim", pull=True))
    report = await pull(impatient, e.open("a.py", "# TODO LATER\n"))
    assert [d.message for d in report.items] == ["TODO left"]
