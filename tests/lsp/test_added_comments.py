"""What an editor draws under ignore comments is what the verdict says: an added one lifts no floor."""

from __future__ import annotations

from pathlib import Path

import pytest
from editor import Editor, capable
from own_server import client as client

from support.repositories import Repository

pytestmark = pytest.mark.deep

HEAD = '"""Runs."""\n\nimport subprocess\n'
FLOOR = '''

def run(command: str) -> None:
    """Run it."""
    subprocess.call(command, shell=True)  # gateline: ignore[GTL3] a constant
'''
COUNTS = '''

def key() -> int:
    """Give it."""
    return "a"  # gateline: ignore[GTL1] only counts
'''
EMPTY = '"""Nothing."""\n'


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    root = tmp_path / "shop"
    root.mkdir()
    Repository(root).git("init", "--quiet", "--initial-branch", "main")
    return root


async def opened(editor: Editor, **texts: str) -> list[str]:
    """Documents of a committed project."""
    Repository(editor.root).commit(**{f"{name}.py": text for name, text in texts.items()})
    await editor.start(capable("visual-studio-code"), options={"trusted": True})
    return [editor.open(f"{name}.py", text) for name, text in texts.items()]


def drawn(editor: Editor, uri: str) -> list[tuple[str, int]]:
    newest = {pushed.uri: pushed.diagnostics for pushed in editor.pushed}
    return sorted((str(d.code), d.range.start.line) for d in newest.get(uri, ()))


async def judged(editor: Editor, uri: str) -> list[tuple[str, int]]:
    """The new findings of a verdict on the same texts."""
    said = await editor.ask("gateline/checkpoint/evaluate", {"level": "final"})
    mine = (f for f in said.findings if editor.uri(f.path) == uri and f.novelty == "new")
    return of(sorted((f.code, f.span.start.line) for f in mine))


def of(found: list[tuple[str, int]]) -> list[tuple[str, int]]:
    return [row for row in found if row[0][:4] in ("GTL1", "GTL3")]


async def test_an_added_comment_lifts_what_counts_and_no_floor(editor: Editor) -> None:
    (uri,) = await opened(editor, runs=HEAD)
    editor.edit(uri, 2, (None, HEAD + FLOOR + COUNTS))
    await editor.until(lambda: of(drawn(editor, uri)))
    assert of(drawn(editor, uri)) == await judged(editor, uri) == [("GTL301", 7)]
    newest = [pushed for pushed in editor.pushed if pushed.uri == uri][-1]
    (message,) = (d.message for d in newest.diagnostics if d.code == "GTL301")
    assert message.endswith(
        "(this change adds the comment that suppresses it: it takes effect only once it is in the base)"
    )


async def test_a_comment_of_the_base_lifts_it_on_an_edited_line_as_well(editor: Editor) -> None:
    (uri,) = await opened(editor, runs=HEAD + FLOOR)
    edited = FLOOR.replace("call(command", "call(command + ' '")
    editor.edit(uri, 2, (None, HEAD + edited + "\n\nimport os\nos.system(input())\n"))
    await editor.until(lambda: of(drawn(editor, uri)))
    assert of(drawn(editor, uri)) == await judged(editor, uri)
    assert {line for _, line in of(drawn(editor, uri))} == {11}


async def test_a_comment_may_move_from_file_to_file(editor: Editor) -> None:
    old, new = await opened(editor, runs=HEAD + FLOOR, other=EMPTY)
    editor.edit(new, 2, (None, HEAD + FLOOR))
    await editor.until(lambda: of(drawn(editor, new)) == [("GTL301", 7)])
    editor.edit(old, 2, (None, EMPTY))
    await editor.until(lambda: not of(drawn(editor, new)))
    assert await judged(editor, new) == []


async def test_a_comment_for_a_whole_new_file_lifts_no_floor_either(editor: Editor) -> None:
    await opened(editor, other=EMPTY)
    text = HEAD + FLOOR.partition("  # gateline")[0] + "\n\n\n# gateline: ignore-file[GTL3, GTL1] not mine\n"
    uri = editor.open("fresh.py", text + COUNTS.partition("  # gateline")[0] + "\n")
    await editor.until(lambda: of(drawn(editor, uri)))
    assert of(drawn(editor, uri)) == await judged(editor, uri) == [("GTL301", 7)]
