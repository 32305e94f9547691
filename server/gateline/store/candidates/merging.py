"""Three-way merges of texts."""

from __future__ import annotations

import tempfile
from pathlib import Path

from gateline.git import GitError, run


def merged(now: bytes, before: bytes, after: bytes) -> bytes | None:
    """What leads from `before` to `after`, made in `now`; None where both touch the same lines. Blocks."""
    with tempfile.TemporaryDirectory(prefix="gateline-merge-") as scratch:
        for name, data in (("now", now), ("before", before), ("after", after)):
            (Path(scratch) / name).write_bytes(data)
        try:
            return run(Path(scratch), "merge-file", "-p", "--quiet", "now", "before", "after")
        except GitError:
            return None
