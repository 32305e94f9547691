"""The savepoint of a check: the content that was judged, kept where nobody works on a task, too."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

from gateline.model import Evaluation, Outcome
from gateline.session.errors import UsageError
from gateline.session.tasks.housekeeping import tidied_since, tidy
from gateline.session.tasks.savepoints import savepoints_of
from gateline.session.tasks.tasks import now, tasks_of
from gateline.settings import WorklogSettings
from gateline.store.database import StoreError
from gateline.store.savepoints.values import SavepointError

_PATIENCE = 1.0
"""Seconds that a check, whose verdict is told, waits for another process."""
_OFTEN = timedelta(days=1)
"""Who only checks begins no session in which what is over its limits would go."""
_NO = frozenset({"", "0", "false", "no", "off"})


def is_wanted(evaluation: Evaluation, settings: WorklogSettings, environ: Mapping[str, str]) -> bool:
    """Whether the content of an evaluation is kept: not of what fails fast, nor on a machine of CI.

    Nobody goes back on such a machine, which is thrown away.
    """
    in_ci = environ.get("CI", "").lower() not in _NO
    return settings.savepoints and not in_ci and evaluation.decision.outcome is not Outcome.FAST_FAIL


def label_of(evaluation: Evaluation) -> str:
    """What a savepoint at an evaluation is called."""
    return f"{evaluation.level}: {evaluation.decision.outcome}"


def keep(root: Path, evaluation: Evaluation, settings: WorklogSettings, task: str = "") -> str:
    """Keep the content of now, as that of an evaluation; why it was not kept, or empty.

    `task`, if there is one, has it as its newest. Once a day what is over its limits goes. Blocks; never
    raises.
    """
    try:
        savepoints = savepoints_of(root, largest=settings.largest_file, patience=_PATIENCE)
        made = savepoints.take(label_of(evaluation), now())
        if task:
            with tasks_of(root) as tasks:
                tasks.kept(tasks.find(task), made.id, evaluation)
        if not tidied_since(root, now() - _OFTEN):
            tidy(root, settings)
    except (SavepointError, StoreError, UsageError, OSError) as error:
        return f"no savepoint was taken: {error}"
    return ""
