"""Looks a verdict up by all that it depends on, and keeps a new one.

    key = key_of(asking)
    known = find(asking, key)
    result = known.result if known else await check(…)
    keep(asking, key, result, now)

Nothing is kept that says that something was not there, came late or failed: the next run may find it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from gateline.git import GitError, run, text
from gateline.model.evaluation import Outcome
from gateline.model.level import Progress
from gateline.model.measure import State
from gateline.session.check_result import CheckResult
from gateline.session.judge.verdict_cache.content import content_digest
from gateline.session.judge.verdict_cache.environment import (
    digest_of,
    editable_elsewhere,
    own_state,
    places_of,
    state_of,
    variables,
)
from gateline.session.workspace.interpreter import find_interpreter
from gateline.session.workspace.roots import find_root
from gateline.store.folders import state_of as folder_of
from gateline.store.folders import user_cache
from gateline.store.verdict_file import read, write

if TYPE_CHECKING:
    from gateline.model.level import Level
    from gateline.session.selection import Selection, Which


@dataclass(frozen=True, slots=True)
class Asking:
    """What is asked, where."""

    start: Path
    selection: Selection
    level: Level
    which: Which | None
    overrides: Mapping[str, object]
    environ: Mapping[str, str]
    progress: Progress = Progress.SAID


@dataclass(frozen=True, slots=True)
class Known:
    """A verdict that was made before."""

    result: CheckResult
    at: datetime


def key_of(asking: Asking) -> str:
    """Names all that a verdict depends on but the interpreter's packages; "" where that cannot be told."""
    if "@{" in (asking.selection.base or ""):
        # Where a ref stood earlier is told by no ref.
        return ""
    root = find_root(asking.start.resolve())
    content = content_digest(root)
    if content is None:
        return ""
    python = find_interpreter(root, asking.environ)
    asked = (
        str(root),
        str(asking.start.resolve()),
        asking.selection,
        asking.level,
        asking.which,
        asking.progress,
    )
    rows = (content, own_state(), repr(python), repr(asked), repr(sorted(asking.overrides.items())))
    return digest_of((*rows, *variables(asking.environ)))


def find(asking: Asking, key: str) -> Known | None:
    """What was said of the same content. Blocks."""
    root = find_root(asking.start.resolve())
    kept = read(_file(root, key)) if key else None
    if kept is None:
        return None
    places, state, at, judged = kept
    if state_of(places, _top(root)) != state:
        return None
    evaluation, sources, problems, json = judged
    result = CheckResult(root, evaluation, sources, problems, json=json)
    return Known(result, datetime.fromtimestamp(at, UTC))


def keep(asking: Asking, key: str, result: CheckResult, at: datetime) -> None:
    """Keep a verdict for whoever asks the same of the same content; unless that changed meanwhile. Blocks."""
    if not key or not _is_settled(result) or key_of(asking) != key:
        return
    by_python = [places_of(python) for python in result.pythons]
    places = tuple(dict.fromkeys(place for places in by_python for place in places))
    if not all(by_python) or not places or editable_elsewhere(places, _top(result.root)):
        return
    from gateline.session.judge.wire import canonical_json

    evaluation, problems = result.evaluation, result.settings_problems
    judged = (evaluation, dict(result.sources), problems, canonical_json(evaluation))
    write(_file(result.root, key), (places, state_of(places, _top(result.root)), at.timestamp(), judged))


def _is_settled(result: CheckResult) -> bool:
    """Whether nothing was missing, late or failed that another run could have."""
    evaluation = result.evaluation
    if evaluation.decision.outcome is Outcome.UNDECIDED:
        return False
    if any(row.expires for row in evaluation.accepted):
        # The day tells, not the content.
        return False
    tests = evaluation.tests
    if tests is not None and not tests.chosen and tests.state not in (State.MEASURED, State.NOTHING_TO_JUDGE):
        return False
    states = [(part.state, *(source.state for source in part.sources)) for part in evaluation.score.parts]
    return not any(state in (State.FAILED, State.STALE) for row in states for state in row)


def _file(root: Path, key: str) -> Path:
    cache = user_cache()
    return cache / "verdicts" / folder_of(root, cache).name / key


def _top(root: Path) -> Path:
    try:
        return Path(text(run(root, "rev-parse", "--show-toplevel")).rstrip("\n"))
    except GitError:
        return root
