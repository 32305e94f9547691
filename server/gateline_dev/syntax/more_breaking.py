"""More ways to break a text: what comes in with a paste, and what is written in a wrong order."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from itertools import pairwise
from keyword import kwlist

from gateline.repairs.syntax.layout import HEADERS, Layout
from gateline.repairs.syntax.tokens import Kind
from gateline_dev.syntax.breaking import Breaker, Spots


def typographic(layout: Layout, rng: random.Random) -> Spots:
    """Quotes, signs and blanks that are not ASCII."""
    for token in layout.tokens:
        if token.kind is Kind.STRING and re.fullmatch(r"(['\"])[^'\"\\]*\1", token.text):
            ends = "“”" if token.text[0] == '"' else "‘’"
            yield ((token.start, token.start + 1, ends[0]), (token.end - 1, token.end, ends[1]))
        elif token.text in _WIDE:
            yield ((token.start, token.end, _WIDE[token.text]),)
        elif token.kind is Kind.KEYWORD:
            yield ((token.end, token.end, rng.choice("\u200b\xa0\u200d")),)


_WIDE = {
    "(": "（",
    ")": "）",
    ",": "，",
    ":": "：",
    "-": "–",
    "<=": "≤",
    "!=": "≠",
    "*": "×",
    "=": "＝",
    ";": "；",
}


def braces(layout: Layout, rng: random.Random) -> Spots:
    """A brace of an f-string is gone or stands twice."""
    for token in layout.tokens:
        if token.kind is Kind.STRING and token.text[:1] in "fF":
            for match in re.finditer(r"[{}]", token.text):
                at = token.start + match.start()
                yield ((at, at + 1, rng.choice(["", "", match[0] * 2])),)


def inner_quotes(layout: Layout, rng: random.Random) -> Spots:
    """Quotes inside of quotes."""
    for token in layout.tokens:
        match = re.fullmatch(r"[fF]?(['\"])([^'\"\\]*)(['\"])([^'\"\\]+)\3([^'\"\\]*)\1", token.text)
        if token.kind is Kind.STRING and match and match[1] != match[3]:
            spots = (token.start + match.start(3), token.start + match.end(4))
            yield tuple((at, at + 1, match[1]) for at in spots)


def positional_last(layout: Layout, rng: random.Random) -> Spots:
    """Arguments or parameters in a wrong order: `f(a=1, b)`, `def f(a=1, b)`."""
    for match in re.finditer(r"(\w+), (\w+ ?= ?\w+)(?=\))", layout.text):
        if match[1] not in {"self", "cls"}:
            yield ((match.start(), match.end(), f"{match[2]}, {match[1]}"),)


def merge(layout: Layout, rng: random.Random) -> Spots:
    """Marks of a merge, with the line and another version of it."""
    for statement in layout.statements:
        match = re.fullmatch(r"(\w+ = )(?!None).+", _line(layout, statement.line).strip())
        if match and statement.line == statement.end_line:
            start = layout.starts[statement.line]
            end = start + len(_line(layout, statement.line))
            row = layout.text[start:end]
            other = f"{statement.indent}{match[1]}None"
            sides = [row, other] if rng.random() < 0.5 else [other, row]
            yield ((start, end, f"<<<<<<< HEAD\n{sides[0]}\n=======\n{sides[1]}\n>>>>>>> topic"),)


def _line(layout: Layout, line: int) -> str:
    end = layout.starts[line + 1] if line + 1 < len(layout.starts) else len(layout.text)
    return layout.text[layout.starts[line] : end].rstrip("\r\n")


def prompts(layout: Layout, rng: random.Random) -> Spots:
    """A line with the prompt of an interpreter."""
    for statement in layout.statements:
        at = layout.starts[statement.line]
        yield ((at, at, ">>> "),)


def zeros(layout: Layout, rng: random.Random) -> Spots:
    """A number that begins with zeros."""
    for token in layout.tokens:
        if token.kind is Kind.NUMBER and re.fullmatch(r"[1-9]\d*", token.text):
            yield ((token.start, token.start, "0"),)


def foreign_lines(layout: Layout, rng: random.Random) -> Spots:
    """Comments, ends of lines and declarations of other languages."""
    for statement in layout.statements:
        first, last = layout.tokens[statement.first], layout.tokens[statement.end - 1]
        kind = rng.randrange(4)
        if first.text in HEADERS:
            if last.text == ":" and kind == 0:
                yield ((last.end, last.end, ";"),)
            continue
        if kind == 1:
            yield ((last.end, last.end, "  // see above"),)
        elif kind == 2 and layout.tokens[statement.first + 1].text == "=":
            yield ((first.start, first.start, rng.choice(["var ", "let ", "const ", "int "])),)
        elif kind == 3:
            yield ((last.end, last.end, rng.choice([" /* see above */", "; // see above"])),)


def definitions(layout: Layout, rng: random.Random) -> Spots:
    """`function f(x):`, `def f:`, `def f x:`."""
    for statement in layout.statements:
        row = layout.tokens[statement.first : statement.end]
        if row[0].text != "def" or len(row) < 5:
            continue
        kind = rng.randrange(3)
        if kind == 0:
            yield ((row[0].start, row[0].end, rng.choice(["function", "func", "fn", "define"])),)
        elif kind == 1 and row[3].text == ")":
            yield ((row[2].start, row[3].end, ""),)
        elif row[-2].text == ")":
            yield ((row[2].start, row[2].end, " "), (row[-2].start, row[-2].end, ""))


def line_breaks(layout: Layout, rng: random.Random) -> Spots:
    """A line is broken where no bracket joins it, or two statements stand on one."""
    for number, token in enumerate(layout.tokens[:-1]):
        if token.text in {"and", "or", "+", "="} and rng.random() < 0.3:
            yield ((token.end, token.end, "\n    "),)
        elif (
            token.kind is Kind.NEWLINE and layout.tokens[number + 1].kind is Kind.NAME and rng.random() < 0.3
        ):
            yield ((token.start, layout.tokens[number + 1].start, " "),)


def conditions(layout: Layout, rng: random.Random) -> Spots:
    """The condition of a comprehension stands before its `for`; two values stand there without brackets."""
    for match in re.finditer(r"[\[(](\w[\w.()]*) (for [^\[\](){}]+) (if [^\[\](){}]+)(?=[\])])", layout.text):
        yield ((match.start(1), match.end(3), f"{match[1]} {match[3]} {match[2]}"),)
    for match in re.finditer(r"\[(\([^()\[\]]+,[^()\[\]]+\)) for ", layout.text):
        yield ((match.start(1), match.start(1) + 1, ""), (match.end(1) - 1, match.end(1), ""))


def keyword_attributes(layout: Layout, rng: random.Random) -> Spots:
    """`x.class`."""
    for before, token in pairwise(layout.tokens):
        if before.text == "." and token.text.endswith("_") and token.text[:-1] in kwlist:
            yield ((token.end - 1, token.end, ""),)


MORE: Mapping[str, Breaker] = {
    "typographic": typographic,
    "f-string braces": braces,
    "inner quotes": inner_quotes,
    "argument order": positional_last,
    "merge": merge,
    "prompts": prompts,
    "zeros": zeros,
    "foreign lines": foreign_lines,
    "definitions": definitions,
    "line breaks": line_breaks,
    "conditions": conditions,
    "keyword attributes": keyword_attributes,
}
