"""A project in a folder of its own, and what a test wants to know of its runner."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

import psutil

from gateline.services.tests.options import Limits, TestOptions
from gateline.services.tests.run import Run
from gateline.services.tests.runner import TestRunner
from gateline.testing.result import Result

MakeRunner = Callable[..., "RunnerProject"]

# Plug-ins of the environment that these tests run in are not the project's.
QUIET = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


class RunnerProject:
    """Files, and a runner for their tests."""

    def __init__(self, root: Path, files: Mapping[str, str], options: Mapping[str, Any]) -> None:
        self.root = root
        self.root.mkdir()
        self.write(files)
        given = {"python": sys.executable, "environment": QUIET, **options}
        given["limits"] = Limits(**{"test": 10, "total": 60, **given.get("limits", {})})
        self.runner = TestRunner(TestOptions(root=root, **given))
        self.before = self.state()
        self.temporary = ""

    def write(self, files: Mapping[str, str]) -> None:
        """Save files."""
        for path, text in files.items():
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(dedent(text), encoding="utf-8")
        self.before = self.state()

    async def run(
        self, *ids: str, overlay: Mapping[str, str | None] | None = None, **options: Any
    ) -> dict[str, Result]:
        """Run tests (none named: all); by identifier."""
        return {result.id: result for result in (await self.answer(*ids, overlay=overlay, **options)).results}

    async def answer(self, *ids: str, overlay: Mapping[str, str | None] | None = None, **options: Any) -> Run:
        """The same, with all that was said."""
        texts = {path: text and dedent(text) for path, text in (overlay or {}).items()}
        run = await self.runner.run(list(ids) or None, texts, **options)
        self.temporary = self.runner._private
        return run

    async def endings(
        self, *ids: str, overlay: Mapping[str, str | None] | None = None, **options: Any
    ) -> dict[str, str]:
        """How tests end, by identifier; nothing may be wrong beside them."""
        answer = await self.answer(*ids, overlay=overlay, **options)
        said = (answer.reason, answer.errors, answer.left)
        assert said == ("", (), ()), said
        return {result.id: result.ending.value for result in answer.results}

    def state(self) -> dict[str, str]:
        """Every file and folder of the project, with the digest of its content."""
        found = {}
        for path in sorted(self.root.rglob("*")):
            content = path.read_bytes() if path.is_file() else b""
            found[path.relative_to(self.root).as_posix()] = hashlib.sha256(content).hexdigest()
        return found

    def must_have_left_nothing(self) -> None:
        """No process, no file in the project, no temporary folder."""
        assert self.processes() == []
        assert self.state() == self.before
        assert not self.temporary or not Path(self.temporary).exists()

    def processes(self) -> list[str]:
        """Those that work in the project, or descend from its runner."""
        found = []
        for process in psutil.process_iter(["cmdline", "environ"]):
            environment = process.info["environ"] or {}
            inside = environment.get("TMPDIR", "").startswith(self.temporary or os.devnull)
            if inside and process.pid != os.getpid():
                found.append(" ".join(process.info["cmdline"] or []))
        return found
