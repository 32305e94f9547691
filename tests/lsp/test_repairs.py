"""Repairs as code actions: a real server, real tools, and an editor that applies what it is given."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import attrs
import pytest
from editor import Editor
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from real_project import WITHOUT_DOCS, committed, told
from type_project import Warm

from gateline.lsp.convert import Encoding, locate_both

pytestmark = pytest.mark.asyncio(loop_scope="module")

CART = '''"""A cart: 🛒."""


def total(prices: list[int]) -> int:
    """The sum."""
    return sum(prices)
'''
MISSPELLED = CART.replace("sum(prices)", "summ(prices)")
BROKEN = CART.replace("-> int:", "-> int")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, warm: Warm) -> Path:
    root = tmp_path_factory.mktemp("shop")
    warm(root)
    committed(root, {"cart.py": CART, "gateline.toml": WITHOUT_DOCS})
    return root


async def actions(
    editor: Editor,
    uri: str,
    line: int,
    only: list[str] | None = None,
    shown: Sequence[lsp.Diagnostic] = (),
) -> list[lsp.CodeAction]:
    place = lsp.Position(line, 0)
    context = lsp.CodeActionContext(list(shown), only=only)
    params = lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), lsp.Range(place, place), context)
    return list(await editor.ask(lsp.TEXT_DOCUMENT_CODE_ACTION, params) or [])


async def verified(editor: Editor, uri: str, line: int) -> list[lsp.CodeAction]:
    """The actions of a line when the search is over."""
    while True:
        found = await actions(editor, uri, line)
        if not any(action.title.startswith("Search for") for action in found):
            return found


def applied(text: str, edit: lsp.TextDocumentEdit) -> str:
    """As an editor does it: the last place first."""
    places = [(locate_both(text, e.range, Encoding.UTF16), e.new_text) for e in edit.edits]
    for ((_, start), (_, end)), new in sorted(places, key=lambda row: row[0][0][1], reverse=True):
        text = text[:start] + new + text[end:]
    return text


@pytest.mark.parametrize(
    ("wrong", "line", "code"), [(MISSPELLED, 5, "GTL110"), (BROKEN, 3, "GTL101")], ids=["types", "syntax"]
)
async def test_an_error_is_typed_and_its_action_takes_it_away(
    editor: Editor, wrong: str, line: int, code: str
) -> None:
    uri = editor.open("cart.py", wrong)
    assert code in [d.code for d in await told(editor, uri)]
    first, *_ = await verified(editor, uri, line)
    assert (first.title[-11:], first.is_preferred, first.edit) == (" (verified)", True, None)
    assert [d.code for d in first.diagnostics or ()] == [code]
    resolved = await editor.ask(lsp.CODE_ACTION_RESOLVE, first)
    (edit,) = resolved.edit.document_changes
    assert (edit.text_document.uri, edit.text_document.version) == (uri, 1)
    assert applied(wrong, edit) == CART
    editor.edit(uri, 2, *[((*_pair(e.range.start), *_pair(e.range.end)), e.new_text) for e in edit.edits])
    # What the gate said of the older text goes with the next verdict, a little later.
    await editor.shown(uri, version=2)
    assert await actions(editor, uri, line) == []
    editor.close(uri)


def _pair(place: lsp.Position) -> tuple[int, int]:
    return place.line, place.character


async def test_an_action_names_the_diagnostics_that_the_client_shows(editor: Editor) -> None:
    uri = editor.open("cart.py", MISSPELLED)
    (mine,) = [d for d in await told(editor, uri) if d.code == "GTL110"]
    await verified(editor, uri, 5)
    # A client may move a diagnostic with what is typed, and send others' and what has no data along.
    moved = attrs.evolve(mine, range=lsp.Range(lsp.Position(5, 0), lsp.Position(5, 1)))
    foreign = attrs.evolve(moved, source="other"), attrs.evolve(moved, data=None), attrs.evolve(moved, data=3)
    for shown, named in (((*foreign, moved), moved), (foreign, mine), ((), mine)):
        first, *_ = await actions(editor, uri, 5, shown=shown)
        resolved = await editor.ask(lsp.CODE_ACTION_RESOLVE, first)
        for action in (first, resolved):
            assert [d.range for d in action.diagnostics] == [named.range]
    editor.close(uri)


async def test_a_text_that_was_edited_meanwhile_gets_no_edit(editor: Editor) -> None:
    uri = editor.open("cart.py", MISSPELLED)
    await told(editor, uri)
    first, *_ = await verified(editor, uri, 5)
    editor.edit(uri, 2, ((0, 0, 0, 0), "# Moved.\n"))
    with pytest.raises(JsonRpcException) as refused:
        await editor.ask(lsp.CODE_ACTION_RESOLVE, first)
    assert (refused.value.code, refused.value.message) == (
        lsp.LSPErrorCodes.ContentModified,
        "the text was edited since the repair was offered",
    )
    editor.close(uri)


async def test_an_action_of_an_edited_text_cannot_be_taken_for_one_of_the_text_before(editor: Editor) -> None:
    uri = editor.open("cart.py", MISSPELLED)
    await told(editor, uri)
    old, *_ = await verified(editor, uri, 5)
    editor.edit(uri, 2, ((0, 0, 0, 0), "# Moved.\n"))
    editor.edit(uri, 3, ((0, 0, 1, 0), ""))
    await told(editor, uri)
    # The text is the old one again: the old action fits, and is for the version that there is now.
    resolved = await editor.ask(lsp.CODE_ACTION_RESOLVE, old)
    (edit,) = resolved.edit.document_changes
    assert (edit.text_document.version, applied(MISSPELLED, edit)) == (3, CART)
    editor.close(uri)


async def test_everything_that_has_one_repair_is_repaired_at_once(editor: Editor) -> None:
    wrong = MISSPELLED + BROKEN.partition('"""\n')[2].replace("total", "whole")
    uri = editor.open("cart.py", wrong.replace("-> int\n", "-> int:\n"))
    await told(editor, uri)
    (action,) = await actions(editor, uri, 0, only=["source.fixAll"])
    assert (action.kind, action.title[-11:]) == ("source.fixAll.gateline", " (verified)")
    (edit,) = action.edit.document_changes
    after = applied(wrong.replace("-> int\n", "-> int:\n"), edit)
    assert (after.count("sum(prices)"), "summ" in after) == (2, False)
    assert await actions(editor, uri, 0, only=["source.organizeImports"]) == []
    editor.close(uri)


async def test_an_edit_says_what_it_is_for(editor: Editor) -> None:
    uri = editor.open("cart.py", MISSPELLED)
    await told(editor, uri)
    first, *_ = await verified(editor, uri, 5)
    resolved = await editor.ask(lsp.CODE_ACTION_RESOLVE, first)
    (note,) = resolved.edit.change_annotations.items()
    assert (note[1].label, note[1].needs_confirmation) == ("Change summ to sum", False)
    assert {e.annotation_id for e in resolved.edit.document_changes[0].edits} == {note[0]}
    editor.close(uri)


async def test_where_nothing_is_wrong_nothing_is_offered(editor: Editor) -> None:
    uri = editor.open("cart.py", MISSPELLED)
    await told(editor, uri)
    assert await actions(editor, uri, 0) == []
    assert await actions(editor, uri, 5, only=["refactor"]) == []
    editor.close(uri)


async def test_an_action_that_was_not_sent_is_refused(editor: Editor) -> None:
    uri, wrong = editor.uri("cart.py"), {"uri": 1, "identity": 0, "key": 2, "number": "3"}
    for data in (None, {"uri": uri}, {"uri": uri, "key": "", "number": 0}, wrong):
        refused = await editor.refused(lsp.CODE_ACTION_RESOLVE, lsp.CodeAction("x", data=data))
        assert refused.code == -32602


async def test_a_search_is_told_with_everything_that_was_tried(editor: Editor) -> None:
    uri = editor.open("cart.py", MISSPELLED)
    await told(editor, uri)
    answer = await editor.ask("gateline/autodebug", {"uri": uri})
    assert (answer.success, answer.proof, answer.iterations, answer.document) == (True, "V1", 1, "")
    assert answer.error == 'Name "summ" is not defined; did you mean "sum"?'
    (after,) = answer.texts
    assert (after.path, after.version, after.text) == ("cart.py", 1, CART)
    assert any("+    return sum(prices)" in attempt.diff for attempt in answer.attempts)
    editor.close(uri)


async def test_the_error_of_a_traceback_is_repaired(editor: Editor, root: Path) -> None:
    uri = editor.open("cart.py", MISSPELLED)
    await told(editor, uri)
    report = f'  File "{root}/cart.py", line 6, in total\n    return summ(prices)\n'
    given = f"Traceback (most recent call last):\n{report}NameError: name 'summ' is not defined\n"
    answer = await editor.ask("gateline/autodebug", {"traceback": given})
    assert [t.text for t in answer.texts] == [CART]
    editor.close(uri)


async def test_of_the_errors_of_an_output_the_one_that_can_be_repaired_is(editor: Editor) -> None:
    """The others are of tests, which are never edited, or of what nobody knows."""
    uri = editor.open("cart.py", MISSPELLED)
    await told(editor, uri)
    given = (
        "____ test_odd ____\ncart.py:1: in odd\nE   OddError: odd\n"
        "____ test_total ____\ncart.py:6: in total\nE   NameError: name 'summ' is not defined\n"
        "____ test_more ____\ntest_cart.py:1: in test_more\nE   AssertionError: assert 1 == 2\n"
        "==== 3 failed ====\n"
    )
    answer = await editor.ask("gateline/autodebug", {"traceback": given})
    assert [t.text for t in answer.texts] == [CART]
    editor.close(uri)


async def test_what_cannot_be_looked_for_is_refused(editor: Editor) -> None:
    uri = editor.open("cart.py", CART)
    await told(editor, uri)
    wrong = {
        "uri or traceback is needed": {},
        "are mutually exclusive": {"traceback": "x", "identity": "y"},
        "has no finding for which repairs are known": {"uri": uri},
        "'0123' is not a finding of cart.py": {"uri": uri, "identity": "0123"},
        "no error was found in the output": {"traceback": "all is well"},
    }
    for message, params in wrong.items():
        assert message in (await editor.refused("gateline/autodebug", params)).message
    editor.close(uri)
