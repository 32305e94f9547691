"""What unittest is told to look for, and how that became less."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

_WIDE = re.compile(r"|\*\.py|\*?_?tests?_?\*?\.py")
"""Patterns of files that are as good as that which holds without any."""
_NAME = re.compile(r"[a-z_][\w.]*")


def left_out(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """How the arguments of now leave out tests that those of the base took in."""
    had, has = _given(old, "-p", "--pattern"), _given(new, "-p", "--pattern")
    if has != had and not _WIDE.fullmatch(has):
        yield f"only files that match `{has}` are searched for tests"
    if any(word.startswith("-k") for word in {*new} - {*old}):
        yield "`-k` excludes tests"
    start, begins = (_given(words, "-s", "--start-directory").strip("./") for words in (old, new))
    if begins != start and begins.startswith(f"{start}/".lstrip("/")):
        yield f"only `{begins}` is searched for tests"
    yield from _named(_names(old), _names(new))


def _named(before: Sequence[str], now: Sequence[str]) -> Iterator[str]:
    # Without names all tests are looked for.
    if "discover" in now or not now:
        return
    if not before or "discover" in before:
        yield f"only {', '.join(now)} is run; all tests were before"
    elif lost := [name for name in before if not any(_is_of(name, other) for other in now)]:
        yield f"{', '.join(lost)} is no longer run"


def _names(words: Sequence[str]) -> list[str]:
    values = {following for word, following in pairwise(words) if word.startswith("-")}
    return [word for word in words if _NAME.fullmatch(word) and word not in values]


def _given(words: Sequence[str], *names: str) -> str:
    """What stands behind an option; "" without it."""
    joined = [word.partition("=")[2] for word in words if word.partition("=")[0] in names and "=" in word]
    return next(iter([*joined, *(b for a, b in pairwise(words) if a in names)]), "")


def _is_of(name: str, other: str) -> bool:
    return name == other or name.startswith(f"{other}.")
