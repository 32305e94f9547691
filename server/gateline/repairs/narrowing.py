"""Only what a repair touches: two texts with every statement that is the same in both taken out.

The house rules compare two texts. Between two that differ in one statement, the thousand lines around it
would only cost time: many candidates are looked at within a second.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from gateline.model import Source
from gateline.model.document import split_lines

Lines = range
"""Of a statement, zero-based."""
Hunk = tuple[str, int, int, int, int]
"""As `difflib` tells it: what became of lines, their range before, and after."""


def narrowed(before: Source, after: str) -> tuple[str, str] | None:
    """Both texts with the lines of unchanged statements emptied, so that every other line keeps its number.

    None when there is nothing to take out, or the text before does not parse.
    """
    if before.tree is None:
        return None
    old, new = split_lines(before.text), split_lines(after)
    hunks = _hunks(old, new)
    kept = _kept(before.tree, hunks)
    left = _emptied(old, kept | {n for tag, i, j, _, _ in hunks if tag != "equal" for n in range(i, j)})
    right = _emptied(new, {n for tag, i, j, k, m in hunks for n in _now(tag, range(i, j), range(k, m), kept)})
    return (left, right) if _parses(left) else None


def _hunks(old: Sequence[str], new: Sequence[str]) -> list[Hunk]:
    """What is equal and what differs; equal lines at both ends first, since `difflib` is slow with many."""
    most = min(len(old), len(new))
    head = next((n for n in range(most) if old[n] != new[n]), most)
    tail = next((n for n in range(most - head) if old[-1 - n] != new[-1 - n]), most - head)
    middle = SequenceMatcher(None, old[head : len(old) - tail], new[head : len(new) - tail], autojunk=False)
    return [
        ("equal", 0, head, 0, head),
        *((tag, i + head, j + head, k + head, m + head) for tag, i, j, k, m in middle.get_opcodes()),
        ("equal", len(old) - tail, len(old), len(new) - tail, len(new)),
    ]


def _now(tag: str, was: Lines, lines: Lines, kept: set[int]) -> Iterator[int]:
    """The lines after the repair: those that changed, and those kept of before."""
    if tag != "equal":
        yield from lines
    else:
        yield from (line for old, line in zip(was, lines, strict=True) if old in kept)


def _kept(tree: ast.Module, hunks: Sequence[Hunk]) -> set[int]:
    changed = [(i, j) for tag, i, j, _, _ in hunks if tag != "equal"]
    return {line for lines in _touched(tree.body, changed) for line in lines}


def _touched(body: Sequence[ast.stmt], changed: Sequence[tuple[int, int]]) -> Iterator[Lines]:
    """The lines of the statements in which something changed; of a class its head and what changed in it."""
    for node in body:
        lines = _lines(node)
        if not any(_meet(lines, hunk) for hunk in changed):
            continue
        if isinstance(node, ast.ClassDef):
            yield range(lines.start, _lines(node.body[0]).start)
            yield from _touched(node.body, changed)
        else:
            yield lines


def _lines(node: ast.stmt) -> Lines:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return range(min([node.lineno, *(d.lineno for d in decorators)]) - 1, node.end_lineno or node.lineno)


def _meet(lines: Lines, hunk: tuple[int, int]) -> bool:
    """Lines that are put right behind a statement may belong to it."""
    return hunk[0] <= lines.stop and lines.start <= max(hunk[0], hunk[1] - 1)


def _emptied(rows: Sequence[str], kept: set[int]) -> str:
    return "".join(row if number in kept else "\n" for number, row in enumerate(rows))


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
