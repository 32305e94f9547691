"""A workspace full of traps: each program of it that is started leaves a mark outside."""

from __future__ import annotations

import shlex
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from editor import Editor, capable, config
from lsprotocol import types as lsp
from pytest_lsp import LanguageClient
from real_project import WITHOUT_DOCS, committed, said

from support.repositories import Repository

pytestmark = pytest.mark.deep

GOOD = "from shelf import books\n\nNUMBER: int = 1\n"
BAD = GOOD + "TITLE: int = books()[0]\n"
SHADOWING = ("ast", "gateline", "json", "mypy", "pickle", "pygls", "sitecustomize", "usercustomize")
"""Modules of the workspace that take the place of others wherever the workspace comes first."""
GIT_PROGRAMS = (
    "core.fsmonitor",
    "core.pager",
    "core.sshCommand",
    "diff.external",
    "diff.trap.command",
    "diff.trap.textconv",
    "filter.trap.clean",
    "filter.trap.process",
    "filter.trap.smudge",
    "pager.diff",
)
SETTINGS = """[mypy]
plugins = plug.py
python_executable = {trap}
junit_xml = {marks}/junit
html_report = {marks}/html
cache_dir = {marks}/cache
"""
PLUGIN = """
from mypy.plugin import Plugin

def plugin(version):
    return Plugin
"""


class Traps:
    """Makes programs and modules that leave their names in a folder."""

    def __init__(self, folder: Path) -> None:
        self.marks = folder
        folder.mkdir()

    def program(self, name: str, then: str = "cat") -> str:
        return f"#!/bin/sh\ntouch {shlex.quote(str(self.marks / name))}\n{then}\n"

    def module(self, name: str) -> str:
        return f"open({str(self.marks / name)!r}, 'w').close()\n"

    def sprung(self) -> set[str]:
        return {mark.name for mark in self.marks.iterdir()}


def lay(root: Path, traps: Traps) -> None:
    """Commit the workspace with its traps, and those that a copied `.git` folder brings along."""
    files: dict[str, str | bytes] = {f"{name}.py": traps.module(name) for name in SHADOWING}
    files |= {path: traps.module(path) for path in ("conftest.py", "setup.py", "noxfile.py")}
    files |= {
        "gateline.toml": f'{WITHOUT_DOCS}[types]\nengine = "both"\n',
        "mypy.ini": SETTINGS.format(trap=root / "trap", marks=traps.marks),
        "plug.py": traps.module("plug-in") + PLUGIN,
        "trap": traps.program("executable of mypy.ini"),
        ".gitattributes": "*.py filter=trap diff=trap\n",
        "a.py": GOOD,
        "changed.py": "X = 1\n",
    }
    repository = committed(root, files)
    lay_environment(root / ".venv", traps)
    for name in GIT_PROGRAMS:
        repository.write(f".git/trap {name}", traps.program(f"git {name}")).chmod(0o755)
        repository.git("config", name, f"'{root}/.git/trap {name}'")
    for hook in (
        "post-index-change",
        "pre-commit",
        "post-checkout",
        "reference-transaction",
        "fsmonitor-watchman",
    ):
        repository.write(f".git/hooks/{hook}", traps.program(f"hook {hook}")).chmod(0o755)
    repository.write("changed.py", "X = 2\n")
    for path in ("trap", ".venv/bin/python"):
        (root / path).chmod(0o755)


def lay_environment(folder: Path, traps: Traps) -> None:
    """An environment with a package in it, and code at every place where its start would run it."""
    repository = Repository(folder)
    site = f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
    repository.write("pyvenv.cfg", f"home = {Path(sys.base_prefix) / 'bin'}\nversion = 3\n")
    start = f'PYTHONPATH={shlex.quote(str(folder / site))} exec {shlex.quote(sys.executable)} "$@"'
    repository.write("bin/python", traps.program("interpreter", start))
    repository.write("bin/ty", traps.program("ty"))
    (folder / "bin/ty").chmod(0o755)
    repository.write(f"{site}/trap.pth", f"import os; {traps.module('pth')}")
    repository.write(f"{site}/sitecustomize.py", traps.module("environment's sitecustomize"))
    repository.write(f"{site}/shelf/py.typed", "")
    repository.write(f"{site}/shelf/__init__.py", traps.module("package") + "def books() -> list[str]: ...\n")


@pytest.fixture
def traps(tmp_path: Path, quiet_git: None) -> Traps:
    return Traps(tmp_path / "marks")


@pytest.fixture
def root(tmp_path: Path, traps: Traps) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    lay(folder, traps)
    assert traps.sprung() <= {f"git {name}" for name in GIT_PROGRAMS} | {"hook reference-transaction"}
    for mark in traps.marks.iterdir():
        mark.unlink()
    return folder


Start = Callable[[bool], Awaitable[Editor]]


@pytest_asyncio.fixture
async def start(root: Path) -> AsyncIterator[Start]:
    """Opens the workspace as editors do: with the server's folder in it."""
    gateline = shlex.quote(str(Path(sys.executable).with_name("gateline")))
    clients: list[LanguageClient] = []

    async def begin(trusted: bool) -> Editor:
        client = await config("sh", "-c", f"cd {shlex.quote(str(root))} && exec {gateline} server").start()
        clients.append(client)
        editor = Editor(client, root)
        await editor.start(capable("visual-studio-code"), options={"trusted": trusted})
        return editor

    yield begin
    for client in clients:
        await client.shutdown_session()
        await client.stop()


async def use(editor: Editor, root: Path) -> list[str]:
    """Do what a person does; the codes that are shown after a type error was typed."""
    uri = editor.open("a.py", GOOD)
    assert await said(editor, uri) == []
    editor.edit(uri, 2, (None, BAD))
    found = await said(editor, uri)
    (root / "a.py").write_text(BAD)
    editor.client.text_document_did_save(lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(uri)))
    editor.touched(("a.py", lsp.FileChangeType.Changed), ("mypy.ini", lsp.FileChangeType.Changed))
    answer = await editor.ask("gateline/checkpoint/evaluate", {"level": "final"})
    assert {file.path for file in answer.files} == {"a.py", "changed.py"}
    await editor.ask("gateline/checkpoint/evaluate", {"level": "final", "scope": "project"})
    await editor.ask("gateline/doctor", {})
    return found


async def test_untrusted_nothing_of_a_workspace_runs(start: Start, root: Path, traps: Traps) -> None:
    editor = await start(False)
    assert await use(editor, root) == ["4 GTL110"], "and yet its packages are known"
    limits = [limit for status in editor.status for limit in status.limits or ()]
    assert any("plug.py did not run" in limit for limit in limits), limits
    assert traps.sprung() == set()


def refused(editor: Editor) -> bool:
    """Whether the newest verdict says that a plug-in may not run yet."""
    limits = editor.status[-1].limits or () if editor.status else ()
    return any("plug.py did not run" in limit and "gateline.tests.allow" in limit for limit in limits)


async def test_trusted_nothing_of_a_workspace_runs_before_anybody_agreed(
    start: Start, root: Path, traps: Traps
) -> None:
    editor = await start(True)
    assert await use(editor, root) == ["4 GTL110"], "what ty says meanwhile"
    assert refused(editor)
    assert traps.sprung() == set()


async def test_plugins_run_from_when_somebody_agreed_until_that_is_taken_back(
    start: Start, root: Path, traps: Traps
) -> None:
    editor = await start(True)
    uri = editor.open("a.py", BAD)
    await editor.until(lambda: refused(editor))
    await run(editor, "gateline.tests.allow")
    await editor.until(lambda: not refused(editor) and "plug-in" in traps.sprung())
    await run(editor, "gateline.tests.forget")
    await editor.until(lambda: refused(editor))
    (traps.marks / "plug-in").unlink()
    editor.edit(uri, 2, (None, BAD + "\n"))
    await said(editor, uri)
    assert "plug-in" not in traps.sprung()


async def run(editor: Editor, command: str) -> None:
    await editor.client.workspace_execute_command_async(lsp.ExecuteCommandParams(command))
