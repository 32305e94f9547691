"""What became of the files that were written where a person asked for it."""

from __future__ import annotations

from collections.abc import Iterator

from gateline.store.candidates.applying import Applied


def told(applied: Applied) -> Iterator[str]:
    """A line for each thing that was done, and how to take it back."""
    if applied.written:
        yield f"written: {', '.join(applied.written)}"
    if applied.merged:
        yield f"merged with your edits: {', '.join(applied.merged)}"
    for path in applied.conflicts:
        yield f"conflict: {path} was edited meanwhile; your version was kept"
    if applied.savepoint:
        yield f"to undo this: gateline restore {applied.savepoint} --write"
