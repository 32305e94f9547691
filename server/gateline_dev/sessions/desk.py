"""A person's desk: the files and git, the editor's buffers over them, and what the server is told of both."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gateline_dev.bench.editor import Json
from gateline_dev.sessions import texts
from gateline_dev.sessions.client import Client
from gateline_dev.sessions.operations import Op

_WATCHED = (".py", ".pyi", ".toml")
_CREATED, _CHANGED, _DELETED = 1, 2, 3
_LATE = 3
"""So many operations later the editor tells of what it did not tell of at once."""
_GIT = ("-c", "user.name=desk", "-c", "user.email=desk@example.invalid", "-c", "commit.gpgsign=false")


@dataclass
class Buffer:
    """An open document."""

    uri: str
    text: str
    saved: str | None
    """What its file held when the editor read or wrote it last; None: it has no file."""
    version: int = 1
    before: list[str] = field(default_factory=list)
    """Earlier texts, the newest last."""

    @property
    def is_dirty(self) -> bool:
        """Whether the editor would ask before it closes it."""
        return self.text != self.saved


class Desk:
    """Does operations. A client is told of them in the order in which editors tell."""

    def __init__(self, root: Path, client: Client) -> None:
        self.root = root
        self.client = client
        self.buffers: dict[str, Buffer] = {}
        """By path below the root, or by an `untitled:` URI."""
        self._late: list[tuple[int, list[Json], bool]] = []
        """When to tell, and of what."""
        self._count = 0
        self._number = 0

    # ---- one operation

    async def do(self, op: Op) -> None:
        """Do one operation, as far as it can be done, and let its pause pass."""
        self._count += 1
        work: Callable[[Op], Any] = getattr(self, f"_{op.do}")
        done = work(op)
        if asyncio.iscoroutine(done):
            await done
        self._tell_late()
        # The messages that it sent are read, even where no time passes.
        await asyncio.sleep(op.pause)

    def catch_up(self) -> None:
        """Tell of everything that was not told of yet."""
        self._count += _LATE
        self._tell_late()

    @property
    def is_broken(self) -> bool:
        """Whether a document does not parse: until it does, the types are those of its last text that did."""
        return not all(_parses(buffer.text) for buffer in self.buffers.values())

    def show_all(self, client: Client) -> None:
        """Open the same documents for somebody else."""
        for buffer in self.buffers.values():
            document = {"uri": buffer.uri, "languageId": "python", "version": 1, "text": buffer.text}
            client.tell("textDocument/didOpen", {"textDocument": document})

    def write_all(self) -> None:
        """All documents that have a file are written to it; nobody is told."""
        for path, buffer in self.buffers.items():
            if not path.startswith("untitled:"):
                self._put(path, buffer.text)

    def put(self, path: str, text: str) -> None:
        """Replace the text of an open document."""
        self._change(path, text, remember=False)

    # ---- documents

    def _open(self, op: Op) -> None:
        text = self._saved(op.path)
        if text is not None and op.path not in self.buffers:
            self._show(op.path, text, text)

    def _new(self, op: Op) -> None:
        if op.path not in self.buffers and self._saved(op.path) is None:
            self._show(op.path, texts.module(op.seed), None)

    def _untitled(self, op: Op) -> None:
        self._number += 1
        self._show(f"untitled:Untitled-{self._number}", texts.module(op.seed), None)

    def _close(self, op: Op) -> None:
        if (path := self._open_path(op)) is not None:
            self._hide(path)

    def _reopen(self, op: Op) -> None:
        if (path := self._open_path(op)) is not None and (text := self._saved(path)) is not None:
            self._hide(path)
            self._show(path, text, text)

    def _edit(self, op: Op) -> None:
        if (path := self._open_path(op)) is not None:
            self._change(path, texts.edited(self.buffers[path].text, op.seed))

    def _half(self, op: Op) -> None:
        if (path := self._open_path(op)) is not None:
            self._change(path, texts.half_typed(self.buffers[path].text, op.seed))

    def _mend(self, op: Op) -> None:
        """Take back what does not parse."""
        if (path := self._open_path(op)) is not None:
            good = [text for text in self.buffers[path].before if _parses(text)]
            if good and not _parses(self.buffers[path].text):
                self._change(path, good[-1])

    def _mend_all(self, op: Op) -> None:
        """Take back everything that does not parse; what never did is closed."""
        for path, buffer in list(self.buffers.items()):
            good = [text for text in buffer.before if _parses(text)]
            if not _parses(buffer.text) and good:
                self._change(path, good[-1])
            elif not _parses(buffer.text):
                self._hide(path)

    async def _type(self, op: Op) -> None:
        """One key after the other, the last of which makes it parse."""
        if (path := self._open_path(op)) is None:
            return
        text = self.buffers[path].text
        line = "".join(texts.edited("", op.seed).lstrip("\n").splitlines(keepends=True)[:4])
        for end in sorted({*range(1, len(line), max(1, len(line) // 6)), len(line)}):
            self._change(path, text + line[:end])
            await asyncio.sleep(0.03)

    def _undo(self, op: Op) -> None:
        if (path := self._open_path(op)) is not None and self.buffers[path].before:
            buffer = self.buffers[path]
            text = buffer.before.pop()
            self._change(path, text, remember=False)

    def _save(self, op: Op) -> None:
        if (path := self._open_path(op)) is not None and not path.startswith("untitled:"):
            self._write_buffer(path, op)

    def _save_as(self, op: Op) -> None:
        path = self._open_path(op)
        if path is not None and op.other not in self.buffers:
            text = self.buffers[path].text
            before = self._seen()
            self._put(op.other, text)
            self._hide(path)
            self._show(op.other, text, text)
            self._told(before, op)

    def _keep_untitled(self, op: Op) -> None:
        kept = [path for path in self.buffers if path.startswith("untitled:")]
        if kept:
            self._save_as(Op("save_as", kept[0], op.other, op.seed, op.told))

    # ---- files

    def _write(self, op: Op) -> None:
        old = self._saved(op.path)
        self._on_disk(
            op, lambda: self._put(op.path, texts.edited(old, op.seed) if old else texts.module(op.seed))
        )

    def _same(self, op: Op) -> None:
        if (text := self._saved(op.path)) is not None:
            self._on_disk(op, lambda: self._put(op.path, text))

    def _format(self, op: Op) -> None:
        """Another program writes a file, mostly one that is being edited."""
        path = self._open_path(op) or op.path
        if (text := self._saved(path)) is not None:
            formatted = "# formatted\n" + text.replace("\n\n\n\n", "\n\n\n")
            self._on_disk(op, lambda: self._put(path, formatted))

    def _rename(self, op: Op) -> None:
        """In the editor: the document moves along."""
        if self._saved(op.path) is None or self._saved(op.other) is not None or op.other in self.buffers:
            return
        moved = self.buffers.get(op.path)
        before = self._seen()
        if op.path in self.buffers:
            self._hide(op.path)
        self._move(op.path, op.other)
        if moved is not None:
            self._show(op.other, moved.text, self._saved(op.other))
        self._told(before, op)

    def _git_mv(self, op: Op) -> None:
        """In a terminal: an open document stays where it was."""
        if self._saved(op.other) is None:
            self._on_disk(op, lambda: self._git("mv", op.path, op.other))

    def _delete(self, op: Op) -> None:
        if self._saved(op.path) is None:
            return
        before = self._seen()
        (self.root / op.path).unlink()
        if op.path in self.buffers and (op.reload_first or not self.buffers[op.path].is_dirty):
            self._hide(op.path)
        self._told(before, op)

    def _bring_back(self, op: Op) -> None:
        self._on_disk(op, lambda: self._git("checkout", "HEAD", "--", op.path))

    def _settings(self, op: Op) -> None:
        self._on_disk(op, lambda: self._put("pyproject.toml", texts.settings(op.seed)))

    # ---- git

    def _commit(self, op: Op) -> None:
        self._on_disk(op, lambda: self._git("add", "-A") and self._git("commit", "-q", "-m", "work"))

    def _branch(self, op: Op) -> None:
        def switch() -> None:
            if not self._git("checkout", "-q", op.other):
                self._git("checkout", "-q", "-b", op.other)

        self._on_disk(op, switch)

    def _stash(self, op: Op) -> None:
        self._on_disk(op, lambda: self._git("stash", "-q", "--include-untracked"))

    def _pop(self, op: Op) -> None:
        self._on_disk(op, lambda: self._git("stash", "pop", "-q"))

    # ---- asking

    async def _ask(self, op: Op) -> None:
        level = ("early", "middle", "final")[op.seed % 3]
        await self.client.ask("gateline/checkpoint/evaluate", {"scope": "change", "level": level})

    def _wait(self, op: Op) -> None:
        """Only its pause."""

    # ---- how it is done

    def _open_path(self, op: Op) -> str | None:
        """The document that is meant: the one at its path, else one that is open."""
        if op.path in self.buffers:
            return op.path
        opened = sorted(self.buffers)
        return opened[op.seed % len(opened)] if opened else None

    def _uri(self, path: str) -> str:
        return path if path.startswith("untitled:") else (self.root / path).as_uri()

    def _show(self, path: str, text: str, saved: str | None) -> None:
        buffer = self.buffers[path] = Buffer(self._uri(path), text, saved)
        document = {"uri": buffer.uri, "languageId": "python", "version": 1, "text": text}
        self.client.tell("textDocument/didOpen", {"textDocument": document})

    def _hide(self, path: str) -> None:
        buffer = self.buffers.pop(path)
        self.client.tell("textDocument/didClose", {"textDocument": {"uri": buffer.uri}})

    def _change(self, path: str, text: str, *, remember: bool = True) -> None:
        buffer = self.buffers[path]
        if text == buffer.text:
            return
        if remember:
            buffer.before.append(buffer.text)
        edit = difference(buffer.text, text)
        buffer.text, buffer.version = text, buffer.version + 1
        document = {"uri": buffer.uri, "version": buffer.version}
        self.client.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [edit]})

    def _write_buffer(self, path: str, op: Op) -> None:
        buffer = self.buffers[path]
        before = self._seen()
        self._put(path, buffer.text)
        buffer.saved = buffer.text
        self.client.tell("textDocument/didSave", {"textDocument": {"uri": buffer.uri}})
        self._told(before, op)

    def _saved(self, path: str) -> str | None:
        try:
            return (self.root / path).read_text(encoding="utf-8")
        except OSError:
            return None

    def _put(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(text.encode())

    def _move(self, path: str, other: str) -> None:
        (self.root / other).parent.mkdir(exist_ok=True)
        (self.root / path).rename(self.root / other)

    def _git(self, *arguments: str) -> bool:
        command = ["git", *_GIT, *arguments]
        return not subprocess.run(command, cwd=self.root, capture_output=True, check=False).returncode

    # ---- what the editor notices of files

    def _on_disk(self, op: Op, work: Callable[[], object]) -> None:
        """Something changes on disk that is not the editor's doing."""
        before = self._seen()
        work()
        self._told(before, op)

    def _told(self, before: Mapping[str, tuple[int, int]], op: Op) -> None:
        after = self._seen()
        changes = [{"uri": (self.root / p).as_uri(), "type": kind} for p, kind in _differences(before, after)]
        if op.told == "late":
            self._late.append((self._count + _LATE, changes, op.reload_first))
        else:
            self._notice(changes, op.told, first=op.reload_first)

    def _tell_late(self) -> None:
        due = [row for row in self._late if row[0] <= self._count]
        self._late = [row for row in self._late if row[0] > self._count]
        for _, changes, first in due:
            self._notice(changes, "now", first=first)

    def _notice(self, changes: list[Json], told: str, *, first: bool) -> None:
        if first:
            self._reload()
        batches = (
            [[change] for change in changes] if told == "each" else [changes] * (2 if told == "twice" else 1)
        )
        for batch in filter(None, batches):
            self.client.tell("workspace/didChangeWatchedFiles", {"changes": batch})
        if not first:
            self._reload()

    def _reload(self) -> None:
        """Documents without edits follow their files; one whose file is gone stays as it is."""
        for path, buffer in list(self.buffers.items()):
            saved = None if path.startswith("untitled:") else self._saved(path)
            if saved is not None and not buffer.is_dirty and saved != buffer.saved:
                self._change(path, saved)
                buffer.saved = saved

    def _seen(self) -> dict[str, tuple[int, int]]:
        """All watched files, each with what tells that it was written."""
        return {path: stamp for path in self._watched() if (stamp := _stamp(self.root / path)) is not None}

    def _watched(self) -> Iterable[str]:
        for folder, names, files in os.walk(self.root):
            inside = Path(folder).relative_to(self.root).as_posix()
            if inside == ".git":
                names[:] = ["refs"]
                files = [name for name in files if name in ("HEAD", "index", "packed-refs")]
            elif not inside.startswith(".git/"):
                files = [name for name in files if name.endswith(_WATCHED)]
            yield from (name if inside == "." else f"{inside}/{name}" for name in files)


def difference(old: str, new: str) -> Json:
    """One edit that makes `new` of `old`, as small as possible, in UTF-16 columns."""
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    same = 0
    while same < min(len(old), len(new)) - first and old[-1 - same] == new[-1 - same]:
        same += 1
    last = len(old) - same
    return {
        "range": {"start": _place(old, first), "end": _place(old, last)},
        "text": new[first : len(new) - same],
    }


def _place(text: str, index: int) -> Json:
    line = text.count("\n", 0, index)
    start = text.rfind("\n", 0, index) + 1
    return {"line": line, "character": len(text[start:index].encode("utf-16-le")) // 2}


def _differences(
    before: Mapping[str, tuple[int, int]], after: Mapping[str, tuple[int, int]]
) -> Iterable[tuple[str, int]]:
    for path in sorted({*before, *after}):
        if path not in after:
            yield path, _DELETED
        elif path not in before:
            yield path, _CREATED
        elif before[path] != after[path]:
            yield path, _CHANGED


def _stamp(file: Path) -> tuple[int, int] | None:
    with contextlib.suppress(OSError):
        found = file.stat()
        return found.st_mtime_ns, found.st_ino
    return None


def _parses(text: str) -> bool:
    try:
        compile(text, "text", "exec", dont_inherit=True, flags=0x400)
    except (SyntaxError, ValueError):
        return False
    return True
