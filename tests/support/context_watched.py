"""A workspace whose context is held against what stands there: on the disk, and in open documents."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random

from gateline.context.values import Answer, Passage, Question
from gateline.model.document import digest_of, split_lines
from gateline.services.child import Child
from gateline.session.context.service import ContextService
from gateline.session.live.documents import Documents
from gateline.session.live.scheduler import Scheduler
from gateline.session.workspace.workspace import open_workspace

VERBS = ("load", "merge", "count", "weigh", "send", "fold")
PATHS = tuple(f"{folder}/{name}.py" for folder in ("pkg", "tests") for name in ("a", "b", "c", "d", "e", "f"))
GOOD = 'model = "../model"'


@dataclass
class Watched:
    """A workspace, the service on it, and what is known to stand there. `seed` decides everything."""

    root: Path
    script: Path
    seed: int

    def __post_init__(self) -> None:
        self._random = Random(self.seed)
        self._documents = Documents()
        self._number = 0
        self._settings = GOOD
        self._service: ContextService | None = None
        (self.root / "pkg").mkdir()
        (self.root / "tests").mkdir()

    @property
    def service(self) -> ContextService:
        """The one that runs now."""
        assert self._service is not None, "started"
        return self._service

    # What is asked

    async def _asked(self, question: Question) -> Answer:
        """An answer of the whole index, which comes sooner or later."""
        async with asyncio.timeout(60):
            while True:
                answer = await self.service.search(question, 2_000, 0.2)
                self._check(answer)
                if "index" not in answer.degraded:
                    return answer

    async def _missed(self) -> str:
        answer = await self._asked(Question(f"load {self._number}"))
        return answer.degraded.get("semantic", "")

    async def _said(self, part: str) -> None:
        async with asyncio.timeout(60):
            await self._asked(Question("load"))
            while part not in ((await self.service.status()) or _Silent).message:
                await asyncio.sleep(0.01)

    def _check(self, answer: Answer) -> None:
        for passage in answer.passages:
            assert self._shown(passage) == passage.hash, (self.seed, self._number, passage)

    def _shown(self, passage: Passage) -> str:
        """The digest of what stands now where the passage is said to stand."""
        lines = self._lines(passage.path)
        return digest_of("".join(lines[passage.span.start.line : passage.span.end.line + 1]))

    # What is there

    def _now(self, path: str) -> str:
        document = self._documents.get(path)
        if document is not None:
            return document.text
        file = self.root / path
        return file.read_text() if file.exists() else ""

    def _lines(self, path: str) -> tuple[str, ...]:
        return split_lines(self._now(path))

    def _on_disk(self) -> list[str]:
        return [path for path in PATHS if (self.root / path).exists()]

    def _text(self) -> str:
        self._number += 1
        made = []
        for _ in range(self._random.randint(1, 4)):
            one, two = self._random.choices(VERBS, k=2)
            name = f"{one}_{self._number}_{len(made)}"
            made.append(
                f'def {name}(given):\n    """The {two} of it."""\n    return {two}_{self._number}(given)\n'
            )
        return "\n\n".join(made)

    def _write(self, path: str, *, told: bool) -> None:
        (self.root / path).write_text(self._text())
        if told:
            self._tell(path)
        else:
            self._untold.add(path)

    def _tell(self, *paths: str) -> None:
        self._untold.difference_update(paths)
        self.service.written(paths)

    # The service

    async def _start(self) -> None:
        """Another server; it looks at all files itself."""
        program = [sys.executable, "-P", str(self.script), str(self.root.parent / "log"), "0", "lives"]
        self._service = ContextService(
            self._documents, Scheduler(), embedder=Child("embedder", program=program)
        )
        self._untold: set[str] = set()
        await self._open()

    async def _open(self) -> None:
        (self.root / "gateline.toml").write_text(f"[context]\n{self._settings}\n")
        await self.service.opened(open_workspace(self.root, os.environ), trusted=True)

    async def _kept(self) -> Path:
        """The folder of an index that was written, when nobody holds it."""
        await self._asked(Question("load"))
        await self.service.process._save()
        standing = await self.service.status()
        assert standing is not None
        await self.service.stop()
        return Path(standing.folder)

    async def _signal(self, pid: int | None, number: signal.Signals) -> None:
        if pid is not None:
            os.kill(pid, number)


class _Silent:
    message = ""
