"""Commits of public histories, read where they are: what each changed, and the tree that it changed.

Nothing is checked out and nothing is kept.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from gateline.context.chunking.cutting import cut
from gateline.context.index import Index
from gateline.context.values import Cut
from gateline.context.view import View
from gateline.git import run, split, text
from gateline.model import Document
from gateline.session.context.files import is_ours, is_wanted
from gateline.session.workspace.git import Git
from gateline_dev.bench.environments import UnavailableError

_MOST_FILES = 12
"""A commit that changes more is a new formatter, a new year, a move."""
_LARGEST = 1_000_000
_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+", re.MULTILINE)


@dataclass(frozen=True)
class Commit:
    """A commit with one parent, and the files that it changed and that were there before."""

    name: str
    parent: str
    files: tuple[str, ...]


class History:
    """A repository, and an index that is moved from one tree to the next."""

    def __init__(self, folder: Path) -> None:
        """Raises UnavailableError when there is no repository."""
        git = Git.find(folder) if folder.is_dir() else None
        if git is None:
            raise UnavailableError(f"{folder} is no git repository: clone one with its history")
        self.git = git
        self._folder = folder
        self._index = Index()
        self._held: dict[str, str] = {}
        self._cut = lru_cache(maxsize=5_000)(self._cut_anew)

    def commits(self, most: int, among: int = 1_500) -> list[Commit]:
        """Commits that changed several files, spread evenly over the newest `among`, the oldest first."""
        asked = ("rev-list", "--no-merges", "--parents", f"--max-count={among}", "HEAD")
        pairs = [line.split() for line in reversed(text(self._run(*asked)).splitlines())]
        parents = {pair[0]: pair[1] for pair in pairs if len(pair) == 2}
        changed = self._changed(parents)
        found = [Commit(name, parent, changed.get(name, ())) for name, parent in parents.items()]
        fitting = [commit for commit in found if 2 <= len(commit.files) <= _MOST_FILES]
        step = max(len(fitting) / most, 1)
        return [fitting[int(number * step)] for number in range(min(most, len(fitting)))]

    def index_at(self, tree: str) -> Index:
        """The index of a commit's files: the same one at each call, moved to there."""
        now = self._files(tree)
        self._index.remove(path for path in self._held if path not in now)
        changed = {path: blob for path, blob in now.items() if self._held.get(path) != blob}
        self._index.replace([made for path, blob in changed.items() if (made := self._cut(path, blob))])
        self._held = now
        return self._index

    def text(self, tree: str, path: str) -> str:
        """What stood in a file."""
        return self._run("cat-file", "blob", f"{tree}:{path}").decode("utf-8", "replace")

    def lines_changed(self, commit: Commit, path: str) -> list[int]:
        """The zero-based lines, as they were before, at which a commit changed a file."""
        flags = ("--no-ext-diff", "--no-textconv", "--no-color", "-U0")
        patch = self._run("diff-tree", "-p", *flags, commit.parent, commit.name, "--", path)
        hunks = [(int(m[1]), int(m[2] or 1)) for m in _HUNK.finditer(patch)]
        return [line for first, count in hunks for line in range(first - 1, first - 1 + max(count, 1))]

    def _changed(self, names: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """The files that each commit changed, and that were there before and after."""
        flags = ("--stdin", "-r", "-z", "--no-renames", "--name-only", "--diff-filter=M")
        known = set(names)
        found: dict[str, list[str]] = {}
        listed: list[str] = []
        for one in split(self._run("diff-tree", *flags, stdin="".join(f"{n}\n" for n in known).encode())):
            if one in known:
                listed = found.setdefault(one, [])
            elif is_wanted(one):
                listed.append(one)
        return {name: tuple(paths) for name, paths in found.items()}

    def _files(self, tree: str) -> dict[str, str]:
        entries = split(self._run("ls-tree", "-r", "-z", "-l", tree))
        return dict(found for entry in entries if (found := _file(entry)))

    def _cut_anew(self, path: str, blob: str) -> Cut | None:
        content = self._run("cat-file", "blob", blob).decode("utf-8", "replace")
        return cut(Document(path, content)) if is_ours(content) else None

    def _run(self, *arguments: str, stdin: bytes = b"") -> bytes:
        return run(self._folder, *arguments, stdin=stdin)


def _file(entry: str) -> tuple[str, str] | None:
    """A regular file of a tree that may hold context: its path and the name of its content."""
    about, _, path = entry.partition("\t")
    mode, kind, blob, size = about.split()
    regular = kind == "blob" and mode.startswith("100")
    return (path, blob) if regular and is_wanted(path) and int(size) <= _LARGEST else None


def symbols(view: View, path: str, lines: Iterable[int], most: int) -> list[int]:
    """The rows of a file that stand around some lines, those with most of them first."""
    rows = (view.at(path, line) for line in lines)
    counted = Counter(row for row in rows if row is not None)
    return sorted(counted, key=lambda row: (-counted[row], row))[:most]
