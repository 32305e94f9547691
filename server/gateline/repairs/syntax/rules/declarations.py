"""`global` and `nonlocal` that come too late, contradict each other or a parameter, or find nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gateline.repairs.syntax.layout import Statement
from gateline.repairs.syntax.site import Change, Site, replace

_WORDS = {"global", "nonlocal"}
_REFUSED = re.compile(r"name '(\w+)' (?:is |can't be )|no binding for nonlocal '(\w+)' found")
_AT_MODULE_LEVEL = "nonlocal declaration not allowed at module level"


def late(site: Site) -> Iterator[Change]:
    """A declaration behind the first use: it moves to the beginning of the body."""
    at = _declaration(site)
    if at is None:
        return
    rows = site.layout.statements
    header = _header(site, at)
    if header is None or header + 1 == at:
        return
    moving, body = rows[at], rows[header + 1]
    start, end = site.layout.starts[moving.line], site.tokens[moving.end - 1].end
    line_end = end + 1 if end < len(site.text) else end
    text = body.indent + site.text[start:end].strip() + "\n"
    to = site.layout.starts[body.line]
    yield Change("late declaration", ((to, to, text), (start, line_end, "")), moving.first)


def _declaration(site: Site) -> int | None:
    """The declaration that fails."""
    rows = site.layout.statements
    if not site.message.startswith("name '") or not site.tokens:
        return None
    near = range(site.number, min(site.number + 2, len(rows)))
    return next((n for n in near if _word(site, rows[n]) in _WORDS), None)


def _header(site: Site, at: int) -> int | None:
    rows = site.layout.statements
    above = (n for n in range(at - 1, -1, -1) if rows[n].width < rows[at].width)
    return next((n for n in above if _word(site, rows[n]) in {"def", "async"}), None)


def _word(site: Site, statement: Statement) -> str:
    return site.tokens[statement.first].text


def dropped(site: Site) -> Iterator[Change]:
    """The name is a parameter, or declared twice, or bound nowhere: it is not declared."""
    told = _REFUSED.search(site.message)
    name = told and (told[1] or told[2])
    if not name:
        return
    rows = site.layout.statements
    for number in range(max(site.number - 4, 0), min(site.number + 3, len(rows))):
        word = _word(site, rows[number])
        if word in _WORDS and name in _names(site, rows[number]):
            yield _without(site, number, name, word)
            if word == "nonlocal" and told is not None and told[2]:
                yield replace("nonlocal to global", site.tokens[rows[number].first], "global", site.at)


def at_module_level(site: Site) -> Iterator[Change]:
    """`nonlocal` outside of functions."""
    statement = site.statement
    if site.message == _AT_MODULE_LEVEL:
        last = site.tokens[statement.end - 1]
        line = (site.layout.starts[statement.line], min(last.end + 1, len(site.text)), "")
        yield Change("drop nonlocal", (line,), statement.first)


def assigned(site: Site) -> Iterator[Change]:
    """`global total = 0`: the declaration, and the value on a line of its own."""
    for statement in site.suspects:
        row = site.tokens[statement.first : statement.end]
        equals = next((n for n, t in enumerate(row) if t.text == "="), None)
        if row[0].text in _WORDS and equals and equals > 1:
            target = row[equals - 1]
            text = f"\n{statement.indent}{target.text} "
            yield Change("declared with a value", ((target.end, row[equals].start, text),), statement.first)


def _names(site: Site, statement: Statement) -> list[str]:
    return [t.text for t in site.tokens[statement.first + 1 : statement.end] if t.text != ","]


def _without(site: Site, number: int, name: str, word: str) -> Change:
    """The declaration of all other names; `pass` where a block would be empty without it."""
    statement = site.layout.statements[number]
    first, last = site.tokens[statement.first], site.tokens[statement.end - 1]
    others = [other for other in _names(site, statement) if other != name]
    if others:
        text, start, end = f"{word} {', '.join(others)}", first.start, last.end
    elif _is_alone(site, number):
        text, start, end = "pass", first.start, last.end
    else:
        text, start, end = "", site.layout.starts[statement.line], min(last.end + 1, len(site.text))
    return Change(f"drop {word}", ((start, end, text),), statement.first)


def _is_alone(site: Site, number: int) -> bool:
    """Whether it is all of its block."""
    rows = site.layout.statements
    begins = number > 0 and rows[number - 1].width < rows[number].width
    ends = number + 1 == len(rows) or rows[number + 1].width < rows[number].width
    return begins and ends


RULES = (late, dropped, at_module_level, assigned)
