"""The shortest list of operations that still shows a difference."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gateline_dev.sessions.operations import Op

Shows = Callable[[Sequence[Op]], bool]


def shrunk(ops: Sequence[Op], shows: Shows, most: int = 120) -> tuple[Op, ...]:
    """Leave out what can be left out; `shows` is asked at most so many times."""
    kept, size, asked = list(ops), max(1, len(ops) // 2), 0
    while size and asked < most:
        start, smaller = 0, False
        while start < len(kept) and asked < most:
            shorter = kept[:start] + kept[start + size :]
            asked += 1
            if shorter and shows(shorter):
                kept, smaller = shorter, True
            else:
                start += size
        if not smaller:
            size //= 2
    return tuple(kept)
