"""What stands where it may not: imports below code, a bare `except` above others, `await` without `async`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gateline.repairs.syntax.layout import Statement
from gateline.repairs.syntax.site import Change, Site, insert, replace
from gateline.repairs.syntax.tokens import Kind

_TOP = re.compile(r"^from __future__ imports must|^import \* only allowed")
_AWAITED = re.compile(r"^'?(?:await|async \w+|asynchronous comprehension)'? outside")


def to_the_top(site: Site) -> Iterator[Change]:
    """An import that only the beginning of a module, or its outermost level, may hold."""
    if not _TOP.search(site.message):
        return
    rows, statement = site.layout.statements, site.statement
    words = {"from", "import"} if site.message.startswith("import") else {"from"}
    first = next((n for n, s in enumerate(rows) if not _is_opening(site, s, words)), site.number)
    at = site.layout.starts[rows[first].line]
    text = site.text[site.tokens[statement.first].start : site.tokens[statement.end - 1].end]
    yield Change("import to the top", ((at, at, f"{text}\n"), _taken_out(site)), statement.first)


def _is_opening(site: Site, statement: Statement, words: set[str]) -> bool:
    """The docstring, or an import that may stand above."""
    row = site.tokens[statement.first : statement.end]
    is_future = [t.text for t in row[:2]] == ["from", "__future__"]
    return not statement.width and (
        row[0].kind is Kind.STRING or is_future or ("import" in words and row[0].text in words)
    )


def _taken_out(site: Site) -> tuple[int, int, str]:
    """The failing line goes; `pass` takes its place where it was all of a block."""
    rows, number = site.layout.statements, site.number
    statement = rows[number]
    first, last = site.tokens[statement.first], site.tokens[statement.end - 1]
    begins = number > 0 and rows[number - 1].width < statement.width
    if begins and (number + 1 == len(rows) or rows[number + 1].width < statement.width):
        return first.start, last.end, "pass"
    return site.layout.starts[statement.line], min(last.end + 1, len(site.text)), ""


def bare_except(site: Site) -> Iterator[Change]:
    """`except:` comes behind all others."""
    if "must be last" not in site.message:
        return
    rows, width = site.layout.statements, site.statement.width
    first = next((n for n in range(site.number, -1, -1) if _is_bare(site, rows[n])), None)
    if first is None:
        return
    starts = [n for n in range(first + 1, len(rows)) if rows[n].width <= width] + [len(rows)]
    ends = [n for n in starts if n == len(rows) or site.tokens[rows[n].first].text != "except"]
    begin, middle, end = (_offset(site, n) for n in (first, starts[0], ends[0]))
    moved, others = site.text[begin:middle], site.text[middle:end]
    gap = "" if others.endswith("\n") else "\n"
    yield Change("bare except last", ((begin, end, others + gap + moved),), site.statement.first)


def _is_bare(site: Site, statement: Statement) -> bool:
    return [t.text for t in site.tokens[statement.first : statement.end]] == ["except", ":"]


def _offset(site: Site, number: int) -> int:
    rows = site.layout.statements
    return site.layout.starts[rows[number].line] if number < len(rows) else len(site.text)


def awaited(site: Site) -> Iterator[Change]:
    """The function that awaits is an asynchronous one."""
    if not _AWAITED.search(site.message):
        return
    width = site.statement.width
    for statement in reversed(site.layout.statements[: site.number]):
        width = min(width, statement.width)
        if site.tokens[statement.first].text == "def" and statement.width <= width < site.statement.width:
            yield insert("missing async", site.tokens[statement.first].start, "async ", statement.first)
            return


def left(site: Site) -> Iterator[Change]:
    """`break` and `continue` leave a loop: the `if` around them was to be one."""
    if "loop" not in site.message:
        return
    width = site.statement.width
    for statement in reversed(site.layout.statements[: site.number]):
        token = site.tokens[statement.first]
        if statement.width < width and token.text in {"def", "class"}:
            return
        if statement.width < width and token.text == "if":
            yield replace("if to while", token, "while", statement.first)
        width = min(width, statement.width)


RULES = (to_the_top, bare_except, awaited, left)
