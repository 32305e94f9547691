"""Real projects as distributed: of what is there nothing is said, and nothing of it runs."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio
from editor import REAL, Editor, capable
from lsprotocol import types as lsp
from planted import PLANTS, SHARED
from pytest_lsp import ClientServerConfig
from real_project import committed, told

from gateline_dev.bench.environments import UnavailableError, environment
from gateline_dev.bench.projects import DEPENDENCIES, PROJECTS, fetch

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(900)]

PATIENCE = 300.0
TARGETS = {
    "httpx": (
        "_models",
        "_auth",
        "_config",
        "_utils",
        "_urls",
        "_decoders",
        "_api",
        "_content",
        "_multipart",
    ),
    "rich": ("text", "table", "panel", "style", "live", "tree", "prompt", "columns", "align"),
}
"""The modules that are changed, one for each kind."""


@dataclass
class Opened:
    """A committed copy of a project, open in an editor."""

    package: str
    editor: Editor
    marks: Path
    """Where code of the project leaves its name when it runs."""

    def texts(self) -> dict[str, str]:
        root = self.editor.root
        return {file.relative_to(root).as_posix(): file.read_text() for file in sorted(root.rglob("*.py"))}

    async def judged(self) -> object:
        return await self.editor.ask("gateline/checkpoint/evaluate", {"level": "final"}, PATIENCE)


def trapped(source: Path, root: Path, marks: Path) -> None:
    """A copy of which every file leaves a mark when it is run."""
    shutil.copytree(source, root)
    marks.mkdir()
    for name in ("conftest.py", "setup.py", "sitecustomize.py"):
        (root / name).touch()
    for file in root.rglob("*.py"):
        mark = marks / "-".join(file.relative_to(root).parts)
        file.write_text(f"{file.read_text()}\n\nopen({str(mark)!r}, 'w').close()\n")


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["httpx", "rich"])
async def project(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Opened]:
    (wanted,) = [project for project in PROJECTS if project.name == request.param]
    try:
        source, imports = fetch(wanted), environment("imports", DEPENDENCIES)
    except UnavailableError as error:
        pytest.skip(f"{wanted.name} {wanted.version} is not to be had: {error}")
    base = tmp_path_factory.mktemp(wanted.name)
    trapped(source, base / "project", base / "marks")
    committed(base / "project", {f"{wanted.name}/planted_before.py": SHARED})
    environ = {**os.environ, "VIRTUAL_ENV": str(imports), "XDG_CACHE_HOME": str(base / "cache")}
    client = await ClientServerConfig(server_command=REAL, server_env=environ).start()
    editor = Editor(client, base / "project")
    await editor.start(capable("visual-studio-code"))
    yield Opened(wanted.name, editor, base / "marks")
    await client.shutdown_session()
    await client.stop()


def loud(items: Iterable[lsp.Diagnostic]) -> list[tuple[int, str]]:
    """Line and code of what is more than a hint; without the gate's result, which a verdict brings."""
    hint = lsp.DiagnosticSeverity.Hint
    found = [item for item in items if item.severity != hint and item.code != "GTL900"]
    return sorted((item.range.start.line + 1, str(item.code)) for item in found)


async def test_of_a_project_as_it_is_nothing_is_said_and_nothing_runs(project: Opened) -> None:
    editor = project.editor
    uris = [editor.open(path, text) for path, text in project.texts().items()]
    assert {uri: loud(await told(editor, uri)) for uri in uris} == {uri: [] for uri in uris}
    for uri in uris:
        editor.close(uri)
    answer = await project.judged()
    assert (answer.files, answer.findings, answer.limits) == ([], [], [])
    assert list(project.marks.iterdir()) == []


async def test_exactly_what_was_planted_is_new(project: Opened) -> None:
    editor, texts = project.editor, project.texts()
    paths = [f"{project.package}/{module}.py" for module in TARGETS[project.package]]
    planted = {path: plant(texts[path]) for path, plant in zip(paths, PLANTS.values(), strict=True)}
    for path, change in planted.items():
        (editor.root / path).write_text(change.text)
    editor.touched(*((path, lsp.FileChangeType.Changed) for path in planted))
    answer = await project.judged()
    new = [(f.path, f.span.start.line + 1, f.code) for f in answer.findings if f.novelty == "new"]
    assert sorted(new) == sorted((path, *place) for path, change in planted.items() for place in change.found)
    for path, change in planted.items():
        uri = editor.open(path, change.text)
        # Copies are looked for at a verdict, and so is whether a comment silences something.
        due = [place for place in change.found if place[1] != "GTL410"]
        assert (path, loud(await told(editor, uri))) == (path, sorted(due))
    assert list(project.marks.iterdir()) == []
