"""What a savepoint did not hold though it may have been there: what it lacks is not always newer."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection, Sequence
from pathlib import Path

from gateline.git import joined, split
from gateline.store.savepoints.coverage import SPARSE, Coverage
from gateline.store.savepoints.permissions import around
from gateline.store.savepoints.shadow import Entry
from gateline.store.savepoints.taking import Savepoints
from gateline.store.savepoints.values import Savepoint

EARLIER = "an earlier version took the savepoint, and did not record what it left out"
_RULES = "its ignore rules leave it out"


def differing(savepoints: Savepoints, old: Savepoint, new: Savepoint) -> tuple[str, ...]:
    """The files that are known to differ between two savepoints, sorted. Blocks. Raises SavepointError."""
    how = ("-r", "-z", "--raw", "--no-renames")
    fields = savepoints.shadow.names("diff-tree", *how, old.tree, new.tree)
    rows = dict(zip(fields[1::2], (head.split(" ") for head in fields[::2]), strict=True))
    unknown: set[str] = set()
    for lacking, mark, kept in ((old, "A", 3), (new, "D", 2)):
        blobs = {path: row[kept] for path, row in rows.items() if row[4] == mark}
        gaps = Gaps(savepoints, lacking)
        committed = gaps.committed(blobs)
        reasons = gaps.reasons([path for path in blobs if path not in committed])
        unknown.update(path for path, why in reasons.items() if why != EARLIER)
        unknown.update(path for path, (_, blob) in committed.items() if blob == blobs[path])
    return tuple(sorted(path for path in rows if path not in unknown))


class Gaps:
    """The gaps of one savepoint. Methods block and raise SavepointError."""

    def __init__(self, savepoints: Savepoints, savepoint: Savepoint) -> None:
        self.coverage = savepoints.coverage(savepoint)
        """None: nobody knows."""
        self._shadow = savepoints.shadow
        self._savepoint = savepoint
        self._uncovered = {row.path: row.reason for row in savepoint.uncovered}

    def reasons(self, paths: Sequence[str]) -> dict[str, str]:
        """Why files that the savepoint lacks may have been there; without those that were not."""
        found = {path: why for path in paths if (why := self.reason(path))}
        rest = [path for path in paths if path not in found]
        rules = self.coverage.rules if self.coverage else ()
        return found | dict.fromkeys(self._left_out(rules, rest), _RULES) | self._sparse(rest)

    def committed(self, paths: Collection[str]) -> dict[str, Entry]:
        """Those of some files that were kept out of the work tree, as they are in the commit of then."""
        coverage = self.coverage
        if coverage is None or not coverage.sparse:
            return {}
        kept_out = [path for path in paths if coverage.is_sparse(path)]
        known = self._shadow.files_of(self._savepoint.head, kept_out) if kept_out else {}
        return {path: known[path] for path in kept_out if path in known}

    def has(self, path: str) -> bool:
        """Whether something of a name is known that is not held."""
        known = self.coverage or Coverage()
        held_back = {*self._uncovered, *known.ignored, *known.sparse, *known.submodules}
        return path in held_back or f"{path}/" in held_back or bool(known.reason(path))

    def reason(self, path: str) -> str:
        """Why a file was not held, as far as that was recorded; "" when it would have been held."""
        for known in (path, *around(path)):
            if known in self._uncovered:
                return f"the savepoint does not cover it: {self._uncovered[known]}"
        if self.coverage is None:
            return EARLIER
        reason = self.coverage.reason(path)
        return f"the savepoint does not cover it: {reason}" if reason else ""

    def _sparse(self, paths: Sequence[str]) -> dict[str, str]:
        return dict.fromkeys(self.committed(paths), f"the savepoint does not cover it: {SPARSE}")

    def _left_out(self, rules: Sequence[str], paths: Sequence[str]) -> set[str]:
        """The paths that the ignore rules of then leave out: `rules`, and the files of the tree."""
        if not paths:
            return set()
        with tempfile.TemporaryDirectory(prefix="gateline-rules-") as folder:
            scratch = Path(folder)
            names = self._shadow.names("ls-tree", "-r", "-z", "--name-only", self._savepoint.tree)
            wanted = [name for name in names if name.rpartition("/")[2] == ".gitignore"]
            self._shadow.check_out(self._savepoint.tree, scratch, wanted)
            return {path for text in (rules or ("",)) for path in self._ignored(scratch, text, paths)}

    def _ignored(self, scratch: Path, rules: str, paths: Sequence[str]) -> list[str]:
        """Those of some paths that rules leave out, together with the ignore files in a folder."""
        own = scratch / ".git-rules"
        # git fails where nothing is ignored, so that one path always is.
        own.write_bytes(os.fsencode(f"/{own.name}\n{rules}"))
        asked = ("-c", f"core.excludesFile={own}", "check-ignore", "-z", "--no-index", "--stdin")
        place = {"GIT_WORK_TREE": str(scratch), "GIT_INDEX_FILE": str(scratch / ".git-index")}
        found = split(
            self._shadow.run(*asked, stdin=joined([own.name, *paths]), environment=place, at=scratch)
        )
        return [path for path in found if path != own.name]
