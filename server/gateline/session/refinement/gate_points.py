"""Asks the verifier about files and changes of a workspace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from gateline.gates.evaluate import content_name
from gateline.model import Change, Evaluation
from gateline.model.change import FileStatus
from gateline.model.lines import changed_lines
from gateline.refinement.verifier import commit, implementation, plan, specification
from gateline.refinement.verifier.codebase import Codebase, codebase
from gateline.refinement.verifier.commit import Added, Commit
from gateline.refinement.verifier.implementation import Implementation
from gateline.refinement.verifier.judged import judged
from gateline.refinement.verifier.steps import read_steps
from gateline.refinement.verifier.values import Verification
from gateline.session.errors import UsageError
from gateline.session.workspace.workspace import Workspace

_LARGEST = 1_000_000
"""Bytes of a file whose names are read."""


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
    return specification.verify_specification(text_of(file), project_of(workspace))


def planned(workspace: Workspace, file: Path, specification_file: Path | None) -> Verification:
    """Whether a plan is sufficient. Blocks. Raises UsageError."""
    told = text_of(specification_file) if specification_file else None
    return plan.verify_plan(text_of(file), project_of(workspace), told)


def implemented(
    evaluation: Evaluation, change: Change, plan_file: Path | None, todos: Sequence[str]
) -> Verification:
    """Whether what was judged is sufficient; `change` is read after it. Blocks. Raises UsageError."""
    work = Implementation(
        judged(evaluation),
        evaluation.decision.status,
        _planned(plan_file) if plan_file else None,
        tuple(todos),
        content_name(change),
    )
    return implementation.verify_implementation(work)


def _planned(plan_file: Path) -> tuple[str, ...]:
    return tuple(dict.fromkeys(path for step in read_steps(text_of(plan_file)) for path in step.paths))


def committed(evaluation: Evaluation, change: Change, message: Path | None) -> Verification:
    """Whether what is staged may be committed; `change` is read after it was judged.

    Blocks. Raises UsageError.
    """
    text = text_of(message) if message else None
    whole = Commit(text, judged(evaluation), content_name(change), tuple(_added(change)))
    return commit.verify_commit(whole)


def _added(change: Change) -> Iterator[Added]:
    for row in (*change.files, *change.others):
        if row.current is not None:
            lines = row.current.text.splitlines()
            base = row.base.text.splitlines() if row.base is not None else []
            new = tuple((number + 1, lines[number]) for number in sorted(changed_lines(base, lines)))
            yield Added(row.path, new, row.status is FileStatus.ADDED)


def text_of(file: Path) -> str:
    """The text of a specification, a plan or a message. Blocks. Raises UsageError."""
    try:
        return file.read_bytes().decode("utf-8")
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{file} is not UTF-8 text; give a Markdown file") from None
