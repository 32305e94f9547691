"""One session: the operations, the rest after them, and what two others say of the same texts."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from unittest.mock import patch

from gateline.model import Level
from gateline.session.check import Selection, check
from gateline.session.errors import UndecidedError
from gateline.session.judge.wire import canonical_json
from gateline_dev.bench.editor import Json
from gateline_dev.sessions import comparing, texts
from gateline_dev.sessions.client import Client, Line, NoAnswerError
from gateline_dev.sessions.comparing import Difference
from gateline_dev.sessions.desk import Desk
from gateline_dev.sessions.doubles import doubles, left
from gateline_dev.sessions.far import FarLine, RestlessError
from gateline_dev.sessions.near import NearLine
from gateline_dev.sessions.operations import Op
from gateline_dev.sessions.virtual import run

_FINAL = {"scope": "change", "level": "final"}
_IDENTITY = ("-c", "user.name=desk", "-c", "user.email=desk@example.invalid")
_PATIENCE = 300.0


@dataclass
class Tried:
    """One session and what was found."""

    seed: int
    ops: Sequence[Op]
    differences: list[Difference] = field(default_factory=list)
    trouble: str = ""
    """Why it could not be compared."""
    drawn: int = 0
    """Diagnostics that were compared."""
    documents: int = 0
    """Documents that were open at rest."""
    new: int = 0
    """New findings of the verdict."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of its differences; none: all is equal."""
        return tuple(sorted({d.kind for d in self.differences} | ({self.trouble.split(":")[0]} - {""})))


class Side(Protocol):
    """How servers are reached, and the command line."""

    @property
    def root(self) -> Path:
        """The workspace."""

    async def connect(self) -> Line:
        """A new server, which remembers nothing."""

    async def check(self) -> Json:
        """What `gateline check` says of the files."""


def near(seed: int, ops: Sequence[Op]) -> Tried:
    """A session in this process, in virtual time. Not to be run in several threads."""
    with tempfile.TemporaryDirectory(prefix="gateline-session-") as folder, doubles():
        root = workspace(Path(folder))
        with patch.dict(os.environ, surroundings(Path(folder)), clear=True):
            return run(tried(_Near(root), seed, ops), seed)


def far(seed: int, ops: Sequence[Op], folder: Path) -> Tried:
    """A session with real processes, in a folder that keeps the type checker's cache for the next."""
    shutil.rmtree(folder / "stall", ignore_errors=True)
    return asyncio.run(tried(_Far(workspace(folder), surroundings(folder)), seed, ops))


def workspace(base: Path) -> Path:
    """A committed project below a folder, which is the home of everything that is kept."""
    root = base / "stall"
    for path, text in texts.PROJECT.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    for arguments in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "begin")):
        subprocess.run(["git", *_IDENTITY, *arguments], cwd=root, check=True, capture_output=True)
    return root


def surroundings(base: Path) -> dict[str, str]:
    """Variables with which nothing of the person's own takes part."""
    kept = {key: os.environ[key] for key in ("PATH", "LANG", "TMPDIR", "PYTHONPATH") if key in os.environ}
    home = {f"XDG_{name.upper()}_HOME": str(base / name) for name in ("cache", "state", "config")}
    return {**kept, **home, "HOME": str(base), "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


async def tried(side: Side, seed: int, ops: Sequence[Op]) -> Tried:
    """Do the operations, and compare."""
    found = Tried(seed, ops)
    try:
        await _compared(side, found)
    except (NoAnswerError, RestlessError) as error:
        found.trouble = str(error)
    return found


async def _compared(side: Side, found: Tried) -> None:
    old = Client(await side.connect(), side.root)
    await old.begin()
    desk = Desk(side.root, old)
    for op in found.ops:
        await desk.do(op)
    desk.catch_up()
    await old.rest()
    drawn, asked = dict(old.drawn), old.asked
    verdict = await old.evaluate(_FINAL)
    found.trouble = await _ended(old)
    new = Client(await side.connect(), side.root)
    await new.begin()
    desk.show_all(new)
    await new.rest()
    if asked is not None:  # what was asked for last is drawn until something happens
        await new.evaluate(asked)
    found.drawn, found.documents = sum(map(len, drawn.values())), len(desk.buffers)
    found.new = sum(row["novelty"] == "new" for row in verdict["findings"])
    passed_over = (*comparing.REMEMBERED, *(("GTL110",) if desk.is_broken else ()))
    out = texts.excluded((side.root / "pyproject.toml").read_text(encoding="utf-8"))
    found.differences += comparing.drawn(drawn, new.drawn, side.root.as_uri(), passed_over, out)
    found.differences += comparing.verdicts("verdict", verdict, await new.evaluate(_FINAL), "new")
    found.trouble = found.trouble or await _ended(new)
    desk.write_all()
    found.differences += comparing.verdicts("check", verdict, await side.check(), "check")


async def _ended(client: Client) -> str:
    """End a server; what went wrong in it, or with that."""
    await client.end()
    line = client.line
    if not isinstance(line, FarLine):
        return "; ".join(f"process left: {name}" for name in left())
    troubles = [f"process left: {name}" for name in line.left]
    troubles += [f"error logged: {text}" for text in line.complaints()]
    if line.process.returncode:
        troubles.append(f"exit code: {line.process.returncode}")
    return "; ".join(troubles)


@dataclass(frozen=True)
class _Near:
    root: Path

    async def connect(self) -> NearLine:
        """Nothing is left of the one before."""
        for name in ("state", "cache"):
            shutil.rmtree(self.root.parent / name, ignore_errors=True)
        return NearLine()

    async def check(self) -> Json:
        """Without a process."""
        try:
            result = await check(self.root, Selection(), Level.FINAL)
        except UndecidedError as error:
            return {"undecided": str(error)}
        told: Json = json.loads(canonical_json(result.evaluation))
        return told


@dataclass(frozen=True)
class _Far:
    root: Path
    environment: dict[str, str]

    async def connect(self) -> FarLine:
        """Nothing is left of the one before but what the type checker found in its files."""
        shutil.rmtree(self.root.parent / "state", ignore_errors=True)
        return await FarLine.start(self.root, self.environment)

    async def check(self) -> Json:
        """The command, as it is installed."""
        out = self.root.parent / "verdict.json"
        out.unlink(missing_ok=True)
        command = [str(Path(sys.executable).with_name("gateline")), "check", "--output", f"json={out}"]
        done = await asyncio.to_thread(
            subprocess.run,
            command,
            cwd=self.root,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
        told: Json = json.loads(out.read_text()) if out.exists() else {"limits": [done.stderr]}
        return told
