"""The texts that files would have after an agent's edits, worked out from what is on disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gateline.hooks.occasion import Edit, Patch, Replace, Write

Read = Callable[[str], str | None]
"""The text of a file; None where there is none."""


def proposed(edits: Sequence[Edit], read: Read) -> dict[str, str | None]:
    """Whole texts by path. An edit that does not fit the text there changes nothing: its tool refuses."""
    texts: dict[str, str | None] = {}
    for edit in edits:
        now = texts[edit.path] if edit.path in texts else read(edit.path)
        if isinstance(edit, Write):
            texts[edit.path] = edit.text
        elif isinstance(edit, Replace):
            if (text := _replaced(now, edit)) is not None:
                texts[edit.path] = text
        elif (text := _patched(now, edit)) is not None:
            texts[edit.moved_to or edit.path] = text
            if edit.moved_to:
                texts[edit.path] = None
    return texts


def _replaced(now: str | None, edit: Replace) -> str | None:
    if not edit.old:
        return edit.new if not now else None
    if now is None or edit.old not in now:
        return None
    return now.replace(edit.old, edit.new, -1 if edit.everywhere else 1)


def _patched(now: str | None, edit: Patch) -> str | None:
    """The text after all hunks, each below the one before."""
    if now is None:
        return None
    lines = now.split("\n")
    at = 0
    for before, after in edit.hunks:
        found = _place(lines, before, at)
        if found is None:
            return None
        lines[found : found + len(before)] = after
        at = found + len(after)
    return "\n".join(lines)


def _place(lines: Sequence[str], wanted: Sequence[str], start: int) -> int | None:
    """Where lines stand from `start` on, first exactly, then without what ends them."""
    if not wanted:
        return len(lines) - 1 if lines and not lines[-1] else len(lines)
    for bare in (str, str.rstrip, str.strip):
        told = [bare(line) for line in wanted]
        for at in range(start, len(lines) - len(wanted) + 1):
            if [bare(line) for line in lines[at : at + len(wanted)]] == told:
                return at
    return None
