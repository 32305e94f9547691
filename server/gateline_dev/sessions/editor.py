"""An editor: its buffers over the files, and what it tells a server of both."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from gateline_dev.bench.editor import Json
from gateline_dev.sessions.client import Client
from gateline_dev.sessions.noticing import Seen, contents, differences, seen
from gateline_dev.sessions.operations import Op

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


class Editor:
    """Opens, edits, writes and closes documents, and notices what others do to files."""

    def __init__(self, root: Path, client: Client) -> None:
        self.root = root
        self.client = client
        self.buffers: dict[str, Buffer] = {}
        """By path below the root, or by an `untitled:` URI."""
        self._late: list[tuple[int, list[Json], bool]] = []
        """When to tell, and of what."""
        self._count = 0
        self._number = 0
        client.content = self._content

    @property
    def is_broken(self) -> bool:
        """Whether a document does not parse: until it does, the types are those of its last text that did."""
        return not all(parses(buffer.text) for buffer in self.buffers.values())

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

    def close_untitled(self) -> None:
        """Close what was never saved."""
        for path in [path for path in self.buffers if path.startswith("untitled:")]:
            self._hide(path)

    def catch_up(self) -> None:
        """Tell of everything that was not told of yet."""
        self._count += _LATE
        self._tell_late()

    def _content(self) -> object:
        """The texts of all files, those of documents in their place, and the commit they are measured by.

        A commit on another branch than the default one is part of the change: what was asked for holds.
        """
        base = ["git", "merge-base", "main", "HEAD"]
        forked = subprocess.run(base, cwd=self.root, check=False, capture_output=True).stdout
        found = {**contents(self.root), "": forked}
        shown = {path: buffer.text.encode() for path, buffer in self.buffers.items()}
        return found | {path: text for path, text in shown.items() if not path.startswith("untitled:")}

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
        before = seen(self.root)
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

    def _on_disk(self, op: Op, work: Callable[[], object]) -> None:
        """Something changes on disk that is not the editor's doing."""
        before = seen(self.root)
        work()
        self._told(before, op)

    def _told(self, before: Seen, op: Op) -> None:
        after = seen(self.root)
        changes = [{"uri": (self.root / p).as_uri(), "type": kind} for p, kind in differences(before, after)]
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


def parses(text: str) -> bool:
    """Whether Python can read a text."""
    try:
        compile(text, "text", "exec", dont_inherit=True, flags=0x400)
    except (SyntaxError, ValueError):
        return False
    return True
