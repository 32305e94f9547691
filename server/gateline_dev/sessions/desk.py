"""A person's desk: what they do in their editor, in a terminal and with git."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from gateline_dev.sessions import texts
from gateline_dev.sessions.editor import Editor, parses
from gateline_dev.sessions.noticing import seen
from gateline_dev.sessions.operations import Op


class Desk(Editor):
    """Does operations, each a method of its name. What cannot be done is passed over."""

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
            good = [text for text in self.buffers[path].before if parses(text)]
            if good and not parses(self.buffers[path].text):
                self._change(path, good[-1])

    def _mend_all(self, op: Op) -> None:
        """Take back everything that does not parse; what never did is closed."""
        for path, buffer in list(self.buffers.items()):
            good = [text for text in buffer.before if parses(text)]
            if not parses(buffer.text) and good:
                self._change(path, good[-1])
            elif not parses(buffer.text):
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
            before = seen(self.root)
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
        before = seen(self.root)
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
        before = seen(self.root)
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
        await self.client.evaluate({"scope": "change", "level": level})

    def _wait(self, op: Op) -> None:
        """Only its pause."""
