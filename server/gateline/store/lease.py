"""Who leads: of several servers on one workspace, one does what must not be done twice."""

from __future__ import annotations

from pathlib import Path

import portalocker


class Lease:
    """A lock on a file, which the operating system takes back when the process ends, however it ends."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lock = portalocker.Lock(file, "a", timeout=0, fail_when_locked=True)
        self.held = False

    def take(self) -> bool:
        """Whether this process leads now. It may be asked again and again."""
        if not self.held:
            try:
                self._lock.acquire()
                self.held = True
            except (portalocker.LockException, OSError):
                return False
        return True

    def give_back(self) -> None:
        """Lead no longer."""
        if self.held:
            self._lock.release()
            self.held = False
