"""`types.engine`: which type checker answers, in the editor and in a verdict, with and without ty."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest
import pytest_asyncio
from click.testing import CliRunner, Result
from type_project import Warm

from gateline.cli.commands import main
from gateline.model import Finding, Novelty, Span
from gateline.session.live.options import Published
from gateline.session.session import Session
from gateline.session.types.ty import find_ty
from gateline.session.workspace.workspace import Workspace, open_workspace
from support.processes import TYPES, running
from support.repositories import Repository

pytestmark = pytest.mark.deep

BESIDE = shutil.which("ty", path=str(Path(sys.executable).parent))
needs_ty = pytest.mark.skipif(
    BESIDE is None and shutil.which("ty") is None, reason="ty is not installed: pip install 'gateline[ty]'"
)
BASE = '"""Sums."""\n\nSUM: int = 1\n'
WRONG = 'NAME: int = ""\n'
UNTYPED = 'def untyped():\n    """mypy does not look in here."""\n    name: int = ""\n'


@pytest.fixture
def project(repository: Repository, monkeypatch: pytest.MonkeyPatch, warm: Warm) -> Repository:
    warm(repository.folder)
    repository.commit("base", **{"sums.py": BASE})
    monkeypatch.chdir(repository.folder)
    return repository


@pytest.fixture
def without_ty(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """gateline's interpreter and the PATH are where no ty is; git is still found."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "git").symlink_to(shutil.which("git") or "")
    (folder / "python").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    (folder / "python").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(folder / "python"))
    monkeypatch.setenv("PATH", str(folder))


def choose(project: Repository, engine: str) -> None:
    project.write("gateline.toml", f'[types]\nengine = "{engine}"\n')


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, prog_name="gateline")


def origins(project: Repository) -> list[str]:
    project.write("sums.py", BASE + WRONG)
    said = json.loads(run("check", "--output", "json").stdout)
    return [finding["origin"] for finding in said["findings"] if finding["code"] == "GTL110"]


class Shown:
    """What was shown of one document, in order."""

    def __init__(self, folder: Path) -> None:
        self.published: list[Published] = []
        self.session = Session(folder, publish=self.published.append, status=lambda _: None)

    def new(self, published: Published) -> list[Finding]:
        return [f for f in published.findings if f.novelty is Novelty.NEW and f.code == "GTL110"]

    async def until(self, holds: Callable[[list[Finding]], bool]) -> list[Finding]:
        async with asyncio.timeout(60):
            while not (self.published and holds(self.new(self.published[-1]))):
                await asyncio.sleep(0.005)
        return self.new(self.published[-1])


Start = Callable[[str], Awaitable[Shown]]


@pytest_asyncio.fixture
async def start(project: Repository) -> AsyncIterator[Start]:
    """A session with an engine, and the document open."""
    made: list[Shown] = []

    async def begin(engine: str) -> Shown:
        choose(project, engine)
        made.append(Shown(project.folder))
        await made[-1].session.start()
        made[-1].session.open("sums.py", BASE, 1)
        await made[-1].session.settled("sums.py", 1, "all")
        return made[-1]

    yield begin
    for shown in made:
        await shown.session.stop()
    assert not [p for p in psutil.Process().children(recursive=True) if p.name() == "ty"]


# Verdicts


@needs_ty
def test_ty_alone_judges(project: Repository) -> None:
    choose(project, "ty")
    assert origins(project) == ["ty: invalid-assignment"]
    assert run("check").exit_code == 0


def test_with_both_mypy_alone_judges(project: Repository) -> None:
    choose(project, "both")
    assert origins(project) == ["mypy: assignment"]


def test_without_ty_there_are_no_types_and_the_next_step_is_said(
    project: Repository, without_ty: None
) -> None:
    choose(project, "ty")
    assert origins(project) == []
    said = json.loads(run("check", "--output", "json").stdout)
    (errors,) = [part for part in said["score"]["parts"] if part["dimension"] == "errors"]
    (types,) = [source for source in errors["sources"] if source["name"] == "types"]
    assert types["state"] == "no data"
    assert 'types.engine = "mypy"' in types["reason"]
    assert said["decision"]["outcome"] == "undecided"


def test_without_ty_both_is_mypy(project: Repository, without_ty: None) -> None:
    choose(project, "both")
    assert origins(project) == ["mypy: assignment"]


@pytest.mark.parametrize(
    ("engine", "mark", "told", "code"),
    [
        ("ty", "✗", "no type errors without it", 2),
        ("both", "!", "mypy alone answers", 0),
        ("mypy", " ", "only", 0),
    ],
)
def test_the_doctor_says_what_a_missing_ty_means(
    project: Repository, without_ty: None, engine: str, mark: str, told: str, code: int
) -> None:
    choose(project, engine)
    result = run("doctor")
    (line,) = [
        line for line in result.stdout.splitlines() if line.split()[:1] == ["ty"] or " ty " in line[:8]
    ]
    assert line.startswith(mark) and told in line
    assert result.exit_code == code


# In the editor


@needs_ty
async def test_ty_alone_answers_in_the_editor(start: Start) -> None:
    shown = await start("ty")
    shown.session.change("sums.py", [(Span.of(3, 0, 3, 0), WRONG)], 2)
    (finding,) = await shown.until(bool)
    assert (finding.origin, finding.provisional) == ("ty: invalid-assignment", False)
    await shown.session.settled("sums.py", 2, "all")
    shown.session.change("sums.py", [(Span.of(3, 0, 4, 0), "")], 3)
    assert await shown.until(lambda new: not new) == []


@needs_ty
async def test_with_both_ty_s_finding_is_provisional_and_mypy_s_replaces_it(start: Start) -> None:
    shown = await start("both")
    async with held_mypy():
        shown.session.change("sums.py", [(Span.of(3, 0, 3, 0), WRONG)], 2)
        (early,) = await shown.until(bool)
    assert (early.origin, early.provisional) == ("ty: invalid-assignment", True)
    await shown.session.settled("sums.py", 2, "types")
    (late,) = await shown.until(lambda new: not any(f.provisional for f in new))
    assert (late.origin, late.provisional) == ("mypy: assignment", False)
    assert all(len(shown.new(published)) <= 1 for published in shown.published), "never both at once"


@needs_ty
async def test_with_both_what_only_ty_finds_goes_when_mypy_answers(start: Start) -> None:
    shown = await start("both")
    async with held_mypy():
        shown.session.change("sums.py", [(Span.of(3, 0, 3, 0), UNTYPED)], 2)
        assert [f.provisional for f in await shown.until(bool)] == [True]
    assert await shown.until(lambda new: not new) == []
    await shown.session.settled("sums.py", 2, "all")
    before = len(shown.published)
    shown.session.change("sums.py", [(Span.of(0, 0, 0, 0), "#\n")], 3)
    await shown.session.settled("sums.py", 3, "all")
    assert not any(shown.new(published) for published in shown.published[before:]), "not said again"


@asynccontextmanager
async def held_mypy() -> AsyncIterator[None]:
    """The type checker's processes stand still, so that ty is sure to be first."""
    async with asyncio.timeout(60):
        # After its first answer it takes a moment until the next process is there.
        while not (held := running(TYPES)):
            await asyncio.sleep(0.01)
    for process in held:
        process.suspend()
    try:
        yield
    finally:
        for process in held:
            process.resume()


# Which ty


def workspace(folder: Path) -> Workspace:
    return open_workspace(folder, os.environ)


def fake_ty(folder: Path) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ty").write_text("#!/bin/sh\n")
    (folder / "ty").chmod(0o755)
    return str(folder)


def test_the_one_beside_gateline_is_taken_first(
    project: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own, other = fake_ty(tmp_path / "own"), fake_ty(tmp_path / "other")
    monkeypatch.setattr(sys, "executable", f"{own}/python")
    found = find_ty(workspace(project.folder), trusted=False, search=other)
    assert found is not None and found.path == f"{own}/ty"


def test_what_lies_in_the_workspace_is_run_only_when_it_is_trusted(
    project: Repository, without_ty: None, tmp_path: Path
) -> None:
    inside = fake_ty(project.folder / "bin")
    link = tmp_path / "link"
    link.mkdir()
    (link / "ty").symlink_to(f"{inside}/ty")
    outside = fake_ty(tmp_path / "outside")
    at = workspace(project.folder)
    assert find_ty(at, trusted=False, search=os.pathsep.join([inside, str(link), "."])) is None
    found = find_ty(at, trusted=False, search=os.pathsep.join([inside, outside]))
    assert found is not None and found.path == f"{outside}/ty"
    trusted = find_ty(at, trusted=True, search=inside)
    assert trusted is not None and trusted.path == f"{inside}/ty"


def test_the_project_s_own_is_taken_last_and_only_when_trusted(
    project: Repository, without_ty: None, tmp_path: Path
) -> None:
    folder = Path(fake_ty(project.folder / ".venv" / "bin"))
    (folder / "python").symlink_to(sys.executable)
    (project.folder / ".venv" / "pyvenv.cfg").write_text("home = /\n")
    at = workspace(project.folder)
    assert find_ty(at, trusted=False, search="") is None
    found = find_ty(at, trusted=True, search="")
    assert found is not None and found.origin == "in the project's environment"
