"""A failing test is debugged from the editor: a real server runs the tests, finds a repair, and offers it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from editor import Editor, capable
from lsprotocol import types as lsp
from own_server import client as client
from pytest_lsp import LanguageClient
from real_project import WITHOUT_DOCS, committed

pytestmark = pytest.mark.deep

LABEL = '''"""Labels."""


def label(count):
    """For people."""
    return "items: " + str(count)
'''
WRONG = LABEL.replace("str(count)", "count")
HOPELESS = LABEL.replace('"items: "', '"things: "')
TESTS = '''"""Tests."""

from label import label


def test_label():
    assert label(3) == "items: 3"
'''


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    root = tmp_path / "shop"
    root.mkdir()
    committed(root, {"label.py": LABEL, "test_label.py": TESTS, "gateline.toml": WITHOUT_DOCS})
    return root


class Applied:
    """Takes the edits that the server wants to be applied, and says that they were."""

    def __init__(self, client: LanguageClient) -> None:
        self.edits: list[lsp.ApplyWorkspaceEditParams] = []

        @client.feature(lsp.WORKSPACE_APPLY_EDIT)
        def apply(params: lsp.ApplyWorkspaceEditParams) -> lsp.ApplyWorkspaceEditResult:
            self.edits.append(params)
            return lsp.ApplyWorkspaceEditResult(applied=True)


async def failing(editor: Editor, text: str) -> str:
    """The open document at which a test is known to fail, after `label.py` got this text."""
    await editor.start(capable("visual-studio-code"), options={"trusted": True})
    uri = editor.open("label.py", LABEL)
    editor.edit(uri, 2, (None, text))
    await run(editor, "gateline.tests.allow")
    test = editor.open("test_label.py", TESTS)
    where = uri if text == WRONG else test
    await editor.until(lambda: [d for d in shown(editor, where) if d.code == "GTL201"])
    return where


def shown(editor: Editor, uri: str) -> list[lsp.Diagnostic]:
    newest = [pushed for pushed in editor.pushed if pushed.uri == uri][-1:]
    return [diagnostic for pushed in newest for diagnostic in pushed.diagnostics]


async def run(editor: Editor, command: str, **given: object) -> Any:
    params = lsp.ExecuteCommandParams(command, arguments=[given] if given else [])
    return await editor.client.workspace_execute_command_async(params)


async def test_a_failing_test_is_repaired_when_it_is_asked_for(client: LanguageClient) -> None:
    editor: Editor = client.editor
    applied = Applied(client)
    uri = await failing(editor, WRONG)
    answer = await run(editor, "gateline.debugTest", uri=uri, line=5)
    (asked,) = applied.edits
    assert (answer["applied"], answer["title"], asked.label) == (
        True,
        asked.label,
        "Write str(count) (verified, fixes the test)",
    )
    (change,) = asked.edit.document_changes
    assert (change.text_document.uri, change.text_document.version) == (uri, 2)
    assert [edit.new_text for edit in change.edits] == ["str(count)"]
    assert (editor.root / "label.py").read_text() == LABEL, "nothing was written"


async def test_what_cannot_be_repaired_is_told_and_left_alone(client: LanguageClient) -> None:
    editor: Editor = client.editor
    applied = Applied(client)
    await failing(editor, HOPELESS)
    answer = await run(editor, "gateline.debugTest")
    assert (answer["applied"], applied.edits) == (False, [])
    assert any("What to look at next" in message.message for message in client.log_messages)


async def test_a_type_error_is_repaired_with_the_tests_as_judges(client: LanguageClient) -> None:
    editor: Editor = client.editor
    typed = WRONG.replace("label(count)", "label(count: int) -> str")
    uri = await failing(editor, WRONG)
    editor.edit(uri, 3, (None, typed))
    await editor.until(lambda: [d for d in shown(editor, uri) if d.code == "GTL110"])
    place = lsp.Position(5, 0)
    asked = lsp.CodeActionParams(
        lsp.TextDocumentIdentifier(uri), lsp.Range(place, place), lsp.CodeActionContext([])
    )
    titles: list[str] = []
    while not any(title.endswith("(verified, fixes the test)") for title in titles):
        titles = [action.title for action in await editor.ask(lsp.TEXT_DOCUMENT_CODE_ACTION, asked)]
        assert titles, "something is offered, or looked for"
    assert "Write str(count) (verified, fixes the test)" in titles


SECOND = '''

def price(amount):
    """For people."""
    return "EUR " + str(amount)
'''
OF_SECOND = """

def test_price():
    from label import price

    assert price(3) == "EUR 3"
"""
REPORT = """\
____ test_label ____
test_label.py:7: in test_label
    assert label(3) == "items: 3"
label.py:2: in label
    return "items: " + count
E   TypeError: can only concatenate str (not "int") to str
____ test_price ____
test_label.py:13: in test_price
    assert price(3) == "EUR 3"
label.py:7: in price
    return "EUR " + amount
E   TypeError: can only concatenate str (not "int") to str
==== short test summary info ====
FAILED test_label.py::test_label - TypeError: can only concatenate str (not "int") to str
FAILED test_label.py::test_price - TypeError: can only concatenate str (not "int") to str
==== 2 failed in 0.01s ====
"""
"""Of an older text: its lines have moved since."""


async def test_all_errors_of_an_output_are_repaired_as_the_tests_raise_them_here(
    client: LanguageClient,
) -> None:
    editor: Editor = client.editor
    (editor.root / "test_label.py").write_text(TESTS + OF_SECOND)
    await failing(editor, WRONG)
    uri = editor.uri("label.py")
    wrong = WRONG + SECOND.replace("str(amount)", "amount")
    editor.edit(uri, 3, (None, wrong))
    editor.edit(editor.uri("test_label.py"), 2, (None, TESTS + OF_SECOND))
    answer = await editor.ask("gateline/autodebug", {"traceback": REPORT})
    assert (answer.success, answer.proof) == (True, "V3")
    assert [(t.path, t.version, t.text) for t in answer.texts] == [("label.py", 3, LABEL + SECOND)]


async def test_what_passes_here_needs_no_repair(client: LanguageClient) -> None:
    editor: Editor = client.editor
    await failing(editor, WRONG)
    editor.edit(editor.uri("label.py"), 3, (None, LABEL))
    report = "".join(line for line in REPORT.splitlines(True) if "price" not in line)
    refused = await editor.refused("gateline/autodebug", {"traceback": report})
    assert refused.message == "test_label.py::test_label passes: nothing to repair"


@pytest.mark.parametrize(("path", "proof"), [("label.py", "V3"), ("other.py", "V1")])
async def test_of_a_text_that_kept_tests_from_being_collected_they_verify_the_repair(
    client: LanguageClient, path: str, proof: str
) -> None:
    """What could not be collected is chosen by no selection; no test needs the other text."""
    editor: Editor = client.editor
    (editor.root / "other.py").write_text(LABEL)
    await editor.start(capable("visual-studio-code"), options={"trusted": True})
    uri = editor.open(path, LABEL.replace("label(count):", "label(count)"))
    test = editor.open("test_label.py", TESTS)
    await run(editor, "gateline.tests.allow")
    await editor.until(lambda: [d for d in shown(editor, uri) if d.code == "GTL101"])
    if path == "label.py":
        await editor.until(lambda: [d for d in shown(editor, test) if str(d.code).startswith("GTL2")])
    answer = await editor.ask("gateline/autodebug", {"uri": uri})
    assert (answer.success, answer.proof) == (True, proof)
    assert [text.text for text in answer.texts] == [LABEL]
