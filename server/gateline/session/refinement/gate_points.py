"""Asks the verifier about files and changes of a workspace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from gateline.model import Change, Document, Evaluation
from gateline.model.change import FileStatus
from gateline.refinement.verifier import commit, implementation, plan, specification
from gateline.refinement.verifier.codebase import Codebase, codebase
from gateline.refinement.verifier.commit import Added, Commit
from gateline.refinement.verifier.implementation import Implementation
from gateline.refinement.verifier.judged import judged
from gateline.refinement.verifier.steps import read_steps
from gateline.refinement.verifier.values import Check, GatePoint, Verification
from gateline.session.errors import UsageError
from gateline.session.workspace.workspace import Workspace

_LARGEST = 1_000_000
"""Bytes of a file whose names are read."""


@dataclass(frozen=True, slots=True)
class Looks:
    """What a check looks at, for people."""

    id: str
    looks_at: str


def checks_of(point: GatePoint) -> tuple[Looks, ...]:
    """All checks of a gate point."""
    found: Mapping[GatePoint, Sequence[Check[Any]]] = {
        GatePoint.SPECIFICATION: specification.CHECKS,
        GatePoint.PLAN: plan.CHECKS,
        GatePoint.IMPLEMENTATION: implementation.CHECKS,
        GatePoint.COMMIT: (*commit.GATE_CHECKS, *commit.TEXT_CHECKS),
    }
    return tuple(Looks(check.id, check.looks_at) for check in found[point])


def project_of(workspace: Workspace) -> Codebase:
    """The files and names of a workspace. Blocks."""
    paths = workspace.collector.files(lambda path: True)
    texts: dict[str, str] = {}
    for path in paths:
        file = workspace.root / path
        if path.endswith(".py") and file.is_file() and file.stat().st_size <= _LARGEST:
            texts[path] = file.read_bytes().decode("utf-8", "replace")
    return codebase(texts, [path for path in paths if (workspace.root / path).exists()])


def specified(workspace: Workspace, file: Path) -> Verification:
    """Whether a specification is sufficient. Blocks. Raises UsageError."""
    return specification.verify_specification(_read(file), project_of(workspace))


def planned(workspace: Workspace, file: Path, specification_file: Path | None) -> Verification:
    """Whether a plan is sufficient. Blocks. Raises UsageError."""
    told = _read(specification_file) if specification_file else ""
    return plan.verify_plan(_read(file), project_of(workspace), told)


def implemented(evaluation: Evaluation, plan_file: Path | None, todos: Sequence[str]) -> Verification:
    """Whether what was judged is sufficient. Blocks. Raises UsageError."""
    steps = read_steps(_read(plan_file)) if plan_file else ()
    paths = tuple(dict.fromkeys(path for step in steps for path in step.paths))
    work = Implementation(judged(evaluation), evaluation.decision.status, paths, tuple(todos))
    return implementation.verify_implementation(work)


def committed(evaluation: Evaluation, change: Change, message: Path | None) -> Verification:
    """Whether what is staged, and was judged, may be committed. Blocks. Raises UsageError."""
    found = judged(evaluation)
    text = _read(message) if message else None
    whole = Commit(text or "", found, found.content, tuple(_added(change)))
    verified = commit.verify_commit(whole)
    if message is not None:
        return verified
    # Without a message nothing is to be said of it: it is not written yet.
    reasons = tuple(reason for reason in verified.reasons if reason.check != "commit.message")
    checks = tuple(check for check in verified.checks if check != "commit.message")
    return Verification(verified.point, reasons, checks)


def _added(change: Change) -> Iterator[Added]:
    for row in (*change.files, *change.others):
        if row.current is not None:
            lines = tuple(_new_lines(row.base, row.current))
            yield Added(row.path, lines, row.status is FileStatus.ADDED)


def _new_lines(base: Document | None, current: Document) -> Iterator[tuple[int, str]]:
    """The lines that differ from the base, with their numbers from 1."""
    before = base.text.splitlines() if base is not None else []
    after = current.text.splitlines()
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for tag, _, _, first, last in matcher.get_opcodes():
        if tag in ("insert", "replace"):
            yield from ((number + 1, after[number]) for number in range(first, last))


def _read(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8")
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{file} is no text in UTF-8; give a Markdown file") from None
