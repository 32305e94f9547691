"""gateline's own methods, commands, progress and cancel."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import pytest_lsp
from editor import SCRIPTED, Editor, capable, config
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    # The client library knows only the tokens that the server made.
    pytest.mark.filterwarnings("ignore:Unknown progress token"),
]

INVALID_PARAMS, CANCELLED = -32602, -32800
EVALUATE = "gateline/checkpoint/evaluate"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("project")


@pytest_lsp.fixture(scope="module", config=config(*SCRIPTED))
async def client(lsp_client: LanguageClient, root: Path):
    lsp_client.editor = Editor(lsp_client, root)
    await lsp_client.editor.start(capable("visual-studio-code"))
    yield
    await lsp_client.shutdown_session()


def steps(editor: Editor, token: str) -> list[str | None]:
    return [step.message for step in editor.client.progress_reports.get(token, ())]


async def cancelled(waiting: asyncio.Future) -> bool:
    try:
        await asyncio.wait_for(waiting, 30)
    except JsonRpcException as error:
        return error.code == CANCELLED
    return False


async def test_evaluate_answers_and_reports_progress(editor: Editor) -> None:
    answer = await editor.ask(EVALUATE, {"level": "final", "workDoneToken": "own-token"})
    assert (answer.level, answer.decision.outcome) == ("final", "accept")
    assert steps(editor, "own-token") == [None, "judging change", "done"]


async def test_what_cannot_be_judged_is_an_error_with_a_reason(editor: Editor) -> None:
    error = await editor.refused(EVALUATE, {"level": "middle", "workDoneToken": "fails"})
    assert (error.code, error.message) == (-32001, "no base: fetch more history")
    assert steps(editor, "fails")[-1] == "failed"


async def test_history_and_doctor(editor: Editor) -> None:
    (entry,) = (await editor.ask("gateline/checkpoint/history", {})).entries
    assert (entry.timestamp, entry.score) == ("1970-01-01T00:00:00.000+00:00", 90.0)
    told = await editor.ask("gateline/doctor", None)
    assert told.health == "ok" and told.sections[0].facts[0].why == "HEAD"


async def test_the_current_evaluation_is_told_without_judging_again(editor: Editor) -> None:
    assert (await editor.ask("gateline/checkpoint/current", {})).evaluation is None
    uri = editor.open("current.py", "# TODO\n")
    await editor.shown(uri, "TODO left")
    told = (await editor.ask("gateline/checkpoint/current", {"uri": uri})).evaluation
    (finding,) = told.findings
    assert (finding.points, finding.severity, finding.path) == (10.0, "warning", "current.py")
    assert finding.page.endswith(f"/{finding.code}.md")
    editor.close(uri)
    await editor.shown(uri)


@pytest.mark.parametrize(
    ("method", "params", "told"),
    [
        (EVALUATE, {"scope": "galaxy"}, ("scope", "'galaxy'")),
        (EVALUATE, {"level": 3}, ("level", "3")),
        (EVALUATE, {"scop": "change"}, ("scop", "'change'")),
        (EVALUATE, {"scope": "buffer"}, ("uri",)),
        (EVALUATE, {"scope": "buffer", "uri": "file:///nowhere.py"}, ("uri", "'file:///nowhere.py'")),
        (EVALUATE, ["change"], ("params", "['change']")),
        ("gateline/checkpoint/history", {"uri": 7}, ("uri", "7")),
        ("gateline/doctor", {"jsonrpc": "2.0"}, ("jsonrpc", "'2.0'")),
        ("textDocument/hover", {"position": {}}, ("textDocument",)),
        ("textDocument/diagnostic", {"textDocument": 5}, ("textDocument",)),
        ("workspace/executeCommand", {"command": "gateline.paint"}, ("command", "'gateline.paint'")),
        ("workspace/executeCommand", {"command": "gateline.check", "arguments": ["x"]}, ("'x'",)),
    ],
)
async def test_params_that_do_not_fit_are_answered(
    editor: Editor, method: str, params: object, told: tuple
) -> None:
    # Sent as a foreign message, so that the client's own types do not object first.
    request = editor.client.protocol._request_futures
    from concurrent.futures import Future

    waiting: Future = Future()
    identity = f"misfit-{len(request)}-{id(waiting)}"
    request[identity] = waiting
    editor.client.protocol._send_data({"jsonrpc": "2.0", "id": identity, "method": method, "params": params})
    with pytest.raises(JsonRpcException) as caught:
        await asyncio.wait_for(asyncio.wrap_future(waiting), 30)
    assert caught.value.code == INVALID_PARAMS
    assert all(word in caught.value.message for word in told), caught.value.message
    await editor.barrier()


async def test_notifications_that_do_not_fit_are_dropped(editor: Editor) -> None:
    send = editor.client.protocol._send_data
    for method, params in (
        ("textDocument/didChange", {"textDocument": {"uri": "file:///x.py"}}),
        ("textDocument/didOpen", None),
        ("textDocument/didClose", {"textDocument": {"uri": 3}}),
        ("gateline/unheard", {"a": 1}),
        ("$/unheard", {}),
    ):
        send({"jsonrpc": "2.0", "method": method, "params": params})
    uri = editor.uri("never-opened.py")
    editor.edit(uri, 2, (None, "x"))
    editor.close(uri)
    await editor.barrier()
    assert editor.client.messages == []


async def test_cancelling_the_request_stops_the_work(editor: Editor) -> None:
    client = editor.client
    waiting = asyncio.wrap_future(client.protocol.send_request(EVALUATE, {"scope": "project"}, msg_id="e1"))
    await editor.heard("endless")
    client.cancel_request(lsp.CancelParams("e1"))
    assert await cancelled(waiting)
    await editor.heard("ended")


async def test_cancelling_the_progress_stops_the_work(editor: Editor) -> None:
    editor.told.clear()
    params = {"scope": "project", "workDoneToken": "stop-me"}
    waiting = asyncio.ensure_future(editor.ask(EVALUATE, params))
    await editor.heard("endless")
    editor.client.window_work_done_progress_cancel(lsp.WorkDoneProgressCancelParams("stop-me"))
    assert await cancelled(waiting)
    await editor.heard("ended")
    assert steps(editor, "stop-me")[-1] == "cancelled"


async def test_cancelling_a_command_stops_the_work(editor: Editor) -> None:
    editor.told.clear()
    command = lsp.ExecuteCommandParams("gateline.check", [{"scope": "project"}])
    send = editor.client.protocol.send_request
    waiting = asyncio.wrap_future(send("workspace/executeCommand", command, msg_id="c1"))
    await editor.heard("endless")
    editor.client.cancel_request(lsp.CancelParams("c1"))
    assert await cancelled(waiting)
    await editor.heard("ended")


async def test_the_check_command_makes_its_own_progress(editor: Editor) -> None:
    before = set(editor.client.progress_reports)
    answer = await editor.client.workspace_execute_command_async(lsp.ExecuteCommandParams("gateline.check"))
    assert answer["level"] == "final"
    (token,) = set(editor.client.progress_reports) - before
    assert steps(editor, token) == [None, "judging change", "done"]


async def test_restart_gives_the_new_session_the_open_documents(editor: Editor) -> None:
    editor.open("kept.py", "a\n")
    editor.edit(editor.uri("kept.py"), 2, ((0, 0, 0, 0), "# TODO "))
    await editor.heard("change", path="kept.py")
    editor.told.clear()
    await editor.client.workspace_execute_command_async(lsp.ExecuteCommandParams("gateline.restart"))
    await editor.heard("open", path="kept.py")
    assert [t.what for t in editor.told][:3] == ["stop", "open", "start"]
    editor.edit(editor.uri("kept.py"), 3, ((0, 0, 0, 0), "x"))
    assert (await editor.heard("change", path="kept.py")).text == "x# TODO a\n"
