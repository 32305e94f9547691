"""What a savepoint knows of what it does not hold: only what it would have held can be newer than it."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import asdict, dataclass, replace

from gateline.store.savepoints.permissions import Permissions, around

IGNORED = "it was ignored"
SPARSE = "it was outside of the sparse checkout"
SUBMODULE = "a submodule was there"


@dataclass(frozen=True, slots=True)
class Coverage:
    """What was there and is not held, besides what the savepoint names; and the permissions of the rest."""

    ignored: frozenset[str] = frozenset()
    """A folder ends with a slash, and stands for all in it."""
    sparse: frozenset[str] = frozenset()
    """What git keeps out of the work tree (skip-worktree), in the same way: files of the commit only."""
    submodules: frozenset[str] = frozenset()
    """Folders that belong to a submodule, filled or not."""
    rules: tuple[str, ...] = ()
    """Texts of ignore rules that no file of the tree holds: `info/exclude` and the person's own."""
    permissions: Permissions | None = None
    """None where the file system has none that count."""

    def reason(self, path: str) -> str:
        """Why a file was not held though it may have been there; "" when it would have been held.

        Not asked here: the rules, and what is outside of a sparse checkout.
        """
        if path in self.ignored or any(f"{folder}/" in self.ignored for folder in around(path)):
            return IGNORED
        return SUBMODULE if not self.submodules.isdisjoint((path, *around(path))) else ""

    def is_sparse(self, path: str) -> bool:
        """Whether a file of the commit was kept out of the work tree."""
        return path in self.sparse or any(f"{folder}/" in self.sparse for folder in around(path))

    def joined(self, other: Coverage) -> Coverage:
        """What was not held at one of two moments."""
        return replace(
            self,
            ignored=self.ignored | other.ignored,
            sparse=self.sparse | other.sparse,
            submodules=self.submodules | other.submodules,
            rules=tuple(dict.fromkeys((*self.rules, *other.rules))),
        )


def written(coverage: Coverage) -> bytes:
    """As it is kept: the same coverage gives the same bytes."""
    plain = asdict(coverage) | {
        name: sorted(getattr(coverage, name)) for name in ("ignored", "sparse", "submodules")
    }
    return json.dumps(plain, sort_keys=True).encode()


def read(data: bytes) -> Coverage:
    """What `written` wrote. Raises ValueError, KeyError and TypeError for anything else."""
    plain = json.loads(data)
    bits = plain.pop("permissions")
    sets = {name: frozenset(plain.pop(name)) for name in ("ignored", "sparse", "submodules")}
    rules = tuple(plain.pop("rules"))
    return Coverage(**sets, rules=rules, permissions=None if bits is None else Permissions(**bits))


def collapsed(kept_out: Collection[str], present: Collection[str]) -> dict[str, list[str]]:
    """Paths by the largest folder, with a slash, that holds none of `present`; each other by itself."""
    occupied = {folder for path in present for folder in around(path)}
    found: dict[str, list[str]] = {}
    for path in kept_out:
        free = [folder for folder in around(path) if folder not in occupied]
        found.setdefault(f"{free[-1]}/" if free else path, []).append(path)
    return found
