"""Resident engines of tests: what surrounds them, and how those that were started are ended."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gateline.resident.registration import ENGINE, registrations


@contextmanager
def without_types() -> Iterator[None]:
    """No types, and nothing of the person's own git: what types add is tested where they are."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith("GIT_"):
                patch.delenv(name)
        patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        patch.setenv("GATELINE_TYPES__ENABLED", "false")
        patch.setenv("GATELINE_GATES__EVIDENCE", "0")
        yield


def end_engines(root: Path) -> None:
    """End the engine of a workspace, whoever started it."""
    for registration in registrations(str(root)):
        if registration.kind == ENGINE:
            os.kill(registration.pid, signal.SIGTERM)
