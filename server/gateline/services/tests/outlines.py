"""What can be executed in texts, asked of the process that has the project's coverage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gateline.model import State
from gateline.services.child import Child, ChildDiedError, ChildTimeoutError, last_line
from gateline.services.tests import reading
from gateline.testing.outline import NoOutline, Outlined

_PATIENCE = 30.0
"""Seconds for all texts together; then the one that was looked at is given up."""
_GIVEN_UP = 3
"""Texts that may cost the process; then nothing more is asked."""


async def outlined(
    child: Child, texts: Mapping[str, str], settings: Mapping[str, str | None]
) -> dict[str, Outlined]:
    """What can be executed in these texts, by path. A text that ends the process costs itself, not the rest.

    Raises ChildError where nobody can tell of any.
    """
    found: dict[str, Outlined] = {}
    lost: dict[str, Outlined] = {}

    def take(part: dict[str, Any]) -> None:
        found[part["path"]] = reading.outline(part)

    while waiting := {path: text for path, text in texts.items() if path not in found and path not in lost}:
        try:
            await child.ask({"do": "outline", "texts": waiting, "settings": dict(settings)}, _PATIENCE, take)
        except (ChildDiedError, ChildTimeoutError) as error:
            guilty = next((path for path in waiting if path not in found), "")
            lost[guilty] = NoOutline(f"coverage.py cannot read it: {last_line(error)}", State.FAILED)
            if len(lost) > _GIVEN_UP or (not found and len(lost) > 1):
                # It does not lie with the texts.
                raise
    return lost | found
