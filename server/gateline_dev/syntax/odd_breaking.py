"""Ways to break a text that are rare, and that the compiler's words tell of plainly."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from gateline.repairs.syntax.layout import Layout, Statement
from gateline.repairs.syntax.site import Replacement
from gateline.repairs.syntax.tokens import Kind, Token
from gateline_dev.syntax.breaking import Breaker, Spots


def _functions(layout: Layout) -> Iterator[tuple[Statement, list[Token]]]:
    """The first statement of each function, with the tokens of its header."""
    for header, body in pairwise(layout.statements):
        row = layout.tokens[header.first : header.end]
        if row[0].text == "def" and body.width > header.width:
            yield body, list(row)


def parameters(layout: Layout, rng: random.Random) -> Spots:
    """A parameter is declared global or nonlocal."""
    for body, row in _functions(layout):
        names = [t.text for t in row[3:] if t.kind is Kind.NAME and t.text != "self"]
        if names:
            at = layout.starts[body.line]
            declared = f"{rng.choice(['global', 'nonlocal'])} {names[0]}"
            token = layout.tokens[body.first]
            alone = (token.start, token.end, declared)
            yield (alone if token.text == "pass" else (at, at, f"{body.indent}{declared}\n"),)


def declarations(layout: Layout, rng: random.Random) -> Spots:
    """What is global is called nonlocal, instead or as well."""
    for statement in layout.statements:
        token = layout.tokens[statement.first]
        if token.text == "global":
            yield ((token.start, token.end, "nonlocal"),)
            last = layout.tokens[statement.end - 1]
            if statement.end == statement.first + 2:
                yield ((last.end, last.end, f"\n{statement.indent}nonlocal {last.text}"),)


def features(layout: Layout, rng: random.Random) -> Spots:
    """A letter of a feature of the future is missing."""
    for match in re.finditer(r"from __future__ import (\w+)", layout.text):
        at = rng.randrange(match.start(1) + 1, match.end(1))
        yield ((at, at + 1, ""),)


def digits(layout: Layout, rng: random.Random) -> Spots:
    """A letter among the digits of a number."""
    for token in layout.tokens:
        if token.kind is Kind.NUMBER and token.text[:2].lower() == "0x" and len(token.text) > 3:
            at = rng.randrange(token.start + 2, token.end)
            yield ((at, at, rng.choice("ghxyz")),)
        elif token.kind is Kind.NUMBER and re.fullmatch(r"\d+\.5", token.text):
            yield ((token.start, token.end, token.text[:-2] + "½"),)


def fields(layout: Layout, rng: random.Random) -> Spots:
    """A text in braces is not closed; stars stand in them."""
    for token in layout.tokens:
        if token.kind is not Kind.STRING or token.text[:1] not in "fF":
            continue
        for match in re.finditer(r"\{[^{}]*\[(['\"])\w+\1\][^{}]*\}", token.text):
            at = token.start + token.text.index(match[1] + "]", match.start())
            yield ((at, at + 1, ""),)
        for match in re.finditer(r"\{(?=\w+\})", token.text):
            at = token.start + match.end()
            yield ((at, at, rng.choice(["*", "**"])),)


def loops(layout: Layout, rng: random.Random) -> Spots:
    """An endless loop without a condition."""
    for match in re.finditer(r"(?<=while) True(?=:)", layout.text):
        yield ((match.start(), match.end(), ""),)


def handlers(layout: Layout, rng: random.Random) -> Spots:
    """The `try:` above a single statement is gone, and the statement stands at its level."""
    rows = layout.statements
    for opener, body, after in zip(rows, rows[1:], rows[2:], strict=False):
        words = [layout.tokens[s.first].text for s in (opener, after)]
        if words[0] == "try" and words[1] in {"except", "finally"} and body.line == body.end_line:
            start, end = layout.starts[opener.line], layout.starts[body.line] + len(body.indent)
            yield ((start, end, opener.indent),)


def escapes(layout: Layout, rng: random.Random) -> Spots:
    """An escape without its quotes."""
    for token in layout.tokens:
        if re.fullmatch(r"(['\"])\\[ntr]\1", token.text):
            yield ((token.start, token.end, token.text[1:-1]),)


def prose(layout: Layout, rng: random.Random) -> Spots:
    """`print some words`."""
    for match in re.finditer(r"print\((['\"])(\w+ [\w ]*\w[.!?]?)\1\)$", layout.text, re.MULTILINE):
        yield ((match.start(), match.end(), f"print {match[2]}"),)


def calls(layout: Layout, rng: random.Random) -> Spots:
    """A class is called without brackets."""
    for match in re.finditer(r"\b([A-Z]\w*[a-z]\w*)\((\w+)\)", layout.text):
        yield ((match.start(), match.end(), f"{match[1]} {match[2]}"),)


def signs(layout: Layout, rng: random.Random) -> Spots:
    """A sign between two commas."""
    for token in layout.tokens:
        if token.text == ",":
            yield ((token.end, token.end, rng.choice([" +,", " *, *,", " -,", " **,"])),)


def _blocks(layout: Layout) -> Iterator[tuple[Statement, tuple[Statement, ...], Statement | None]]:
    """Each statement that opens a block, what stands deeper below it, and what follows."""
    rows = layout.statements
    for number, header in enumerate(rows[:-2]):
        below = (n for n in range(number + 1, len(rows)) if rows[n].width <= header.width)
        end = next(below, len(rows))
        if end > number + 1:
            yield header, rows[number + 1 : end], rows[end] if end < len(rows) else None


def _flattened(layout: Layout, header: Statement, body: Sequence[Statement]) -> tuple[Replacement, ...]:
    """All of a body at the level of its header."""
    starts = ((layout.starts[s.line], s.indent) for s in body)
    return tuple((at, at + len(indent), header.indent) for at, indent in starts)


def _is_flat(body: Sequence[Statement]) -> bool:
    return len(body) > 1 and len({s.width for s in body}) == 1


def bodies(layout: Layout, rng: random.Random) -> Spots:
    """All of a body that ends with a `return` or such stands at the level of its header."""
    for header, body, _ in _blocks(layout):
        leaves = layout.tokens[body[-1].first].text in {"return", "raise", "continue", "break"}
        opens = layout.tokens[header.first].text in {"if", "for", "while", "elif"}
        if _is_flat(body) and leaves and opens:
            yield _flattened(layout, header, body)


def paragraphs(layout: Layout, rng: random.Random) -> Spots:
    """All of a flat body stands at the level of its header, and an empty line follows."""
    for header, body, after in _blocks(layout):
        is_followed = after is not None and after.width == header.width
        if _is_flat(body) and is_followed and layout.is_blank(body[-1].end_line + 1):
            yield _flattened(layout, header, body)


def tails(layout: Layout, rng: random.Random) -> Spots:
    """The end of a function, with its `return`, stands at the level of its header."""
    for header, body, _ in _blocks(layout):
        is_function = layout.tokens[header.first].text == "def" and len(body) > 3
        if is_function and layout.tokens[body[-1].first].text == "return":
            step = body[0].width - header.width
            starts = [n for n, s in enumerate(body) if n and s.width == body[0].width]
            moved = body[rng.choice(starts) :] if starts else ()
            lines = [line for s in moved for line in range(s.line, s.end_line + 1) if layout.indent(line)]
            yield tuple((layout.starts[n], layout.starts[n] + step, "") for n in lines)


ODD: Mapping[str, Breaker] = {
    "parameters declared": parameters,
    "declarations": declarations,
    "future features": features,
    "digits": digits,
    "fields": fields,
    "loops": loops,
    "handlers": handlers,
    "escapes": escapes,
    "prose": prose,
    "calls of classes": calls,
    "signs between commas": signs,
    "flat bodies": bodies,
    "tails": tails,
    "paragraphs": paragraphs,
}
