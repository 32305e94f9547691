"""Parameters and arguments in an order that Python does not take, and what is no argument at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gateline.repairs.syntax.site import Change, Replacement, Site
from gateline.repairs.syntax.tokens import CLOSERS, Kind, Token

_SPOTS = 200


@dataclass(frozen=True, slots=True)
class _Item:
    """What stands between two commas of a bracket or a lambda."""

    tokens: tuple[Token, ...]

    @property
    def start(self) -> int:
        return self.tokens[0].start

    @property
    def end(self) -> int:
        return self.tokens[-1].end

    @property
    def is_named(self) -> bool:
        return any(t.text == "=" for t in _flat(self.tokens))

    @property
    def stars(self) -> str:
        return self.tokens[0].text if self.tokens[0].text in {"*", "**"} else ""


def _flat(tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens outside of brackets."""
    depth = 0
    for token in tokens:
        depth -= token.kind is Kind.CLOSE
        if depth == 0:
            yield token
        depth += token.kind is Kind.OPEN


def reordered(site: Site) -> Iterator[Change]:
    """Positional before named, stars last; a default for what follows one; a name for an argument."""
    for items in _lists(site):
        ranks = [_rank(item) for item in items]
        if ranks != sorted(ranks):
            order = sorted(range(len(items)), key=lambda n: ranks[n])
            yield Change("argument order", _permuted(site, items, order), site.at)
        moved = [n for n in range(1, len(items)) if ranks[n] < max(ranks[:n])]
        for number in moved:
            item = items[number]
            if len(item.tokens) == 1 and item.tokens[0].kind is Kind.NAME:
                yield Change("missing default", ((item.end, item.end, "=None"),), site.at)
                yield Change(
                    "missing keyword", ((item.start, item.start, f"{item.tokens[0].text}="),), site.at
                )
        yield from _repeated(items, site)


def dropped(site: Site) -> Iterator[Change]:
    """`f(a, +, b)`, `def f(a, *args, *, b)`: signs between two commas."""
    for items in _lists(site):
        for number, item in enumerate(items):
            if len(items) > 1 and all(t.kind is Kind.OPERATOR for t in item.tokens):
                start = items[number - 1].end if number else item.start
                end = item.end if number else items[1].start
                yield Change("delete item", ((start, end, ""),), site.at)
        signs = [n for n, item in enumerate(items) if n and all(t.kind is Kind.OPERATOR for t in item.tokens)]
        if len(signs) > 1:
            cuts = tuple((items[n - 1].end, items[n].end, "") for n in signs)
            yield Change("delete items", cuts, site.at)


def _rank(item: _Item) -> int:
    if item.stars:
        return {"*": 2, "**": 4}[item.stars]
    if item.tokens[0].text == "/":
        return 1
    return 1 if item.is_named else 0


def _permuted(site: Site, items: Sequence[_Item], order: Sequence[int]) -> tuple[Replacement, ...]:
    texts = [site.text[item.start : item.end] for item in items]
    return tuple(
        (item.start, item.end, texts[new])
        for item, old, new in zip(items, range(len(items)), order, strict=True)
        if old != new
    )


def _repeated(items: Sequence[_Item], site: Site) -> Iterator[Change]:
    """The same name twice."""
    seen: dict[str, int] = {}
    for number, item in enumerate(items):
        name = item.tokens[0].text
        if item.is_named and name in seen:
            first = items[seen[name]]
            yield Change("repeated argument", ((items[number - 1].end, item.end, ""),), site.at)
            yield Change(
                "repeated argument first", ((first.start, items[seen[name] + 1].start, ""),), site.at
            )
        seen.setdefault(name, number)


def _lists(site: Site) -> Iterator[list[_Item]]:
    """The comma lists of all brackets of the suspects, and of their lambdas."""
    for statement in site.suspects:
        stack: list[int] = []
        row = range(statement.first, min(statement.end, statement.first + _SPOTS))
        for number in row:
            token = site.tokens[number]
            if token.kind is Kind.OPEN:
                stack.append(number)
            elif token.kind is Kind.CLOSE and stack:
                first = stack.pop()
                if CLOSERS[site.tokens[first].text] == token.text == ")":
                    yield _items(site, first + 1, number)


def _items(site: Site, first: int, end: int) -> list[_Item]:
    items: list[list[Token]] = []
    row: list[Token] = []
    depth = 0
    for token in site.tokens[first:end]:
        depth += (token.kind is Kind.OPEN) - (token.kind is Kind.CLOSE)
        if token.text == "," and depth == 0:
            items.append(row)
            row = []
        elif token.kind not in {Kind.NEWLINE, Kind.COMMENT}:
            row.append(token)
    return [_Item(tuple(r)) for r in (*items, row) if r]


def unbracketed(site: Site) -> Iterator[Change]:
    """Brackets around parameters are taken off; a generator beside other arguments, or a pair, gets them."""
    for statement in site.suspects:
        row = range(statement.first, min(statement.end, statement.first + _SPOTS))
        for items in _lists(site):
            for item in items:
                texts = {t.text for t in _flat(item.tokens)}
                if len(items) > 1 and "for" in texts:
                    yield Change(
                        "generator brackets",
                        ((item.start, item.start, "("), (item.end, item.end, ")")),
                        site.at,
                    )
        yield from _pairs(site, row)


def returned(site: Site) -> Iterator[Change]:
    """`return row for row in rows`, `late = row for row in rows`: a list of them."""
    for statement in site.suspects:
        row = site.tokens[statement.first : statement.end]
        start = next((n + 1 for n, t in enumerate(row) if t.text in {"return", "="}), len(row))
        texts = [t.text for t in _flat(row[start:])]
        if "for" in texts and texts[:1] != ["for"] and "in" in texts:
            ends = (row[start].start, row[start].start, "["), (row[-1].end, row[-1].end, "]")
            yield Change("list of a comprehension", ends, statement.first)


def _pairs(site: Site, row: range) -> Iterator[Change]:
    """`[a, b for …]`, `for i in 1, 2, 3` inside brackets."""
    stack: list[int] = []
    for number in row:
        token = site.tokens[number]
        if token.kind is Kind.OPEN:
            stack.append(number)
        elif token.kind is Kind.CLOSE and stack:
            stack.pop()
        elif token.text == "for" and stack:
            start, end = site.tokens[stack[-1] + 1].start, site.tokens[number - 1].end
            if start < end and "," in site.text[start:end]:
                yield Change("tuple in comprehension", ((start, start, "("), (end, end, ")")), number)


def element(site: Site) -> Iterator[Change]:
    """`[for row in rows]`."""
    for number in site.words:
        row = site.tokens[number : number + 3]
        if [t.text for t in row[1:2]] == ["for"] and row[0].text in {"[", "(", "{"} and len(row) == 3:
            yield Change("missing element", ((row[1].start, row[1].start, f"{row[2].text} "),), number)


def called_target(site: Site) -> Iterator[Change]:
    """`del rows()`, `total() = 1`: a target is not called."""
    if not site.message.startswith(("cannot delete function call", "cannot assign to function call")):
        return
    for number in range(site.statement.first, site.statement.end - 1):
        opener, closer = site.tokens[number : number + 2]
        if opener.text == "(" and closer.text == ")":
            yield Change("called target", ((opener.start, closer.end, ""),), number)


def comprehension(site: Site) -> Iterator[Change]:
    """A condition on the wrong side of `for`."""
    for statement in site.suspects:
        row = [n for n in range(statement.first, statement.end) if n in site.region]
        words = {site.tokens[n].text: n for n in reversed(row)}
        first, cond, other = (words.get(w) for w in ("for", "if", "else"))
        end = next((n for n in row if first and n > first and site.tokens[n].text in CLOSERS.values()), None)
        if first is None or cond is None or end is None:
            continue
        if cond < first and other is None:
            condition = site.text[site.tokens[cond - 1].end : site.tokens[first - 1].end]
            at = site.tokens[end - 1].end
            cut = (site.tokens[cond - 1].end, site.tokens[first - 1].end, "")
            yield Change("condition behind", (cut, (at, at, condition)), cond)
            stop = site.tokens[first - 1].end
            yield Change("missing else", ((stop, stop, " else None"),), cond)
        elif first < cond and other is not None and other > cond:
            moved = site.text[site.tokens[cond - 1].end : site.tokens[end - 1].end]
            at = site.tokens[first - 1].end
            cut = (site.tokens[cond - 1].end, site.tokens[end - 1].end, "")
            yield Change("condition before", ((at, at, moved), cut), cond)


def swapped_sides(site: Site) -> Iterator[Change]:
    """`1 = a`."""
    row = site.tokens[site.statement.first : site.statement.end]
    if len(row) == 3 and row[1].text == "=" and row[2].kind is Kind.NAME and row[0].kind is not Kind.NAME:
        sides = ((row[0].start, row[0].end, row[2].text), (row[2].start, row[2].end, row[0].text))
        yield Change("swapped sides", sides, site.statement.first)
    if row and row[0].text == "*" and len(row) > 2 and row[2].text == "=":
        yield Change("starred target", ((row[1].end, row[1].end, ","),), site.statement.first)


RULES = (reordered, dropped, unbracketed, returned, element, called_target, comprehension, swapped_sides)
