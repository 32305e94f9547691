"""Random rounds of edits and questions over MCP: no answer may call fresh what is not there.

Edits are files that are written and deleted, patches and texts that are only proposed, and documents that
are open and typed into in an editor, whose server is asked then. What an answer is about is told by its
`content_hash`, which is computed here from the contents by themselves. Some files are written while a
question is under way: what held at any moment since it was asked is right then.
"""

from __future__ import annotations

import argparse
import asyncio
import difflib
import hashlib
import math
import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from mcp import Client
from mcp.shared.exceptions import MCPError

from gateline_dev.agents.client import GATELINE, ToolFailedError, agent, call, git, private
from gateline_dev.bench.client import Client as Editor

_NAMES = ("shop.py", "cart.py", "tax.py")
_LIMIT = 60.0
"""Seconds after which a question hangs."""
_CONCURRENT = 0.2
Contents = dict[str, str]


def digest(text: str) -> str:
    """As `b2sum -l 128` says it."""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


@dataclass(frozen=True)
class Launch:
    """How the editor starts its server."""

    root: Path
    environment: Mapping[str, str]
    command: list[str] = field(default_factory=lambda: [*GATELINE, "server"])
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class World:
    """What is on disk, in the editor and in the base, known without asking anybody."""

    root: Path
    commit: str
    base: Contents
    disk: Contents
    open: Contents = field(default_factory=dict)
    dice: random.Random = field(default_factory=random.Random)

    def now(self, proposed: Mapping[str, str | None] | None = None) -> str:
        """The hash of the content there is, with what is proposed laid over it."""
        found: dict[str, str | None] = {**self.disk, **self.open, **(proposed or {})}
        paths = sorted(self.base.keys() | found.keys())
        held = {path: found.get(path) for path in paths}
        rows = [(path, "" if text is None else digest(text)) for path, text in held.items()]
        changed = [
            f"{name} {path}"
            for path, name in rows
            if held[path] != self.base.get(path) and not (held[path] is None and path not in self.base)
        ]
        return hashlib.blake2b("\n".join([self.commit, *changed]).encode(), digest_size=16).hexdigest()

    def text(self) -> str:
        """Some content of a module."""
        rows = [f"VALUE_{n} = {self.dice.randrange(5)}" for n in range(self.dice.randrange(1, 6))]
        wrong = self.dice.choice(("", "", "\n\ndef run(text):\n    return eval(text)\n", "\ndef (\n"))
        return '"""A module."""\n\n' + "\n".join(rows) + "\n" + wrong

    def write(self, path: str) -> None:
        """Write a file, or delete it."""
        if path not in self.base and self.dice.random() < 0.3 and path in self.disk:
            del self.disk[path]
            (self.root / path).unlink()
            return
        self.disk[path] = self.base[path] if path in self.base and self.dice.random() < 0.2 else self.text()
        (self.root / path).write_text(self.disk[path], encoding="utf-8", newline="")


@dataclass
class Outcome:
    """What became of the rounds."""

    rounds: int = 0
    """Those that came to their end."""
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    slowest: float = 0.0


class Rounds:
    """One agent and, for half of the rounds, one editor over one workspace."""

    def __init__(self, client: Client, world: World, editor: Editor | None) -> None:
        self.client = client
        self.world = world
        self.editor = editor
        self.outcome = Outcome()
        self._documents: dict[str, Any] = {}

    async def round(self, number: int) -> None:
        """Edit, then ask."""
        dice = self.world.dice
        for _ in range(dice.randrange(3)):
            await self._edit(dice.choice((*_NAMES, "new.py")))
        proposed = self._proposed() if dice.random() < 0.5 else {}
        arguments = self._arguments(proposed)
        held = [self.world.now(proposed)]
        began = perf_counter()
        asked = asyncio.ensure_future(call(self.client, "gate_check", arguments))
        if dice.random() < _CONCURRENT:
            await asyncio.sleep(dice.random() * 0.1)
            # A patch may fit what is written meanwhile, and then makes another text of it.
            others = [name for name in _NAMES if not (arguments.get("patch") and name in proposed)]
            self.world.write(dice.choice(others))
            held.append(self.world.now(proposed))
        try:
            answer = await asyncio.wait_for(asked, _LIMIT)
        except TimeoutError:
            self.outcome.wrong.append(f"round {number}: no answer in {_LIMIT:g} s")
            return
        except (ToolFailedError, MCPError) as error:
            self._refused(number, error, concurrent=len(held) > 1)
            return
        self.outcome.slowest = max(self.outcome.slowest, perf_counter() - began)
        self._judged(number, answer, held)

    def _refused(self, number: int, error: Exception, *, concurrent: bool) -> None:
        """A patch against what was written meanwhile is refused, and nothing else."""
        self.outcome.counts["refused"] += 1
        if not (concurrent and "does not fit" in str(error)):
            self.outcome.wrong.append(f"round {number}: {type(error).__name__}: {error}")

    def _judged(self, number: int, answer: Mapping[str, Any], held: list[str]) -> None:
        self.outcome.counts["fresh" if answer["fresh"] else "not fresh"] += 1
        if answer["fresh"] and answer["content_hash"] not in held:
            self.outcome.wrong.append(f"round {number}: fresh, and of another content: {answer['files']}")

    async def _edit(self, path: str) -> None:
        if self.editor is None or self.world.dice.random() < 0.5:
            self.world.write(path)
            self.outcome.counts["written"] += 1
            return
        await self._typed(self.editor, path)
        self.outcome.counts["typed"] += 1

    async def _typed(self, editor: Editor, path: str) -> None:
        """Open a document, type into it, or close it without saving; until the server has heard of it."""
        uri = (self.world.root / path).as_uri()
        identifier = {"uri": uri}
        if path in self.world.open and self.world.dice.random() < 0.3:
            del self.world.open[path]
            editor.notify("textDocument/didClose", {"textDocument": identifier})
        else:
            text = self.world.text()
            version = self._documents.get(uri, 0) + 1
            self._documents[uri] = version
            if path in self.world.open:
                changes = {"contentChanges": [{"text": text}]}
                editor.notify(
                    "textDocument/didChange", {"textDocument": {**identifier, "version": version}, **changes}
                )
            else:
                item = {**identifier, "languageId": "python", "version": version, "text": text}
                editor.notify("textDocument/didOpen", {"textDocument": item})
            self.world.open[path] = text
        await editor.request("gateline/checkpoint/current", {}, 30)

    def _proposed(self) -> dict[str, str | None]:
        path = self.world.dice.choice((*_NAMES, "new.py"))
        return {path: None if self.world.dice.random() < 0.1 else self.world.text()}

    def _arguments(self, proposed: Mapping[str, str | None]) -> dict[str, Any]:
        given: dict[str, Any] = {"wait": self.world.dice.choice((0, 2, 10)), "level": "early"}
        for path, text in proposed.items():
            before = {**self.world.disk, **self.world.open}.get(path)
            patch = _patch(path, before, text) if self.world.dice.random() < 0.5 else ""
            self.outcome.counts["patches" if patch else "texts"] += 1
            given |= {"patch": patch} if patch else {"texts": [{"path": path, "text": text}]}
        return given


def _patch(path: str, before: str | None, after: str | None) -> str:
    sides = ((before or "").splitlines(keepends=True), (after or "").splitlines(keepends=True))
    names = (
        f"a/{path}" if before is not None else "/dev/null",
        f"b/{path}" if after is not None else "/dev/null",
    )
    return "".join(difflib.unified_diff(*sides, *names))


async def run(
    rounds: int, seed: int, *, with_editor: bool, types: bool = False, seconds: float = math.inf
) -> Outcome:
    """So many rounds in a workspace of their own, or those that begin within so many seconds."""
    with tempfile.TemporaryDirectory(prefix="gl-") as short:
        folder = Path(short).resolve()
        own = private(folder) | (
            {} if types else {"GATELINE_TYPES__ENABLED": "false", "GATELINE_GATES__EVIDENCE": "0"}
        )
        before = {name: os.environ.get(name) for name in own}
        os.environ.update(own)
        try:
            return await _in(folder / "w", own, rounds, seed, with_editor, seconds)
        finally:
            for name, value in before.items():
                os.environ.pop(name) if value is None else os.environ.update({name: value})


async def _in(
    root: Path, own: Mapping[str, str], rounds: int, seed: int, with_editor: bool, seconds: float
) -> Outcome:
    root.mkdir()
    git(root, "init", "--quiet", "--initial-branch", "main")
    base = {name: f'"""The module {name}."""\n\nVALUE = 1\n' for name in _NAMES}
    for name, text in base.items():
        (root / name).write_text(text, encoding="utf-8", newline="")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "base")
    commit = git(root, "rev-parse", "HEAD").strip()
    world = World(root, commit, base, dict(base), dice=random.Random(seed))
    editor = await Editor.start(Launch(root, own)) if with_editor else None
    try:
        if editor is not None:
            await editor.initialize()
            await editor.request("gateline/checkpoint/evaluate", {"level": "early"}, 120)
        async with agent(root, own) as client:
            made = Rounds(client, world, editor)
            await call(client, "gate_check", {"wait": 60})
            until = perf_counter() + seconds
            for number in range(rounds):
                if perf_counter() >= until:
                    break
                await made.round(number)
                made.outcome.rounds += 1
            return made.outcome
    finally:
        if editor is not None:
            await editor.close()


def main() -> int:
    """Half of the rounds without an editor, half with one; 1 where an answer was wrong or did not come."""
    parser = argparse.ArgumentParser(prog="python -m gateline_dev.agents.rounds", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=math.inf, help="of each half; then it ends")
    parser.add_argument("--types", action="store_true", help="with the type checker: slower")
    chosen = parser.parse_args()
    wrong = 0
    for with_editor in (False, True):
        many = chosen.rounds // 2
        asked = run(many, chosen.seed, with_editor=with_editor, types=chosen.types, seconds=chosen.seconds)
        outcome = asyncio.run(asked)
        told = ", ".join(f"{count} {what}" for what, count in sorted(outcome.counts.items()))
        where = "with an editor" if with_editor else "without an editor"
        slowest = f"slowest answer {outcome.slowest:.2f} s"
        print(f"{outcome.rounds} rounds {where}: {told}; {slowest}; {len(outcome.wrong)} wrong", flush=True)
        for row in outcome.wrong[:20]:
            print(f"  {row}")
        wrong += len(outcome.wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
