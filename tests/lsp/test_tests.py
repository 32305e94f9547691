"""Tests in the editor: nothing is run before the person agreed; then they follow the typing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from editor import Editor, capable
from lsprotocol import types as lsp
from own_server import client as client
from real_project import committed

pytestmark = pytest.mark.deep

CART = '''"""A cart."""


def total(prices: list[int]) -> int:
    """The sum."""
    return sum(prices)
'''
WRONG = CART.replace("sum(prices)", "sum(prices) - 1")
# What is imported leaves a trace: that is how it is known that nothing of the project was run.
TESTS = '''"""Tests of the cart."""

from pathlib import Path

from cart import total

Path(__file__).with_name("canary").touch()


def test_total() -> None:
    """Sums."""
    assert total([1, 2]) == 3
'''


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_git: None) -> Path:
    """A committed project with a test, and a home of its own for answers."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    root = tmp_path / "shop"
    root.mkdir()
    committed(root, {"cart.py": CART, "test_cart.py": TESTS, ".gitignore": "canary\n"})
    return root


class Person:
    """Answers the question, and remembers it."""

    def __init__(self, answer: str | None) -> None:
        self.answer = answer
        self.questions: list[lsp.ShowMessageRequestParams] = []

    def __call__(self, params: lsp.ShowMessageRequestParams) -> lsp.MessageActionItem | None:
        self.questions.append(params)
        return lsp.MessageActionItem(self.answer) if self.answer else None


async def started(editor: Editor, person: Person, **options: object) -> str:
    """A document that was edited, in a workspace that the person trusts."""

    async def ask(params: lsp.ShowMessageRequestParams) -> Any:
        return person(params)

    editor.client.feature(lsp.WINDOW_SHOW_MESSAGE_REQUEST)(ask)
    await editor.start(capable("visual-studio-code"), options={"trusted": True, **options})
    uri = editor.open("cart.py", CART)
    editor.edit(uri, 2, (None, WRONG))
    await editor.until(lambda: editor.status and editor.status[-1].changed and not editor.status[-1].working)
    return uri


def save(editor: Editor, uri: str) -> None:
    editor.client.text_document_did_save(lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(uri)))


def failing(editor: Editor) -> list[str]:
    """The messages of failing tests that are shown, in whatever document."""
    newest = {pushed.uri: pushed.diagnostics for pushed in editor.pushed}
    return [d.message for found in newest.values() for d in found if d.code == "GTL201"]


def coverage(editor: Editor) -> str:
    states = editor.status[-1].states if editor.status else []
    return next((f"{s.state}: {s.reason}" for s in states if s.dimension == "coverage"), "")


async def test_nothing_is_run_before_the_person_agreed(editor: Editor, root: Path) -> None:
    person = Person(None)
    uri = await started(editor, person)
    assert person.questions == [], "typing asks nothing"
    save(editor, uri)
    await editor.until(lambda: person.questions)
    await editor.until(lambda: "was not given yet" in coverage(editor))
    assert "-m pytest" in person.questions[0].message
    save(editor, uri)
    await editor.barrier()
    assert len(person.questions) == 1, "it is asked once"
    assert not (root / "canary").exists()


async def test_once_agreed_tests_follow_the_unsaved_text(editor: Editor, root: Path) -> None:
    uri = await started(editor, Person("Run tests"))
    save(editor, uri)
    await editor.until(lambda: failing(editor))
    assert any("assert 2 == 3" in message for message in failing(editor))
    editor.edit(uri, 3, (None, CART + "\n"))
    await editor.until(lambda: not failing(editor))
    assert (root / "cart.py").read_text() == CART, "the file was never written"


async def test_a_text_as_it_was_at_the_base_has_no_failing_tests(editor: Editor) -> None:
    uri = await started(editor, Person("Run tests"))
    save(editor, uri)
    await editor.until(lambda: failing(editor) and editor.status[-1].floors)
    editor.edit(uri, 3, (None, CART))
    await editor.until(lambda: not failing(editor))
    await editor.until(lambda: not editor.status[-1].changed and not editor.status[-1].floors)


async def test_never_is_remembered_and_can_be_taken_back(editor: Editor, root: Path) -> None:
    person = Person("Never here")
    uri = await started(editor, person)
    save(editor, uri)
    await editor.until(lambda: "was refused" in coverage(editor))
    assert not (root / "canary").exists()
    await editor.client.workspace_execute_command_async(lsp.ExecuteCommandParams("gateline.tests.allow"))
    await editor.until(lambda: failing(editor))


async def test_an_untrusted_workspace_is_not_even_asked_about(editor: Editor, root: Path) -> None:
    person = Person("Run tests")
    uri = await started(editor, person, trusted=False)
    save(editor, uri)
    await editor.until(lambda: "not trusted" in coverage(editor))
    await editor.client.workspace_execute_command_async(lsp.ExecuteCommandParams("gateline.tests.allow"))
    await editor.barrier()
    assert person.questions == []
    assert not (root / "canary").exists()


def edits(editor: Editor, uri: str, version: int, text: str) -> None:
    editor.edit(uri, version, (None, text))


BRANCH = CART.replace("    return", "    if not prices:\n        return 0\n    return")


async def test_tests_run_when_they_are_asked_for(editor: Editor, root: Path) -> None:
    person = Person("Run tests")
    uri = await started(editor, person)
    said = await editor.ask("gateline/tests/run", {"uri": uri, "which": "affected"})
    assert len(person.questions) == 1, "asking for them is not yet agreeing to the command"
    assert (said.total, said.failing, said.cancelled) == (1, 1, False)
    (test,) = said.tests
    assert (test.id, test.outcome) == ("test_cart.py::test_total", "failed")
    assert list(test.reasons) == ["imports cart.py, and was not measured yet"]
    await editor.until(lambda: failing(editor))
    edits(editor, uri, 3, BRANCH)
    named = await editor.ask("gateline/tests/run", {"uri": uri, "ids": ["test_cart.py::test_total"]})
    assert [(t.outcome, list(t.reasons)) for t in named.tests] == [("passed", ["was asked for"])]


async def test_nothing_is_run_for_who_says_no(editor: Editor, root: Path) -> None:
    uri = await started(editor, Person("Never here"))
    refused = await editor.refused("gateline/tests/run", {"uri": uri})
    assert "running tests was refused for this workspace" in refused.message
    assert not (root / "canary").exists()
    assert not (await editor.ask("gateline/tests/cancel", {"uri": uri})).cancelled


async def test_the_changed_lines_of_a_document_are_told_and_go_stale(editor: Editor) -> None:
    uri = await started(editor, Person("Run tests"))
    edits(editor, uri, 3, BRANCH)
    await editor.ask("gateline/tests/run", {"uri": uri})
    said = await editor.ask("gateline/coverage", {"uri": uri})
    assert (said.version, said.state) == (3, "measured")
    assert (list(said.covered), list(said.uncovered), list(said.stale)) == ([5], [6], [])
    assert [(b.line, "never true" in b.message) for b in said.branches] == [(5, True)]
    found = await editor.until(lambda: codes(editor, "GTL210"))
    assert "no test executes the changed line 7" in found[0]
    moved = BRANCH.replace('"""A cart."""', '"""A cart."""\n\n# A comment.')
    edits(editor, uri, 4, moved)
    said = await editor.ask("gateline/coverage", {"uri": uri})
    assert (list(said.covered), list(said.uncovered)) == ([7], [8])


def codes(editor: Editor, code: str) -> list[str]:
    newest = {pushed.uri: pushed.diagnostics for pushed in editor.pushed}
    return [d.message for found in newest.values() for d in found if d.code == code]


async def test_a_run_is_cancelled(editor: Editor, root: Path) -> None:
    endless = TESTS.replace("    assert total", "    while True: pass\n    assert total")
    (root / "test_cart.py").write_text(endless)
    uri = await started(editor, Person("Run tests"))
    running = asyncio.ensure_future(editor.ask("gateline/tests/run", {"uri": uri}))
    while not running.done():
        await editor.ask("gateline/tests/cancel", {"uri": uri})
    assert (await running).cancelled
