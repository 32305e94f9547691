"""Which edits are judged before they are made: those of tests, settings, pipelines and hooks."""

from __future__ import annotations

import os

_GIT = ".git"


def is_guarded(path: str) -> bool:
    """Whether a file says how changes are judged, told by its path from the root."""
    # Late: most edits are of the product, and need none of it.
    from gateline.integrity.file_roles import is_configuration, is_expected, is_pipeline, is_test

    return any(test(path) for test in (is_test, is_configuration, is_pipeline, is_expected))


def git_own(path: str) -> bool:
    """Whether a file belongs to git itself: no gate judges it."""
    return _GIT in (part.lower() for part in path.split("/"))


def loses_hooks(before: str | None, after: str | None) -> bool:
    """Whether an agent's settings call gateline's hooks, and would call fewer of them."""
    mark = "gateline hook "
    return (before or "").count(mark) > (after or "").count(mark)


def path_within(root: str, cwd: str, path: str) -> str | None:
    """The path from the root, with `/`; None for a file that lies elsewhere, also behind a link."""
    full = os.path.join(cwd, os.path.expanduser(path))
    real = os.path.join(os.path.realpath(os.path.dirname(full)), os.path.basename(full))
    real = os.path.realpath(real) if os.path.islink(real) else real
    inside = os.path.relpath(os.path.normpath(real), os.path.realpath(root))
    return (
        None if inside.split(os.sep)[0] == os.pardir or os.path.isabs(inside) else inside.replace(os.sep, "/")
    )
