"""How mypy is run in a workspace. Imports little: it is asked for before sessions are imported."""

from __future__ import annotations

import contextlib
from importlib.metadata import version
from pathlib import Path

from gateline.model import digest_of
from gateline.services.types.messages import Setup
from gateline.session.tests.consent import Answer, Consents
from gateline.session.workspace.untrusted_interpreter import stand_in
from gateline.store.folders import types_record, user_cache

SWITCHED_OFF = 'types.plugins is "never"; set it to "trusted"'
_NOBODY_AGREED = (
    "it is code of this project, which runs while you edit only after somebody agreed that its tests do; "
    "agree with the command gateline.tests.allow"
)
_NOTHING = b"{}"
"""A record that says nothing."""


def type_setup(root: Path, python: str, *, trusted: bool, agreed: bool | None = None) -> Setup:
    """With the project's own settings, and plug-ins where somebody agreed that its code runs. Blocks.

    An interpreter of the workspace runs only where that is trusted. Before it is known what people would
    agree to, `agreed` is None: what was said last in this workspace is a good guess.
    """
    if agreed is None:
        said = Consents().of(root)
        agreed = said is not None and said.answer is Answer.ALLOWED
    plugins = trusted and agreed
    refused = _NOBODY_AGREED if trusted and not agreed else ""
    if not trusted:
        python = stand_in(python, root, user_cache() / "interpreters")
    cache, record = types_cache(root, python), types_record(root)
    return Setup(
        str(root), python, str(cache), plugins=plugins, refused=refused, trusted=trusted, record=str(record)
    )


def remember_without_mypy(root: Path) -> None:
    """Keep that mypy does not check types here: nothing is built for the next start. Blocks."""
    record = types_record(root)
    with contextlib.suppress(OSError):
        if not is_without_mypy(root):
            record.parent.mkdir(parents=True, exist_ok=True)
            record.write_bytes(_NOTHING)


def is_without_mypy(root: Path) -> bool:
    """Whether mypy did not check types the last time. Blocks."""
    try:
        return types_record(root).read_bytes() == _NOTHING
    except OSError:
        return False


def types_cache(root: Path, python: str) -> Path:
    """Where mypy remembers this project: in the user's cache, never in the project."""
    key = "\0".join((str(root.resolve()), python, version("mypy"), version("ast-serialize")))
    return user_cache() / "mypy" / digest_of(key)
