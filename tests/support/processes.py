"""The processes of a server, found by the module that each runs."""

from __future__ import annotations

import psutil

from gateline.services.types.messages import FAR
from support.forked import MODULES

TYPES = FAR
CONTEXT = "gateline.session.context.child_main"


def running(module: str, below: int | None = None) -> list[psutil.Process]:
    """Those below a process, or below this one, that run a module and live."""
    return [p for p in psutil.Process(below).children(recursive=True) if _runs(p, module)]


def _runs(process: psutil.Process, module: str) -> bool:
    try:
        if process.status() == psutil.STATUS_ZOMBIE:
            return False
        return module in process.cmdline() or MODULES.get(process.pid) == module
    except psutil.NoSuchProcess:  # a zombie's, too
        return False
