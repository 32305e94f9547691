"""Memory and processor time of a server and of everything it started."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import psutil

MARK = "LSP_BENCH_RUN"
"""The environment variable that children inherit, also those that leave the process group.

Not `GATELINE_…`: those are settings of ours."""
_PERIOD = 0.2
"""Seconds between two looks at the memory."""


@dataclass(frozen=True)
class Memory:
    """Megabytes (10⁶ bytes) at one moment."""

    server: float
    """Resident, of the process that was started."""
    tree: float
    """Resident, of all; pages that they share count more than once."""
    processes: int


class Tree:
    """All living processes that carry our mark."""

    def __init__(self, mark: str, root: int) -> None:
        self.mark, self.root = mark, root
        self.peak = 0.0
        """The largest resident memory of the tree seen so far, in megabytes."""
        self._known: dict[int, psutil.Process | None] = {}
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._watch = threading.Thread(target=self._watch_memory, daemon=True)
        self._watch.start()

    def processes(self) -> list[psutil.Process]:
        """Ours, found by their mark or their parent; whose a process is, is asked once."""
        with self._lock:
            known = {pid: process for pid, process in self._known.items() if psutil.pid_exists(pid)}
            for pid in psutil.pids():
                if pid not in known:
                    known[pid] = self._ours(pid, known)
            self._known = known
            return [process for process in known.values() if process is not None]

    def _ours(self, pid: int, known: Mapping[int, psutil.Process | None]) -> psutil.Process | None:
        with contextlib.suppress(psutil.Error, OSError):
            process = psutil.Process(pid)
            if pid == self.root or known.get(process.ppid()) or process.environ().get(MARK) == self.mark:
                return process
        return None

    def memory(self) -> Memory:
        """What is used now."""
        processes = self.processes()
        return Memory(
            server=_sum((p for p in processes if p.pid == self.root), _resident),
            tree=_sum(processes, _resident),
            processes=len(processes),
        )

    def cpu_seconds(self) -> float:
        """Used so far by the living and by the dead whom their parents waited for."""
        return sum(_reading(process, _cpu) for process in self.processes())

    def end(self) -> None:
        """Stop watching and kill what is left."""
        self._ended.set()
        self._watch.join()
        for process in self.processes():
            with contextlib.suppress(psutil.Error):
                process.kill()

    def _watch_memory(self) -> None:
        while not self._ended.wait(_PERIOD):
            self.peak = max(self.peak, _sum(self.processes(), _resident))


def machine_seconds() -> float:
    """Processor seconds that everybody on this machine has used since it started."""
    times = psutil.cpu_times()
    return float(times.user + times.system)


def _sum(processes: Iterable[psutil.Process], read: Callable[[psutil.Process], float]) -> float:
    return round(sum(_reading(process, read) for process in processes) / 1e6, 1)


def _reading(process: psutil.Process, read: Callable[[psutil.Process], float]) -> float:
    """A process may end while it is looked at; then it uses nothing."""
    try:
        return read(process)
    except (psutil.Error, OSError):
        return 0.0


def _resident(process: psutil.Process) -> float:
    return float(process.memory_info().rss)


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system + times.children_user + times.children_system)
