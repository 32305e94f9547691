"""Comparing candidates in the editor: begun, cancelled, looked at, taken as one edit."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from editor import Editor
from lsprotocol import types as lsp
from own_server import client as client
from pygls.exceptions import JsonRpcException
from real_project import WITHOUT_TYPES, committed

from gateline.session.compare.service import FAR
from support.processes import running

pytestmark = [pytest.mark.deep, pytest.mark.timeout(600)]
_LONG = 280.0

SUMS = "def total(values):\n    return 0\n\n\ndef double(value):\n    return 2 * value\n"
RIGHT = SUMS.replace("return 0", "return sum(values)")
TESTS = """\
from sums import total


def test_total():
    assert total([1, 2]) == 3


def test_one():
    assert total([4]) == 4


def test_more():
    assert total([1, 1, 1, 7]) == 10
"""
HANGING = "import time\nfrom pathlib import Path\n\n\ndef test_slow():\n    time.sleep(600)\n"


@pytest.fixture
def root(tmp_path: Path, quiet_git: None) -> Path:
    """A committed project with a failing test and two branches that change it."""
    root = tmp_path / "shop"
    root.mkdir()
    committed(root, {"sums.py": SUMS, "test_sums.py": TESTS, "gateline.toml": WITHOUT_TYPES})
    branch(root, "good", {"sums.py": RIGHT})
    branch(root, "wrong", {"sums.py": SUMS.replace("return 0", "return len(values)")})
    return root


def git(root: Path, *arguments: str) -> str:
    who = ("-c", "user.name=T", "-c", "user.email=t@example.com")
    return subprocess.run(
        ["git", *who, *arguments], cwd=root, check=True, capture_output=True, text=True
    ).stdout.strip()


def branch(root: Path, name: str, files: dict[str, str]) -> None:
    """A branch of the commit that is checked out."""
    start = git(root, "rev-parse", "--abbrev-ref", "HEAD")
    git(root, "checkout", "--quiet", "-b", name)
    for path, text in files.items():
        (root / path).write_text(text)
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", f"Solution {name}")
    git(root, "checkout", "--quiet", start)


async def opened(editor: Editor, answer: str = "Run tests") -> str:
    await editor.start_trusted(answer)
    return editor.open("sums.py", SUMS)


async def test_candidates_are_compared_looked_at_and_taken_as_one_edit(editor: Editor) -> None:
    uri = await opened(editor)
    offered = await editor.ask("gateline/compare/candidates", {})
    told = {one.name: (one.kind, one.detail) for one in offered.candidates}
    assert told["good"] == ("branch", "Solution good")

    head, stashes = git(editor.root, "rev-parse", "HEAD"), git(editor.root, "stash", "list")
    compared = await editor.ask("gateline/compare/start", {"candidates": ["good", "wrong"]}, _LONG)
    ranking = compared.result.ranking
    assert (ranking.winner, [row.name for row in ranking.rows]) == ("good", ["good", "wrong"])
    assert compared.markdown.startswith("### take good (confidence ")
    assert (compared.trouble, compared.folder) == ("", editor.root.as_uri())
    one = {"comparison": compared.comparison, "candidate": "good"}
    shown = await editor.ask("gateline/compare/diff", one)
    assert "+    return sum(values)" in shown.diff
    assert [(file.path, file.before, file.after) for file in shown.files] == [("sums.py", SUMS, RIGHT)]

    # Edited meanwhile, and not saved.
    editor.edit(uri, 2, (None, SUMS + "\n\n# mine\n"))
    editor.takes_edits(lambda params: params.edit)
    taken = await editor.ask("gateline/compare/accept", {**one, "dirty": [uri]}, _LONG)
    assert (taken.written.applied, [step.conflict for step in taken.written.steps]) == (True, [""])
    (edit,) = editor.applied
    (change,) = edit.document_changes
    assert (change.text_document.uri, change.text_document.version) == (uri, 2)
    assert change.edits[0].new_text == RIGHT + "\n\n# mine\n"
    assert (editor.root / "sums.py").read_text() == SUMS, "it is the editor's to save"
    assert (git(editor.root, "rev-parse", "HEAD"), git(editor.root, "stash", "list")) == (head, stashes)
    assert (await editor.ask("gateline/compare/reject", {"comparison": compared.comparison})).trouble == ""
    audited = subprocess.run(
        [sys.executable, "-m", "gateline", "audit", "--limit", "3"],
        cwd=editor.root, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    assert "a person rejected all of good, wrong" in audited
    assert "a person applied good" in audited
    assert "compare: take good" in audited

    # Edits in the same lines win, and are told.
    editor.edit(uri, 3, (None, SUMS.replace("return 0", "return max(values)")))
    again = await editor.ask("gateline/compare/accept", {**one, "dirty": [uri]}, _LONG)
    assert [step.conflict for step in again.written.steps] == ["it was edited in the same lines meanwhile"]
    assert not again.written.applied

    other = str(await editor.refused("gateline/compare/diff", {**one, "candidate": "third"}))
    assert "candidate 'third' was not compared; compared were: good, wrong" in other
    unknown = str(await editor.refused("gateline/compare/diff", {**one, "comparison": "nothing"}))
    assert "comparison 'nothing' is not known here any more; compare again" in unknown


async def test_cancelling_ends_what_runs_and_leaves_no_checkout(editor: Editor) -> None:
    branch(editor.root, "slow", {"test_slow.py": HANGING})

    def checked_out() -> list[Path]:
        # Folders go while they are listed: unlike Path.rglob, os.walk passes over those.
        return [
            Path(folder)
            for folder, _, files in os.walk(os.environ["XDG_CACHE_HOME"])
            if "test_slow.py" in files
        ]

    await opened(editor)
    asking = asyncio.ensure_future(
        editor.client.protocol.send_request_async(
            "gateline/compare/start", {"candidates": ["good", "slow"]}, msg_id="comparing"
        )
    )
    async with asyncio.timeout(_LONG):
        while not checked_out():
            await asyncio.sleep(0.05)
    assert running(FAR), "it works"
    editor.client.cancel_request(lsp.CancelParams("comparing"))
    with pytest.raises(Exception, match=r"(?i)cancel"):
        await asyncio.wait_for(asking, _LONG)
    async with asyncio.timeout(_LONG):
        while running(FAR) or checked_out():
            await asyncio.sleep(0.05)


async def test_without_consent_nothing_begins(editor: Editor) -> None:
    await opened(editor, "Not now")
    refused = await editor.refused("gateline/compare/start", {"candidates": ["good", "wrong"]})
    assert "was not given yet" in str(refused)
    too_few = str(await editor.refused("gateline/compare/start", {"candidates": ["good"]}))
    assert "candidates: " in too_few


async def test_what_cannot_be_compared_is_told(editor: Editor) -> None:
    await opened(editor)
    told = "nobody is not a branch, commit, stash entry, folder, patch file or savepoint here"
    with pytest.raises(JsonRpcException, match=told):
        await editor.ask("gateline/compare/start", {"candidates": ["good", "nobody"]}, _LONG)
