"""What a person must see: red where a change is stopped, findings of closed files, the last score."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from editor import Editor, capable
from lsprotocol import types as lsp
from own_server import client as client
from type_project import Warm

from support.repositories import Repository

CART = '''"""A cart."""


def total(prices: list[int]) -> int:
    """Add up."""
    return sum(prices)
'''
SHELL = '''

def run(name: str) -> str:
    """Run it."""
    import subprocess

    subprocess.call(name, shell=True)
    return name
'''
HALF = "\n\ndef half(\n"
CANARY = 'from pathlib import Path\n\nPath(__file__).with_name("ran").touch()\n'
ERROR, WARNING = lsp.DiagnosticSeverity.Error, lsp.DiagnosticSeverity.Warning
Drawn = list[tuple[str, lsp.DiagnosticSeverity]]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, warm: Warm) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    root = tmp_path / "shop"
    root.mkdir()
    warm(root)
    shop = Repository(root)
    shop.git("init", "--quiet", "--initial-branch", "main")
    shop.commit(**{"cart.py": CART, "other.py": '"""Other."""\n', "conftest.py": CANARY})
    return root


async def started(editor: Editor, capabilities: lsp.ClientCapabilities | None = None) -> None:
    """Nothing differs from the base; a document is open in which nothing happens."""
    await editor.start(capabilities or capable("visual-studio-code"), options={"trusted": True})
    editor.open("other.py", '"""Other."""\n')
    await editor.until(lambda: editor.status and editor.status[-1].label == "GL –")


def drawn(editor: Editor, uri: str) -> Drawn:
    newest = {pushed.uri: pushed.diagnostics for pushed in editor.pushed}
    return sorted((str(d.code), d.severity) for d in newest.get(uri, ()) if d.severity)


async def pulled(editor: Editor) -> dict[str, Drawn]:
    report = await editor.client.workspace_diagnostic_async(lsp.WorkspaceDiagnosticParams([]))
    return {
        item.uri: sorted((str(d.code), d.severity) for d in item.items if d.severity)
        for item in report.items
        if isinstance(item, lsp.WorkspaceFullDocumentDiagnosticReport)
    }


def write(editor: Editor, path: str, text: str) -> str:
    """Another program writes a file."""
    (editor.root / path).write_text(text)
    editor.touched((path, lsp.FileChangeType.Changed))
    return editor.uri(path)


async def final(editor: Editor) -> Any:
    return await editor.ask("gateline/checkpoint/evaluate", {"level": "final"}, 120)


async def test_a_floor_is_red_at_final_and_only_there(editor: Editor) -> None:
    await started(editor)
    uri = editor.open("cart.py", CART)
    editor.edit(uri, 2, ((6, 0, 6, 0), SHELL))
    await editor.until(lambda: drawn(editor, uri) == [("GTL301", WARNING)])
    assert (await final(editor)).decision.outcome == "require-iteration"
    await editor.until(lambda: drawn(editor, uri) == [("GTL301", ERROR), ("GTL900", ERROR)])
    editor.edit(uri, 3, ((0, 0, 0, 0), "\n"))
    await editor.until(lambda: drawn(editor, uri) == [("GTL301", WARNING)])
    typed = [p for p in editor.pushed if p.uri == uri and p.version == 3]
    assert not any(d.severity is ERROR or d.code == "GTL900" for p in typed for d in p.diagnostics)


async def test_what_only_counts_is_never_red(editor: Editor) -> None:
    await started(editor)
    uri = editor.open("cart.py", CART)
    editor.edit(uri, 2, ((6, 0, 6, 0), '\n\nVALUE: int = "one"\n'))
    await editor.until(lambda: drawn(editor, uri) == [("GTL110", WARNING)])
    await final(editor)
    await editor.barrier()
    assert drawn(editor, uri) == [("GTL110", WARNING)]


@pytest.mark.deep
async def test_who_pulls_sees_the_same(editor: Editor) -> None:
    await started(editor, capable("neovim", pull=True, refresh=True))
    await pulled(editor)
    uri = write(editor, "cart.py", CART + SHELL)
    await editor.until(lambda: editor.refreshes)
    assert (await pulled(editor))[uri] == [("GTL301", WARNING)]
    before = editor.refreshes
    await final(editor)
    await editor.until(lambda: editor.refreshes > before)
    assert (await pulled(editor))[uri] == [("GTL301", ERROR), ("GTL900", ERROR)]
    before = editor.refreshes
    write(editor, "cart.py", CART)
    await editor.until(lambda: editor.refreshes > before)
    assert (await pulled(editor))[uri] == []


async def test_findings_of_a_file_that_is_not_open_are_drawn_until_they_are_gone(editor: Editor) -> None:
    await started(editor)
    wrong = SHELL.replace("-> str", "-> int")
    uri = write(editor, "cart.py", CART + wrong)
    both = [("GTL110", WARNING), ("GTL301", WARNING)]
    await editor.until(lambda: drawn(editor, uri) == both)
    before = len(editor.pushed)
    editor.open("cart.py", CART + wrong)
    await editor.until(lambda: any(p.uri == uri and p.version == 1 for p in editor.pushed[before:]))
    await editor.barrier()
    said = [sorted(str(d.code) for d in p.diagnostics) for p in editor.pushed[before:] if p.uri == uri]
    assert said == [["GTL110", "GTL301"]] * len(said), "each once, and none goes away and comes back"
    editor.close(uri)
    await editor.until(lambda: drawn(editor, uri) == both)
    write(editor, "cart.py", CART)
    await editor.until(lambda: drawn(editor, uri) == [])
    assert not (editor.root / "ran").exists()


@pytest.mark.deep
async def test_a_file_that_was_away_for_a_moment_is_drawn_as_before(editor: Editor) -> None:
    await started(editor)
    uri = write(editor, "new.py", CART + SHELL)
    await editor.until(lambda: drawn(editor, uri) == [("GTL301", WARNING)])
    (editor.root / "new.py").unlink()
    editor.touched(("new.py", lsp.FileChangeType.Deleted))
    await editor.until(lambda: drawn(editor, uri) == [])
    write(editor, "new.py", CART + SHELL)
    await editor.until(lambda: drawn(editor, uri) == [("GTL301", WARNING)])


@pytest.mark.deep
async def test_a_secret_in_a_file_that_is_no_python_is_drawn(editor: Editor) -> None:
    await started(editor)
    uri = write(editor, ".env", "TOKEN=ghp_16C7e42F292c6912E7710c838347Ae178B4a\n")
    await editor.until(lambda: drawn(editor, uri) == [("GTL310", WARNING)])
    (editor.root / ".env").unlink()
    editor.touched((".env", lsp.FileChangeType.Deleted))
    await editor.until(lambda: drawn(editor, uri) == [])


@pytest.mark.deep
async def test_old_findings_of_a_closed_file_are_not_drawn(editor: Editor, root: Path) -> None:
    Repository(root).commit(**{"cart.py": CART + SHELL})
    await started(editor)
    uri = write(editor, "cart.py", CART + SHELL + '\n\nVALUE: int = "one"\n')
    await editor.until(lambda: drawn(editor, uri) == [("GTL110", WARNING)])


@pytest.mark.deep
async def test_a_restart_takes_back_what_was_drawn_of_closed_files(editor: Editor) -> None:
    await started(editor)
    uri = write(editor, "cart.py", CART + SHELL)
    await editor.until(lambda: drawn(editor, uri))
    (editor.root / "cart.py").write_text(CART)  # nobody tells of it
    await editor.client.workspace_execute_command_async(lsp.ExecuteCommandParams("gateline.restart"))
    await editor.until(lambda: drawn(editor, uri) == [])


@pytest.mark.parametrize("asked", [False, pytest.param(True, marks=pytest.mark.deep)], ids=["typed", "asked"])
async def test_a_half_typed_line_has_one_squiggle(editor: Editor, asked: bool) -> None:
    await started(editor)
    uri = editor.open("cart.py", CART)
    editor.edit(uri, 2, ((6, 0, 6, 0), HALF))
    await editor.until(lambda: editor.status[-1].decision == "fast-fail")
    if asked:
        await editor.ask("gateline/checkpoint/evaluate", {"level": "early"})
        await editor.until(lambda: "GTL900" in dict(drawn(editor, uri)))
    newest = [p.diagnostics for p in editor.pushed if p.uri == uri][-1]
    assert [d.code for d in newest].count("GTL101") == 1
    assert len({str(d.range) for d in newest}) == len(newest)
    assert asked or "GTL900" not in dict(drawn(editor, uri))


async def test_types_of_a_line_that_is_typed_on_are_not_told_of_the_next_text(editor: Editor) -> None:
    await started(editor)
    wrong = CART + '\n\nVALUE: int = "one"\nde\n'
    uri = editor.open("cart.py", wrong)
    both = [("GTL110", WARNING), ("GTL110", WARNING)]
    await editor.until(lambda: drawn(editor, uri) == both)
    line = wrong.count("\n") - 1
    editor.edit(uri, 2, ((line, 2, line, 2), "f more("))
    await editor.until(lambda: "GTL101" in dict(drawn(editor, uri)))
    half = [p for p in editor.pushed if p.uri == uri and p.version == 2]
    told = [str(d.message) for p in half for d in p.diagnostics]
    assert not [message for message in told if '"de"' in message]
    assert [message for message in told if "Incompatible types" in message], "its line is as it was"
    editor.edit(uri, 3, ((line, 2, line, 9), ""))
    await editor.until(lambda: drawn(editor, uri) == both)


async def test_no_verdict_of_a_broken_text_is_told_of_one_that_parses(editor: Editor) -> None:
    await started(editor)
    uri = editor.open("cart.py", CART)
    good = set()
    for version in range(2, 60):
        is_broken = version % 2
        text = CART + (HALF if is_broken else f"\n\nVALUE = {version}\n")
        editor.edit(uri, version, (None, text))
        if not is_broken:
            good.add(version)
        await asyncio.sleep(0.05)
    editor.edit(uri, 60, (None, CART + "\n\nVALUE = 60\n"))
    await editor.until(lambda: editor.status[-1].decision == "continue" and not editor.status[-1].working)
    told = [(p.version, d.code) for p in editor.pushed if p.uri == uri for d in p.diagnostics]
    assert not [row for row in told if row[0] in good and row[1] in ("GTL101", "GTL900")]


async def test_the_score_stays_while_work_is_under_way(editor: Editor) -> None:
    await started(editor)
    uri = editor.open("cart.py", CART)
    editor.edit(uri, 2, ((6, 0, 6, 0), '\n\nVALUE: int = "one"\n'))
    await editor.until(lambda: editor.status[-1].score == 90 and not editor.status[-1].working)
    before = len(editor.status)
    editor.edit(uri, 3, ((8, 0, 9, 0), "VALUE: int = 1\n"))
    await editor.until(lambda: editor.status[-1].score == 100 and not editor.status[-1].working)
    await final(editor)
    since = editor.status[before:]
    assert all(status.score is not None and status.evidence > 0 for status in since)
    working = [status.label for status in since if status.working]
    assert working[0] == "GL 90 …" and working[-1] == "GL 100 …"


async def test_a_final_verdict_stays_when_what_it_found_is_looked_at(editor: Editor) -> None:
    await started(editor)
    uri = write(editor, "cart.py", CART + SHELL)
    await editor.until(lambda: drawn(editor, uri) == [("GTL301", WARNING)])
    assert (await final(editor)).decision.outcome == "require-iteration"
    red = [("GTL301", ERROR), ("GTL900", ERROR)]
    await editor.until(lambda: drawn(editor, uri) == red)
    before = len(editor.status)
    editor.open("cart.py", CART + SHELL)
    await editor.until(lambda: any(p.uri == uri and p.version == 1 for p in editor.pushed))
    saved = lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(uri))
    editor.client.text_document_did_save(saved)
    editor.touched(("cart.py", lsp.FileChangeType.Changed))
    await asyncio.sleep(3)
    await editor.until(lambda: drawn(editor, uri) == red)
    assert all(status.checkpoint == "final" for status in editor.status[before:])
    editor.edit(uri, 2, ((0, 0, 0, 0), "\n"))
    await editor.until(lambda: drawn(editor, uri) == [("GTL301", WARNING)])
    await editor.until(lambda: editor.status[-1].checkpoint == "early" and not editor.status[-1].working)


@pytest.mark.deep
async def test_a_final_verdict_goes_when_another_program_writes(editor: Editor) -> None:
    await started(editor)
    uri = write(editor, "cart.py", CART + SHELL)
    await editor.until(lambda: drawn(editor, uri) == [("GTL301", WARNING)])
    await final(editor)
    await editor.until(lambda: ("GTL900", ERROR) in drawn(editor, uri))
    write(editor, "cart.py", CART)
    await editor.until(lambda: drawn(editor, uri) == [] and editor.status[-1].label == "GL –")
