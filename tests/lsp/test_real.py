"""The whole server: a real process, real sessions and tools, a real repository."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest
from editor import Editor
from lsprotocol import types as lsp
from real_project import committed
from type_project import Warm

pytestmark = pytest.mark.asyncio(loop_scope="module")

CART = '''"""A cart."""


def total(prices: list[int]) -> int:
    """The sum."""
    return sum(prices)
'''
PROJECT = '[project]\nname = "shop"\nversion = "1"\n'
BRANCHES = "".join(f"    if prices == [{n}]:\n        return {n}\n" for n in range(4))


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, warm: Warm) -> Path:
    """A committed project of two modules."""
    root = tmp_path_factory.mktemp("shop")
    warm(root)
    other = '"""Uses the cart."""\n\nfrom cart import total\n\nSUM = total([1])\n'
    committed(root, {"cart.py": CART, "other.py": other, "pyproject.toml": PROJECT})
    return root


def codes(editor: Editor, uri: str) -> list[str | int | None] | None:
    """The codes shown in a document above hint; None before anything is."""
    newest = [p for p in editor.pushed if p.uri == uri][-1:]
    loud = [d for p in newest for d in p.diagnostics if d.severity != lsp.DiagnosticSeverity.Hint]
    return [d.code for d in loud] if newest else None


async def test_what_the_base_has_is_never_louder_than_a_hint(editor: Editor) -> None:
    uri = editor.open("cart.py", CART)
    report = await editor.client.text_document_diagnostic_async(
        lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(uri))
    )
    assert all(d.severity == lsp.DiagnosticSeverity.Hint for d in report.items)
    assert not codes(editor, uri)


async def test_a_syntax_error_comes_and_goes(editor: Editor) -> None:
    uri = editor.uri("cart.py")
    editor.edit(uri, 2, ((0, 0, 0, 0), "def (\n"))
    await editor.until(lambda: "GTL101" in (codes(editor, uri) or ()))
    editor.edit(uri, 3, ((0, 0, 1, 0), ""))
    await editor.until(lambda: "GTL101" not in (codes(editor, uri) or ()))


async def test_a_type_error_in_an_unsaved_buffer_comes_and_goes(editor: Editor) -> None:
    uri = editor.uri("cart.py")
    editor.edit(uri, 4, ((5, 4, 5, 22), "return 'much'"))
    await editor.until(lambda: "GTL110" in (codes(editor, uri) or ()))
    newest = [p for p in editor.pushed if p.uri == uri][-1]
    (found,) = [d for d in newest.diagnostics if d.code == "GTL110"]
    assert (found.range.start.line, found.source) == (5, "gateline")
    editor.edit(uri, 5, ((5, 4, 5, 17), "return sum(prices)"))
    await editor.until(lambda: "GTL110" not in (codes(editor, uri) or ()))


async def test_hover_tells_a_changed_functions_complexity(editor: Editor) -> None:
    uri = editor.uri("cart.py")
    editor.edit(uri, 6, ((5, 0, 5, 0), BRANCHES))
    answer = await editor.ask("gateline/checkpoint/evaluate", {"level": "final"})
    assert [f.symbol for f in answer.functions] == ["total"]
    told = await editor.client.text_document_hover_async(
        lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(3, 5))
    )
    assert "complexity 1 → 5" in told.contents.value
    editor.edit(uri, 7, (None, CART))


async def test_a_check_is_a_decision_with_evidence(editor: Editor) -> None:
    uri = editor.uri("cart.py")
    editor.edit(uri, 8, ((5, 4, 5, 22), "return str(sum(prices))"))
    answer = await editor.client.workspace_execute_command_async(lsp.ExecuteCommandParams("gateline.check"))
    assert answer["level"] == "final" and answer["progress"] == "said"
    assert [f["code"] for f in answer["findings"] if f["novelty"] == "new"] == ["GTL110"]
    history = await editor.ask("gateline/checkpoint/history", {})
    assert history.entries[-1].level == "final"
    editor.edit(uri, 9, (None, CART))


async def test_a_buffer_alone_can_be_judged(editor: Editor) -> None:
    uri = editor.open("untitled:Untitled-1", "x = = 1\n")
    await editor.until(lambda: "GTL101" in (codes(editor, uri) or ()))
    editor.close(uri)
    await editor.shown(uri)


@pytest.mark.parametrize("text", ["", "\0", "\f\n", "def f(:\n" * 200, "\u2028x\r\ry"])
async def test_any_text_is_survived(editor: Editor, text: str) -> None:
    uri = editor.open("odd.py", text)
    params = lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(uri))
    await editor.client.text_document_diagnostic_async(params)
    editor.close(uri)
    await editor.shown(uri) if [p for p in editor.pushed if p.uri == uri] else None


async def test_a_document_closed_while_it_is_analysed_shows_nothing(editor: Editor) -> None:
    """Whichever of its analyses is under way: none of their answers is shown afterwards."""
    other = editor.uri("cart.py")
    for number, waits_for in enumerate((None, "GTL101", None)):
        uri = editor.open("brief.py", "x: int = 'a'\ny = (\n" if waits_for else "x: int = 'a'\n")
        if waits_for:
            await editor.until(lambda code=waits_for, uri=uri: code in (codes(editor, uri) or ()))
        editor.close(uri)
        # What is asked later is answered later: by then the closed document's answers have come.
        editor.edit(other, 100 + 2 * number, ((0, 0, 0, 0), "z: int = 'a'\n"))
        await editor.until(lambda: "GTL110" in (codes(editor, other) or ()))
        editor.edit(other, 101 + 2 * number, (None, CART))
        await editor.until(lambda: "GTL110" not in (codes(editor, other) or ()))
        newest = [p for p in editor.pushed if p.uri == uri][-1:]
        assert not [d for p in newest for d in p.diagnostics]


async def test_an_edit_by_another_program_is_seen(editor: Editor, root: Path) -> None:
    uri = editor.open("other.py", (root / "other.py").read_text())
    (root / "added.py").write_text("import subprocess\n\nsubprocess.call('ls', shell=True)\n")
    editor.touched(("added.py", lsp.FileChangeType.Created))
    answer = await editor.ask("gateline/checkpoint/evaluate", {"level": "final"})
    assert "added.py" in [f.path for f in answer.files]
    (root / "added.py").unlink()
    editor.touched(("added.py", lsp.FileChangeType.Deleted))
    answer = await editor.ask("gateline/checkpoint/evaluate", {"level": "final"})
    assert "added.py" not in [f.path for f in answer.files]
    editor.close(uri)


async def test_doctor_knows_the_folder(editor: Editor, root: Path) -> None:
    told = await editor.ask("gateline/doctor", {"uri": root.as_uri()})
    facts = {fact.name: fact.value for section in told.sections for fact in section.facts}
    assert facts["root"] == str(root)


async def test_the_server_process_stays_small(editor: Editor) -> None:
    process = psutil.Process(editor.client._server.pid)
    # Of its own: how much of the libraries' files is in memory is the machine's affair.
    assert process.memory_full_info().uss < 65e6
    # Analysis and type checking happen elsewhere.
    assert process.children()


async def test_nothing_popped_up(editor: Editor) -> None:
    await editor.barrier()
    assert editor.client.messages == []
