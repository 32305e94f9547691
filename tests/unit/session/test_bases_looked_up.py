"""The bases of open documents, looked up in a thread while the base may move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from gateline.model import Document
from gateline.session.judge.gathering import Gathering
from gateline.session.judge.verdicts import Verdicts
from gateline.session.live.documents import Documents


class Worktree:
    """Gives what the commit of now holds; `meanwhile` happens once, while it is read."""

    def __init__(self) -> None:
        self.text = "x = 1\n"
        self.meanwhile: Callable[[], None] = lambda: None
        self.asked: list[tuple[str, ...]] = []

    def bases_of(self, paths: Sequence[str]) -> dict[str, Document | None]:
        self.asked.append(tuple(paths))
        found: dict[str, Document | None] = {path: Document(path, self.text) for path in paths}
        happens, self.meanwhile = self.meanwhile, lambda: None
        happens()
        return found


async def looked_up(documents: Documents, worktree: Worktree) -> None:
    tools: Any = SimpleNamespace(worktree=worktree)
    await Gathering(documents, Verdicts(lambda _: None)).know_bases(tools)


async def test_a_base_that_moved_while_it_was_read_is_read_again() -> None:
    documents, worktree = Documents(), Worktree()
    documents.open("a.py", "x = 2\n", 1)

    def commit() -> None:
        worktree.text = "x = 2\n"
        documents.forget_bases()

    worktree.meanwhile = commit
    await looked_up(documents, worktree)
    assert documents.base("a.py") == Document("a.py", "x = 2\n") and not documents.differ
    assert worktree.asked == [("a.py",), ("a.py",)]


async def test_a_base_that_stays_is_read_once() -> None:
    documents, worktree = Documents(), Worktree()
    documents.open("a.py", "x = 2\n", 1)
    await looked_up(documents, worktree)
    await looked_up(documents, worktree)
    assert documents.differ and worktree.asked == [("a.py",)]
