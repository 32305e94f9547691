"""Whether a change gives functions other bodies, and does nothing else."""

from __future__ import annotations

from gateline.model import Change, FileChange
from gateline.testing.difference import difference


def exchanges_bodies(change: Change) -> bool:
    """Whether a change does nothing but give functions other bodies. May take some milliseconds a file."""
    return not change.others and all(_exchanges_bodies(row) for row in change.files)


def _exchanges_bodies(row: FileChange) -> bool:
    if row.base is None or row.current is None or row.base.path != row.path:
        return False
    there, back = (difference(*texts) for texts in _both_ways(row.base.text, row.current.text))
    has_other_heads = any(body.is_head for body in there.bodies)
    return not (there.at_import or back.at_import or there.added or back.added or has_other_heads)


def _both_ways(one: str, other: str) -> tuple[tuple[str, str], tuple[str, str]]:
    return (one, other), (other, one)
