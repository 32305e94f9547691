"""What the rules of integrity asked about a change: which explanations held, and which did not."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from gateline.integrity.change_view import Both
from gateline.integrity.explanations.explanation import Considered, Ledger
from gateline.integrity.inspection import inspect
from gateline.plugins import load_rules
from gateline.session.check import change_of, from_root, readable_workspace
from gateline.session.selection import Selection
from gateline.session.workspace.dependents import Surroundings
from gateline.session.workspace.imports import Imports


async def considered(
    start: Path, selection: Selection, environ: Mapping[str, str] | None = None
) -> Sequence[Considered]:
    """All that explanations were asked about the change around `start`, in order.

    The rules are asked again, in this process. Raises UsageError and UndecidedError as `check` does.
    """
    return await asyncio.to_thread(_considered, start, selection, environ or os.environ)


def _considered(start: Path, selection: Selection, environ: Mapping[str, str]) -> Sequence[Considered]:
    workspace = readable_workspace(start, environ)
    workspace, change, _ = change_of(workspace, from_root(start, workspace.root, selection))
    imports = Imports(workspace.root, workspace.loaded.settings.max_file_size)
    around = Surroundings(workspace.collector, imports).tests(change)
    ledger = Ledger()
    inspect(Both(change, around), load_rules(), ledger)
    return ledger.considered
