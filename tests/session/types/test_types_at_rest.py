"""Types are never stale: at rest, whatever was opened, closed and written before, they are a new run's."""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from type_project import TypeProject, Warm

from gateline.model import State
from gateline.session.live.options import Published
from gateline.session.session import Session
from gateline.session.types.checking import TypeChecking
from support.repositories import Repository

pytestmark = [pytest.mark.deep, pytest.mark.timeout(600)]

TAKES = ("def f(x: int) -> int:\n    return x\n", "def f(x: str) -> str:\n    return x\n")
GIVES = (
    "from a import f\nfrom new import f as g\n\nx: int = f(1)\ny: str = g('')\n",
    "import a\n\n\ndef h() -> str:\n    return a.f('')\n",
    "import a\n\n\ndef h() -> str:\n    return a.f(1)\n",
)
TEXTS = {"a.py": TAKES, "new.py": TAKES, "b.py": GIVES, "c.py": GIVES}
"""`new.py` is not in the base."""
COMMITTED = ("a.py", "b.py", "c.py")
_PATIENCE = 45.0


class Life:
    """A session, what was done with it, and what a new run says of the open texts."""

    def __init__(self, folder: Path, fresh: TypeProject) -> None:
        self.folder, self.fresh = folder, fresh
        self.published: dict[str, Published] = {}
        self.session = Session(folder, publish=self._published, status=lambda status: None)
        self.open: dict[str, str] = {}
        self.left: dict[str, str] = {}
        """Texts of documents that were closed."""
        self.version = 0
        self.done: list[str] = []

    def _published(self, published: Published) -> None:
        self.published[published.path] = published

    def step(self, by: random.Random) -> None:
        """Do one thing that an editor, or another program, may do."""
        path = by.choice(list(TEXTS))
        acts = (self.edit, self.save, self.shut) if path in self.open else (self.show, self.reopen)
        act = by.choice((*acts, *acts, self.write, self.remove, self.rename))
        act(path, by.choice(TEXTS[path]))
        self.done.append(f"{act.__name__} {path}")

    def show(self, path: str, _: str) -> None:
        file = self.folder / path
        self._open(path, file.read_text() if file.exists() else "")

    def reopen(self, path: str, text: str) -> None:
        """With the text that was not saved, as editors restore their buffers."""
        self._open(path, self.left.get(path, text))

    def _open(self, path: str, text: str) -> None:
        self.version += 1
        self.open[path] = text
        self.session.open(path, text, self.version)

    def edit(self, path: str, text: str) -> None:
        self.version += 1
        self.open[path] = text
        self.session.change(path, [(None, text)], self.version)

    def save(self, path: str, _: str) -> None:
        (self.folder / path).write_text(self.open[path])
        self.session.save(path)

    def shut(self, path: str, _: str) -> None:
        self.left[path] = self.open.pop(path)
        self.session.close(path)

    def write(self, path: str, text: str) -> None:
        (self.folder / path).write_text(text)
        self.session.files_changed([path])

    def remove(self, path: str, _: str) -> None:
        (self.folder / path).unlink(missing_ok=True)
        self.session.files_changed([path])

    def rename(self, path: str, _: str) -> None:
        """As an editor does: the document is closed, and opened under its new name."""
        other = "new.py" if path != "new.py" else "a.py"
        file, target = self.folder / path, self.folder / other
        if not file.exists() or other in self.open:
            return
        file.rename(target)
        if path in self.open:
            text = self.open[path]
            self.shut(path, "")
            self._open(other, text)
        self.session.files_changed([path, other])

    def shown(self) -> dict[str, list[str]]:
        """The type findings of what is open."""
        return {path: _types(self.session.findings(path)) for path in self.open}

    async def expected(self) -> dict[str, list[str]]:
        reports = await self.fresh.checker.plain(self.open)
        measured = {path: reports[path] for path in self.open}
        assert all(report.state is State.MEASURED for report in measured.values())
        return {path: _types(report.findings) for path, report in measured.items()}

    async def at_rest(self) -> None:
        """Until what is shown is what a new run says, which it must be before long."""
        wanted = await self.expected() if self.open else {}
        async with asyncio.timeout(_PATIENCE):
            while (shown := self.shown()) != wanted:
                self.said = f"{self.done}: {shown}, and not {wanted}"
                await asyncio.sleep(0.05)


def _types(findings) -> list[str]:
    found = [f for f in findings if f.code == "GTL110"]
    return sorted(f"{f.span.start.line + 1} {f.message}" for f in found)


@pytest_asyncio.fixture
async def life(
    repository: Repository, warm: Warm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Life]:
    async def nothing(self: TypeChecking) -> None:
        """What follows the typing must be right by itself."""

    monkeypatch.setattr(TypeChecking, "reconcile", nothing)
    warm(repository.folder)
    repository.commit("base", **{path: TEXTS[path][0] for path in COMMITTED})
    fresh = TypeProject(repository.folder, tmp_path / "fresh", python=sys.executable)
    life = Life(repository.folder, fresh)
    await life.session.start()
    yield life
    await life.session.stop()
    await fresh.checker.stop()


@pytest.mark.parametrize("seed", range(4))
async def test_whatever_was_done_types_are_those_of_a_new_run(life: Life, seed: int) -> None:
    by = random.Random(seed)
    for path in ("a.py", "b.py"):
        life.show(path, "")
    for _ in range(8):
        for _ in range(by.randint(1, 3)):
            life.step(by)
            await asyncio.sleep(by.choice((0, 0, 0.01, 0.1)))
        try:
            await life.at_rest()
        except TimeoutError:
            pytest.fail(life.said)
