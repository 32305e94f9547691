"""The file in which `faulthandler` writes where a process is that hangs or crashes."""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
import time
from typing import Any

from . import failures
from .contents.texts import Texts

_WRITES = 2.0
"""Seconds that a process gets for its traceback: on a busy machine it may have to wait for its turn."""
_STEP = 0.02
"""Seconds after which a traceback that did not grow is whole."""


class Stack:
    """One file without a name, shared with all that are forked."""

    def __init__(self, texts: Texts, folder: str) -> None:
        self._texts = texts
        self._file: Any = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - as long as the keeper lives

    def fileno(self) -> int:
        """Its descriptor, for those who write."""
        return int(self._file.fileno())

    def clear(self) -> None:
        """Before a process that may write."""
        self._file.seek(0)
        self._file.truncate()

    def interrupt(self, process: int) -> None:
        """Let a process write where it is, and wait for it."""
        before = self._size()
        with contextlib.suppress(OSError):
            os.kill(process, signal.SIGXCPU)
            self._settle(before)

    def _settle(self, before: int) -> None:
        end = time.monotonic() + _WRITES
        known = -1
        while time.monotonic() < end and (known <= before or self._size() > known):
            known = self._size()
            time.sleep(_STEP)

    def _size(self) -> int:
        return os.fstat(self.fileno()).st_size

    def text(self) -> str:
        """What was written."""
        self._file.seek(0)
        return str(self._file.read(1 << 20).decode("utf-8", "replace"))

    def failure(self, message: str, kind: str, phase: str) -> dict[str, Any]:
        """A failure with the traceback that was written, if there is one."""
        text = self.text()
        return {
            **failures.of_text(message, phase, kind),
            "frames": failures.of_stack(text, self._texts),
            "output": "",
            "network": False,
        }
