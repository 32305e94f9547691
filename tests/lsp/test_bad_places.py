"""Folders in every state that git, settings and environments can be in, opened with a real server."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
import pytest_lsp
from editor import REAL, Editor, capable, config
from lsprotocol import types as lsp
from pytest_lsp import LanguageClient
from real_project import WITHOUT_DOCS, WITHOUT_TYPES, committed, drawn, said
from type_project import Warm

from gateline.lsp.handlers.asked import UNDECIDED
from gateline.session.tests.consent import Answer, Consents
from gateline.session.tests.setup import test_command as command_of
from gateline.session.workspace.workspace import open_workspace
from support.processes import TYPES, running
from support.repositories import Repository

pytestmark = pytest.mark.deep

OLD = "import pickle\n\n\ndef load(data: bytes) -> object:\n    return pickle.loads(data)\n"
NEW = "\n\ndef run(code: str) -> object:\n    return eval(code)\n"
GOOD, BAD = "NUMBER: int = 1\n", "NUMBER: int = ''\n"


@pytest_lsp.fixture(config=config(*REAL))
async def client(lsp_client: LanguageClient, tmp_path: Path, quiet_git: None):
    (tmp_path / "project").mkdir()
    lsp_client.editor = Editor(lsp_client, tmp_path / "project")
    yield
    await lsp_client.shutdown_session()
    assert lsp_client.messages == [], "nothing pops up"


async def started(client: LanguageClient, **options: object) -> Editor:
    await client.editor.start(capable("visual-studio-code"), options=options or None)
    return client.editor


async def judged(editor: Editor) -> tuple[str, list[str], list[str]]:
    """How the base was found, the changed files, and what is new in `a.py`."""
    answer = await editor.ask("gateline/checkpoint/evaluate", {"level": "final"})
    found = [f for f in answer.findings if (f.path, f.novelty) == ("a.py", "new")]
    new = [f"{f.span.start.line + 1} {f.code}" for f in found]
    return answer.baseLabel, [f"{file.status} {file.path}" for file in answer.files], new


# git


async def test_without_git_the_base_is_what_a_file_held_when_it_was_opened(client: LanguageClient) -> None:
    (client.editor.root / "gateline.toml").write_text(WITHOUT_TYPES)
    (client.editor.root / "a.py").write_text(OLD)
    editor = await started(client)
    uri = editor.open("a.py", OLD)
    assert await said(editor, uri) == ["5 GTL301 hint"]
    editor.edit(uri, 2, ((5, 0, 5, 0), NEW))
    assert await said(editor, uri) == ["5 GTL301 hint", "9 GTL301"]
    label = "no git: the content when the session started"
    assert await judged(editor) == (label, ["modified a.py"], ["9 GTL301"])


async def test_on_an_unborn_branch_everything_is_new(client: LanguageClient) -> None:
    repository = Repository(client.editor.root)
    repository.git("init", "--quiet", "--initial-branch", "main")
    repository.write("gateline.toml", WITHOUT_TYPES)
    repository.write("a.py", OLD)
    editor = await started(client)
    uri = editor.open("a.py", OLD)
    assert await said(editor, uri) == ["5 GTL301"]
    label = "unborn branch: every file is new"
    assert await judged(editor) == (label, ["added a.py"], ["5 GTL301"])
    repository.commit("first")
    editor.touched((".git/refs/heads/main", lsp.FileChangeType.Created))
    await editor.until(lambda: drawn(editor, uri) == ["5 GTL301 hint"])
    assert await judged(editor) == ("HEAD of the default branch main", [], [])


async def test_on_a_detached_head_the_default_branch_is_the_base(client: LanguageClient) -> None:
    repository = committed(client.editor.root, {"gateline.toml": WITHOUT_TYPES, "a.py": OLD})
    repository.git("switch", "--quiet", "--detach")
    repository.commit("mine", **{"a.py": OLD + NEW})
    editor = await started(client)
    uri = editor.open("a.py", OLD + NEW)
    assert await said(editor, uri) == ["5 GTL301 hint", "9 GTL301"]
    assert await judged(editor) == ("merge-base with main", ["modified a.py"], ["9 GTL301"])


async def test_a_shallow_clone_is_not_judged_before_its_history_is_there(
    client: LanguageClient, tmp_path: Path
) -> None:
    (tmp_path / "origin").mkdir()
    origin = committed(tmp_path / "origin", {"gateline.toml": WITHOUT_TYPES, "a.py": OLD})
    origin.git("switch", "--quiet", "--create", "feature")
    origin.commit("mine", **{"a.py": OLD + NEW})
    origin.git("switch", "--quiet", "main")
    origin.commit("theirs", **{"b.py": OLD})
    depth = ("--depth=1", "--no-single-branch", "--branch=feature")
    origin.git("clone", "--quiet", *depth, origin.folder.as_uri(), str(client.editor.root))
    editor = await started(client)
    uri = editor.open("a.py", OLD + NEW)
    assert await said(editor, uri) == ["5 GTL301 hint", "9 GTL301 hint"], "nothing is blamed on the change"
    refused = await editor.refused("gateline/checkpoint/evaluate", {"level": "final"})
    assert refused.code == UNDECIDED and "run `git fetch --unshallow`" in refused.message
    told = await editor.until(lambda: [s for s in editor.status if s.problem])
    assert (told[-1].label, told[-1].problem, told[-1].score) == ("GL ?", refused.message, None)
    Repository(editor.root).git("fetch", "--quiet", "--unshallow")
    editor.touched((".git/refs/remotes/origin/main", lsp.FileChangeType.Changed))
    await editor.until(lambda: drawn(editor, uri) == ["5 GTL301 hint", "9 GTL301"])
    assert await judged(editor) == ("merge-base with origin/main", ["modified a.py"], ["9 GTL301"])


async def test_where_git_cannot_be_used_nothing_is_accepted(client: LanguageClient) -> None:
    """Not even that nothing changed: what the base has is not known."""
    repository = committed(client.editor.root, {"gateline.toml": WITHOUT_TYPES, "a.py": OLD})
    repository.write(".git/config", "this is no configuration [\n")
    editor = await started(client)
    refused = await editor.refused("gateline/checkpoint/evaluate", {"level": "final"})
    assert refused.code == UNDECIDED and "git cannot be used" in refused.message
    told = await editor.until(lambda: [s for s in editor.status if s.problem])
    assert (told[-1].label, told[-1].problem, told[-1].decision) == ("GL ?", refused.message, None)


async def test_a_change_that_was_committed_on_the_only_branch_of_a_shallow_clone_is_undecided(
    client: LanguageClient, tmp_path: Path
) -> None:
    (tmp_path / "origin").mkdir()
    origin = committed(tmp_path / "origin", {"gateline.toml": WITHOUT_TYPES, "a.py": OLD})
    origin.git("switch", "--quiet", "--create", "feature")
    origin.commit("mine", **{"a.py": OLD + NEW})
    depth = ("--depth=1", "--branch=feature")
    origin.git("clone", "--quiet", *depth, origin.folder.as_uri(), str(client.editor.root))
    editor = await started(client)
    refused = await editor.refused("gateline/checkpoint/evaluate", {"level": "final"})
    assert refused.code == UNDECIDED and "run `git fetch --unshallow`" in refused.message
    uri = editor.open("a.py", OLD + NEW)
    editor.edit(uri, 2, ((0, 0, 0, 0), "import os\n"))
    _, changed, _ = await judged(editor)
    assert changed == ["modified a.py"], "what is typed now is measured against the commit"


async def test_settings_that_were_not_understood_are_named_in_the_verdict(client: LanguageClient) -> None:
    settings = f"[gates]\nfinal-acept = 95\n{WITHOUT_TYPES}"
    committed(client.editor.root, {"gateline.toml": settings, "a.py": OLD})
    editor = await started(client)
    answer = await editor.ask("gateline/checkpoint/evaluate", {"level": "final"})
    (limit,) = [limit for limit in answer.limits if limit.startswith("settings: ")]
    assert "gateline.toml:2" in limit and "final-acept" in limit


async def test_a_base_that_is_not_there_is_named(client: LanguageClient) -> None:
    settings = f'base = "nowhere"\n{WITHOUT_TYPES}'
    repository = committed(client.editor.root, {"gateline.toml": settings, "a.py": OLD})
    editor = await started(client)
    uri = editor.open("a.py", OLD + NEW)
    await said(editor, uri)
    refused = await editor.refused("gateline/checkpoint/evaluate", {"level": "final"})
    assert "base 'nowhere' names no commit here" in refused.message
    repository.write("gateline.toml", WITHOUT_TYPES)
    editor.touched(("gateline.toml", lsp.FileChangeType.Changed))
    await editor.until(lambda: drawn(editor, uri) == ["5 GTL301 hint", "9 GTL301"])


# Settings


QUIET = "[tool.gateline]\ntypes.enabled = false\ndocumentation.enabled = false\n"


@pytest.mark.parametrize(
    ("name", "text", "place", "message"),
    [
        ("pyproject.toml", "[project]\nname = \n", (1, 7), "not TOML: Invalid value"),
        (
            "pyproject.toml",
            '[tool.gateline]\nbasee = "x"\n',
            (1, 0),
            "unknown key `basee`; did you mean `base`?",
        ),
        (
            "gateline.toml",
            "[types]\nenabled = 3\n",
            (1, 0),
            "`types.enabled` should be a valid boolean, not 3",
        ),
    ],
    ids=["broken", "unknown key", "wrong value"],
)
async def test_a_mistake_in_the_settings_is_shown_where_it_stands_until_it_is_mended(
    client: LanguageClient, name: str, text: str, place: tuple[int, int], message: str
) -> None:
    good = WITHOUT_TYPES if name == "gateline.toml" else QUIET
    repository = committed(client.editor.root, {name: good, "a.py": OLD})
    editor = await started(client)
    settings, uri = editor.uri(name), editor.open("a.py", OLD)
    await said(editor, uri)
    repository.write(name, text)
    editor.touched((name, lsp.FileChangeType.Changed))
    (found,) = await editor.shown(settings, message)
    assert (found.code, found.severity) == ("GTL903", lsp.DiagnosticSeverity.Warning)
    assert (found.range.start.line, found.range.start.character) == place
    editor.edit(uri, 2, ((5, 0, 5, 0), NEW))
    await editor.until(lambda: "9 GTL301" in drawn(editor, uri))
    repository.write(name, good)
    editor.touched((name, lsp.FileChangeType.Changed))
    assert await editor.shown(settings) == []
    await editor.until(lambda: drawn(editor, uri) == ["5 GTL301 hint", "9 GTL301"])


# Types


CRASHING = """
from mypy.plugin import Plugin

class Crashing(Plugin):
    def get_function_hook(self, fullname):
        if fullname == "builtins.print":
            raise RuntimeError("the plug-in is broken")

def plugin(version):
    return Crashing
"""


def agree(root: Path) -> None:
    """Somebody has agreed before that code of the project runs: tests and mypy's plug-ins."""
    Consents().remember(root, command_of(open_workspace(root, {})), Answer.ALLOWED, datetime.now(UTC))


async def test_without_a_mypy_plugin_that_crashes_nothing_is_known_of_that_text(
    client: LanguageClient, warm: Warm
) -> None:
    warm(client.editor.root)
    files = {"gateline.toml": WITHOUT_DOCS, "mypy.ini": "[mypy]\nplugins = plug.py\n", "plug.py": CRASHING}
    committed(client.editor.root, {**files, "a.py": GOOD})
    agree(client.editor.root)
    editor = await started(client, trusted=True)
    uri = editor.open("a.py", GOOD)
    assert await said(editor, uri) == []
    editor.edit(uri, 2, (None, "print(1)\n" + BAD))
    told = await editor.until(lambda: [limit for status in editor.status for limit in status.limits or ()])
    assert "types were not checked" in told[-1] and "the plug-in is broken" in told[-1]
    # The next text, which the plug-in can take, is judged again.
    editor.edit(uri, 3, (None, BAD))
    assert await said(editor, uri) == ["1 GTL110"]


async def test_an_interpreter_without_mypy_is_enough(client: LanguageClient) -> None:
    root = client.editor.root
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", root / ".venv"], check=True)
    (site,) = (root / ".venv").glob("lib/python*/site-packages")
    (site / "own_package.py").write_text("def give() -> str: ...\n")
    (site / "own_package-stubs").mkdir()
    (site / "own_package-stubs" / "__init__.pyi").write_text("def give() -> str: ...\n")
    committed(root, {"gateline.toml": WITHOUT_DOCS, ".gitignore": ".venv\n", "a.py": ""})
    editor = await started(client)
    uri = editor.open("a.py", "from own_package import give\n\nNUMBER: int = give()\n")
    assert await said(editor, uri) == ["3 GTL110"]


async def test_mypy_killed_in_mid_edit_comes_back(client: LanguageClient, warm: Warm) -> None:
    warm(client.editor.root)
    committed(client.editor.root, {"gateline.toml": WITHOUT_DOCS, "a.py": GOOD, "b.py": GOOD})
    editor = await started(client)
    uri, other = editor.open("a.py", GOOD), editor.open("b.py", "from a import NUMBER\n\nNUMBER + 1\n")
    assert await said(editor, uri) == await said(editor, other) == []
    for version in range(2, 5):
        alive = running(TYPES, client._server.pid)
        editor.edit(uri, version, (None, "\n" * version + "NUMBER = 'one'\n"))
        await asyncio.sleep(0)
        for process in alive:
            process.kill()
        await editor.until(lambda: drawn(editor, other) == ["3 GTL110"])
        assert await said(editor, uri) == []
        assert not set(alive) & set(running(TYPES, client._server.pid))
        editor.edit(uri, 10 * version, (None, GOOD))
        await editor.until(lambda: drawn(editor, other) == [])
