"""A client that takes pushes, with a scripted session behind the real server process."""

from __future__ import annotations

from pathlib import Path

import pytest
import pytest_lsp
from editor import SCRIPTED, Editor, capable, config
from lsprotocol import types as lsp
from pytest_lsp import LanguageClient

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("project")


@pytest_lsp.fixture(scope="module", config=config(*SCRIPTED))
async def client(lsp_client: LanguageClient, root: Path):
    lsp_client.editor = Editor(lsp_client, root)
    lsp_client.answer = await lsp_client.editor.start(capable("visual-studio-code"))
    yield
    await lsp_client.shutdown_session()


async def test_push_is_offered_and_pull_is_not(client: LanguageClient) -> None:
    offered = client.answer.capabilities
    assert offered.diagnostic_provider is None
    assert offered.text_document_sync.change == lsp.TextDocumentSyncKind.Incremental
    assert offered.text_document_sync.open_close and offered.hover_provider
    commands = ("check", "restart", "tests.allow", "tests.never", "tests.forget", "debugTest", "restore")
    assert offered.execute_command_provider.commands == tuple(f"gateline.{name}" for name in commands)


async def test_findings_follow_the_typing(editor: Editor) -> None:
    uri = editor.open("follow.py", "x = 1  # TODO\n")
    (one,) = await editor.shown(uri, "TODO left", version=1)
    assert one.range == lsp.Range(lsp.Position(0, 9), lsp.Position(0, 13))
    editor.edit(uri, 2, ((0, 0, 0, 0), "\n"))
    (one,) = await editor.shown(uri, "TODO left", version=2)
    assert one.range.start.line == 1
    editor.edit(uri, 3, ((1, 0, 2, 0), ""))
    assert await editor.shown(uri, version=3) == []


async def test_a_diagnostic_says_everything(editor: Editor) -> None:
    uri = editor.open("whole.py", "# LATER\n")
    (one,) = await editor.shown(uri, "LATER left")
    assert (one.source, one.code, one.severity) == ("gateline", "GTL110", lsp.DiagnosticSeverity.Warning)
    assert one.code_description.href.endswith("/docs/codes/GTL110.md")
    assert one.tags == (lsp.DiagnosticTag.Deprecated,)
    (related,) = one.related_information
    assert (related.location.uri, related.message) == (uri, "the start")
    data = one.data if isinstance(one.data, dict) else one.data._asdict()
    assert data["identity"] == "0123456789ab" and data["provisional"] is True
    assert data["origin"] == "mypy: deprecated"


async def test_several_changes_in_one_message_each_see_the_text_before_them(editor: Editor) -> None:
    uri = editor.open("several.py", "a\nb\n")
    editor.edit(uri, 2, ((0, 0, 0, 1), "\U0001d4d0x"), ((0, 2, 0, 3), "y"), ((2, 0, 2, 0), "end"))
    assert (await editor.heard("change", path="several.py")).text == "\U0001d4d0y\nb\nend"
    editor.edit(uri, 3, (None, "new"), ((0, 0, 0, 3), "newer"))
    assert (await editor.heard("change", path="several.py", text="newer")).text == "newer"


async def test_a_version_that_is_gone_is_never_shown(editor: Editor) -> None:
    uri = editor.open("burst.py", "# LATER\n")
    for version in range(2, 30):
        editor.edit(uri, version, ((0, 0, 0, 0), "#"))
    editor.edit(uri, 30, (None, "# TODO\n"))
    await editor.shown(uri, "TODO left", version=30)
    await editor.barrier()
    versions = [p.version for p in editor.pushed if p.uri == uri]
    assert versions == sorted(versions)
    assert not any(d.message == "LATER left" for p in editor.pushed if p.version == 30 for d in p.diagnostics)


async def test_what_did_not_change_is_not_sent_again(editor: Editor) -> None:
    uri = editor.open("quiet.py", "x = 1\n")
    editor.edit(uri, 2, ((0, 0, 0, 0), "y"))
    await editor.heard("change", path="quiet.py")
    await editor.barrier()
    assert not [p for p in editor.pushed if p.uri == uri]


async def test_closing_takes_the_findings_back(editor: Editor) -> None:
    uri = editor.open("closed.py", "# TODO LATER\n")
    editor.close(uri)
    await editor.shown(uri)
    await editor.barrier()
    assert await editor.shown(uri) == []
    assert (await editor.heard("close", path="closed.py")).root == editor.root.name


@pytest.mark.parametrize(
    ("name", "language"),
    [("vscode-notebook-cell:/x.ipynb#W0", "python"), ("git:/x.py", "python"), ("readme.md", "markdown")],
)
async def test_what_is_not_ours_is_ignored_quietly(editor: Editor, name: str, language: str) -> None:
    uri = editor.open(name, "# TODO\n", language=language)
    editor.edit(uri, 2, (None, "# TODO TODO\n"))
    report = await editor.client.text_document_diagnostic_async(
        lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(uri))
    )
    assert list(report.items) == []
    editor.close(uri)
    await editor.barrier()
    assert not [p for p in editor.pushed if p.uri == uri] and not editor.client.messages


async def test_an_untitled_document_is_analysed_under_its_uri(editor: Editor) -> None:
    uri = editor.open("untitled:Untitled-1", "# TODO\n")
    await editor.shown(uri, "TODO left")
    await editor.heard("open", path=uri)
    answer = await editor.ask("gateline/checkpoint/evaluate", {"scope": "buffer", "uri": uri})
    assert (answer.level, answer.scope, answer.decision, answer.score.value) == (
        "early",
        "buffer",
        None,
        None,
    )
    editor.close(uri)
    await editor.shown(uri)


async def test_a_document_outside_every_folder_goes_to_its_project(editor: Editor, tmp_path: Path) -> None:
    (tmp_path / "other" / "src").mkdir(parents=True)
    (tmp_path / "other" / "pyproject.toml").touch()
    file = tmp_path / "other" / "src" / "far.py"
    uri = editor.open(file.as_uri(), "# TODO\n")
    await editor.shown(uri, "TODO left")
    assert (await editor.heard("open", path="src/far.py")).root == "other"
    editor.close(uri)
    await editor.heard("stop", root="other")


async def test_a_document_of_no_project_goes_by_its_uri(editor: Editor, tmp_path: Path) -> None:
    uri = editor.open((tmp_path / "alone.py").as_uri(), "# TODO\n")
    await editor.shown(uri, "TODO left")
    assert (await editor.heard("open", path=uri)).root == editor.root.name


async def test_hover_on_a_finding_and_on_a_changed_function(editor: Editor) -> None:
    uri = editor.open("hover.py", "def f(): ...\nx = 1  # TODO\n")
    document = lsp.TextDocumentIdentifier(uri)
    finding = await editor.client.text_document_hover_async(lsp.HoverParams(document, lsp.Position(1, 10)))
    assert "GTL101" in finding.contents.value and "TODO left" in finding.contents.value
    assert "wins 10 points" in finding.contents.value and "docs/codes/GTL101.md" in finding.contents.value
    assert finding.range == lsp.Range(lsp.Position(1, 9), lsp.Position(1, 13))
    change = await editor.client.text_document_hover_async(lsp.HoverParams(document, lsp.Position(0, 5)))
    assert "complexity 3 → 7" in change.contents.value
    nothing = lsp.HoverParams(document, lsp.Position(1, 0))
    assert await editor.client.text_document_hover_async(nothing) is None


async def test_files_written_by_others_reach_their_session(editor: Editor) -> None:
    await editor.until(lambda: editor.registered)
    changed, deleted = lsp.FileChangeType.Changed, lsp.FileChangeType.Deleted
    editor.touched(("a.py", changed), ("sub/b.py", deleted), (".git/HEAD", changed))
    told = await editor.heard("files")
    assert told.paths == [".git/HEAD", "a.py", "sub/b.py"]
    (files,) = [r for r in editor.registered if r.method == "workspace/didChangeWatchedFiles"]
    assert files.id == "gateline.files"


async def test_save_is_passed_on(editor: Editor) -> None:
    uri = editor.open("saved.py", "")
    editor.client.text_document_did_save(lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(uri)))
    await editor.heard("save", path="saved.py")


async def test_status_is_told_once(editor: Editor) -> None:
    editor.open("status.py", "")
    await editor.until(lambda: editor.status)
    await editor.barrier()
    (told,) = [s for s in editor.status if s.folder == editor.root.as_uri()]
    assert (told.label, told.score, told.decision, told.checkpoint) == ("GL 90 ▲2", 90, "continue", "early")
    assert (told.states[0].state, told.states[0].reason) == ("no data", "not yet measured")


async def test_a_thousand_open_documents(editor: Editor) -> None:
    uris = [editor.open(f"many/m{n}.py", "# TODO\n") for n in range(1_000)]
    await editor.shown(uris[-1], "TODO left")
    for uri in uris:
        editor.close(uri)
    await editor.shown(uris[-1])
    await editor.barrier()
    left = {p.uri: p.diagnostics for p in editor.pushed if "/many/" in p.uri}
    assert len(left) == 1_000 and not any(left.values())


async def test_nothing_popped_up(editor: Editor) -> None:
    await editor.barrier()
    assert editor.client.messages == []
