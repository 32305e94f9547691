"""Remembers how failures were fixed, and what recurs as a lesson."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from gateline.memory.recurring import ENOUGH, Fix, lesson_of
from gateline.refinement.state import Kind, LoopState
from gateline.session.errors import UsageError
from gateline.session.memory.memory import memory_of
from gateline.store.database import StoreError
from gateline.store.fixes import Fixes


def fixed(root: Path, occurrence: str, fixes: Iterable[Fix], folder: Path | None = None) -> str:
    """Note fixes that were made, and remember those that recur; what went wrong, empty when nothing did.

    `occurrence` names what they were made in, so that it counts once. `folder` replaces the user's state
    folder. Blocks; no fix depends on it.
    """
    made = list(dict.fromkeys(fixes))
    if not made:
        return ""
    try:
        with memory_of(root, (), folder) as memory:
            known = Fixes(memory.database)
            for fix in made:
                times, paths = known.add(fix, occurrence, memory.clock())
                if times == ENOUGH:
                    memory.remember(lesson_of(fix, times, paths))
    except (StoreError, UsageError) as error:
        return f"how it was fixed was not remembered: {error}"
    return ""


def fixes_of(state: LoopState, changed: tuple[str, ...]) -> list[Fix]:
    """What an accepted loop fixed: the failures that it began with, by the files that it changed."""
    if state.ended is None or state.ended.kind is not Kind.ACCEPT or state.start is None or not changed:
        return []
    way = f"changing {', '.join(changed[:5])}{' and others' if len(changed) > 5 else ''}"
    path = changed[0] if len(changed) == 1 else ""
    return [Fix(f"{one.test}: {one.error}", way, path) for one in state.start.open if one.error]
