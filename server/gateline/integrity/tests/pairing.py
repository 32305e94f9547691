"""Which test of now is which test of the base: by name, by content, by likeness."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz

from gateline.integrity.tests.collection import Test

_LIKE = 75.0
"""How alike (0-100) two tests of different names must be to be one."""
_LIKE_OF_ONE_NAME = 25.0
_LIKE_WITH_A_SENTENCE = 60.0
"""The same for tests in which one sentence stands."""
_SENTENCE = re.compile(r"(?=.{20})\w+ \w+ \w+.*")
_TRIED = 300
"""Above this many tests that are left over, only names and equal contents are compared."""


@dataclass
class Pairs:
    """Tests of both sides."""

    both: list[tuple[Test, Test]] = field(default_factory=list)
    gone: list[Test] = field(default_factory=list)
    come: list[Test] = field(default_factory=list)


def paired(base: Iterable[Test], now: Iterable[Test], renames: Mapping[str, str]) -> Pairs:
    """Pairs the tests; `renames` is from a path now to that in the base."""
    pairs = Pairs([], list(base), list(now))

    def base_path(test: Test) -> str:
        return renames.get(test.path, test.path)

    _pair_by(pairs, lambda t: (t.path, t.name, t.print), lambda t: (base_path(t), t.name, t.print))
    _pair_by(pairs, lambda t: (t.node.name, t.print), lambda t: (t.node.name, t.print))
    _pair_by(pairs, lambda t: t.print, lambda t: t.print)
    _pair_by(pairs, lambda t: (t.path, t.name), lambda t: (base_path(t), t.name))
    _pair_alike(pairs, _LIKE_OF_ONE_NAME, lambda old, new: old.node.name == new.node.name)
    _pair_alike(pairs, _LIKE, lambda old, new: True)
    _pair_alike(pairs, _LIKE_WITH_A_SENTENCE, lambda old, new: bool(_sentences(old) & _sentences(new)))
    return pairs


def _sentences(test: Test) -> frozenset[str]:
    """The sentences that a test holds as text: few tests share one by chance."""
    texts = (node.value for node in ast.walk(test.node) if isinstance(node, ast.Constant))
    lines = (line.strip() for text in texts if isinstance(text, str) for line in text.splitlines())
    return frozenset(line for line in lines if _SENTENCE.fullmatch(line))


def _pair_by(pairs: Pairs, of_base: Callable[[Test], Hashable], of_now: Callable[[Test], Hashable]) -> None:
    waiting: dict[Hashable, list[Test]] = {}
    for old in pairs.gone:
        waiting.setdefault(of_base(old), []).append(old)
    for new in list(pairs.come):
        if olds := waiting.get(of_now(new)):
            _pair(pairs, olds.pop(0), new)


def _pair_alike(pairs: Pairs, least: float, may: Callable[[Test, Test], bool]) -> None:
    if len(pairs.gone) > _TRIED or len(pairs.come) > _TRIED:
        return
    scored = sorted(
        (-likeness, i, j) for i, j, likeness in _likenesses(pairs.gone, pairs.come, may) if likeness >= least
    )
    gone, come = list(pairs.gone), list(pairs.come)
    taken: set[tuple[str, int]] = set()
    for _, i, j in scored:
        if not taken & {("gone", i), ("come", j)}:
            taken |= {("gone", i), ("come", j)}
            _pair(pairs, gone[i], come[j])


def _likenesses(
    gone: Sequence[Test], come: Sequence[Test], may: Callable[[Test, Test], bool]
) -> Iterable[tuple[int, int, float]]:
    for i, old in enumerate(gone):
        for j, new in enumerate(come):
            if may(old, new):
                yield i, j, fuzz.ratio(old.print, new.print)


def _pair(pairs: Pairs, old: Test, new: Test) -> None:
    pairs.both.append((old, new))
    pairs.gone.remove(old)
    pairs.come.remove(new)
