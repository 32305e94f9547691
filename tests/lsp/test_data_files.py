"""A change of data alone, at an editor's door: tests run, and an old run is not taken for one of now."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from editor import Editor, capable
from lsprotocol import types as lsp
from own_server import client as client

from support.repositories import Repository

pytestmark = pytest.mark.deep

CART = '''"""A cart."""

import json
from pathlib import Path


def total() -> int:
    """The sum of all prices."""
    return sum(json.loads(Path(__file__).with_name("prices.json").read_text()))
'''
TESTS = '''"""Tests of the cart."""

from cart import total


def test_total() -> None:
    """Sums."""
    assert total() == 3
'''


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    root = tmp_path / "shop"
    root.mkdir()
    shop = Repository(root)
    shop.git("init", "--quiet", "--initial-branch", "main")
    shop.write("prices.json", "[1, 2]\n")
    shop.write(".gitignore", "*.log\n")
    shop.commit(**{"cart.py": CART, "test_cart.py": TESTS})
    return root


async def started(editor: Editor, answer: str = "Run tests") -> None:
    """A workspace in which nothing differs from the base, and somebody who answers."""

    async def ask(params: lsp.ShowMessageRequestParams) -> Any:
        return lsp.MessageActionItem(answer)

    editor.client.feature(lsp.WINDOW_SHOW_MESSAGE_REQUEST)(ask)
    await editor.start(capable("visual-studio-code"), options={"trusted": True})
    editor.open("cart.py", CART)
    await editor.until(lambda: editor.status and editor.status[-1].label == "GL –")


def write(editor: Editor, path: str, text: str, *, saved: bool = True) -> None:
    """A file that no session holds is written: by the editor, or by another program."""
    (editor.root / path).write_text(text)
    if saved:
        document = lsp.TextDocumentIdentifier(editor.uri(path))
        editor.client.text_document_did_save(lsp.DidSaveTextDocumentParams(document))


def failing(editor: Editor) -> list[str]:
    newest = {pushed.uri: pushed.diagnostics for pushed in editor.pushed}
    return [d.message for found in newest.values() for d in found if d.code == "GTL201"]


async def test_a_saved_data_file_has_its_tests_run(editor: Editor) -> None:
    await started(editor)
    saves = await editor.until(
        lambda: [r for r in editor.registered if r.method == lsp.TEXT_DOCUMENT_DID_SAVE]
    )
    assert len(saves) == 1
    write(editor, "prices.json", "[1, 3]\n")
    await editor.until(lambda: failing(editor) and editor.status[-1].floors)
    assert editor.status[-1].tests.state == "measured"
    write(editor, "prices.json", "[2, 1]\n")
    await editor.until(lambda: not failing(editor) and editor.status[-1].changed)
    await editor.until(lambda: editor.status[-1].tests and editor.status[-1].tests.state == "measured")
    assert not editor.status[-1].floors
    write(editor, "prices.json", "[1, 2]\n")
    await editor.until(lambda: editor.status[-1].label == "GL –")


async def test_one_that_another_program_wrote_is_seen_by_who_asks(editor: Editor) -> None:
    await started(editor)
    write(editor, "prices.json", "[2, 1]\n")
    await editor.until(lambda: editor.status[-1].changed and editor.status[-1].tests.state == "measured")
    write(editor, "prices.json", "[1, 3]\n", saved=False)
    verdict = await editor.ask("gateline/checkpoint/evaluate", {"level": "final"})
    assert (verdict.decision.outcome, verdict.tests.failing) == ("require-iteration", 1)
    write(editor, "prices.json", "[3, 0]\n", saved=False)
    ran = await editor.ask("gateline/tests/run", {"uri": editor.uri("cart.py"), "which": "affected"})
    assert (ran.total, ran.failing) == (1, 0)


async def test_a_run_is_out_of_date_when_data_changed_and_not_when_nothing_did(editor: Editor) -> None:
    await started(editor)
    write(editor, "prices.json", "[2, 1]\n")
    await editor.until(lambda: editor.status[-1].changed and editor.status[-1].tests.state == "measured")
    write(editor, "server.log", "x\n", saved=False)
    editor.touched(("server.log", lsp.FileChangeType.Created))
    verdict = await editor.ask("gateline/checkpoint/evaluate", {"level": "middle"})
    assert verdict.tests.state == "measured"
    write(editor, "prices.json", "[1, 3]\n", saved=False)
    editor.touched(("prices.json", lsp.FileChangeType.Changed))
    said = await editor.until(lambda: [s for s in editor.status if s.tests and s.tests.state == "stale"])
    assert said[-1].tests.reason == "files changed since tests ran"


async def test_nobody_agreed_so_nothing_is_decided_and_nothing_ran(editor: Editor) -> None:
    await started(editor, "Not now")
    write(editor, "prices.json", "[1, 3]\n")
    await editor.until(lambda: editor.status[-1].changed)
    verdict = await editor.ask("gateline/checkpoint/evaluate", {"level": "final"})
    assert verdict.decision.outcome == "undecided"
    assert verdict.tests.reason == "consent to run tests here was not given yet"
    assert "in the editor" in verdict.tests.nextStep
    said = await editor.until(lambda: [s for s in editor.status if s.decision == "undecided"])
    assert (said[-1].label, said[-1].tests.nextStep) == ("GL ?", verdict.tests.nextStep)
    assert any("in the editor" in action.text for action in said[-1].requiredActions)
