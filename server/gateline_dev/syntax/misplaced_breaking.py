"""Ways to break a text by putting things where they may not stand, and by the habits of other languages."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping

from gateline.repairs.syntax.layout import Layout
from gateline.repairs.syntax.tokens import Kind
from gateline_dev.syntax.breaking import Breaker, Spots


def rewriting(pattern: str, *texts: str | Callable[[re.Match[str]], str]) -> Breaker:
    """What matches becomes one of the texts, which may refer to its groups."""
    compiled = re.compile(pattern, re.MULTILINE)

    def spots(layout: Layout, rng: random.Random) -> Spots:
        for match in compiled.finditer(layout.text):
            text = rng.choice(texts)
            yield (
                (match.start(), match.end(), match.expand(text) if isinstance(text, str) else text(match)),
            )

    return spots


def future(layout: Layout, rng: random.Random) -> Spots:
    """An import of the future stands below other imports."""
    rows = layout.statements
    for number, statement in enumerate(rows[:-2]):
        line = layout.text[layout.starts[statement.line] : layout.starts[statement.line + 1]]
        below = rows[number + 1]
        if line.startswith("from __future__") and statement.line == statement.end_line:
            at = layout.starts[below.end_line + 1]
            yield (
                (layout.starts[statement.line], layout.starts[statement.line + 1], ""),
                (at, at, line),
            )


def handlers(layout: Layout, rng: random.Random) -> Spots:
    """A bare `except` comes first."""
    rows = layout.statements
    for number, statement in enumerate(rows[:-1]):
        row = layout.tokens[statement.first : statement.end]
        if [t.text for t in row] != ["except", ":"]:
            continue
        level = (n for n in range(number - 1, 0, -1) if rows[n].width <= statement.width)
        before = next(level, 0)
        ends = (n for n in range(number + 1, len(rows)) if rows[n].width <= statement.width)
        end = next(ends, len(rows))
        if layout.tokens[rows[before].first].text == "except" and end < len(rows):
            first, middle, last = (layout.starts[rows[n].line] for n in (before, number, end))
            text = layout.text
            yield ((first, last, text[middle:last] + text[first:middle]),)


def statements(layout: Layout, rng: random.Random) -> Spots:
    """Two statements stand on one line."""
    for one, two in zip(layout.statements, layout.statements[1:], strict=False):
        last, first = layout.tokens[one.end - 1], layout.tokens[two.first]
        is_simple = last.text != ":" and one.width == two.width and first.kind in {Kind.NAME, Kind.KEYWORD}
        if is_simple and first.line == last.line + 1:
            yield ((last.end, first.start, " "),)


def _conditional(match: re.Match[str]) -> str:
    return f"{match[2]} ? {match[1]} : {match[3]}"


def _loop(match: re.Match[str]) -> str:
    start = match[2] or "0, "
    return f"for ({match[1]} = {start.rstrip(', ')}; {match[1]} < {match[3]}; {match[1]}++):"


def _comment(match: re.Match[str]) -> str:
    rows = [row.strip().lstrip("# ") for row in match[2].rstrip("\n").split("\n")]
    return f"{match[1]}/* " + f"\n{match[1]}".join(rows) + " */\n"


MISPLACED: Mapping[str, Breaker] = {
    "future below": future,
    "bare except above": handlers,
    "statements on a line": statements,
    "no async": rewriting(r"^( *)async (?=def)", r"\1"),
    "async without def": rewriting(r"async def (?=\w)", "async "),
    "truncated": rewriting(r"(?<=[\w.:! ])(['\"])\)+$", ""),
    "no list around": rewriting(
        r"(return |= )\[((?!for )[^\[\]\n]+ for [^\[\]\n]+ in [^\[\]\n]+)\]$", r"\1\2"
    ),
    "if for while": rewriting(r"^( +)while (?=.*:$)", r"\1if "),
    "equals in braces": rewriting(r"(?<=\{)(\w+) == (\w+)\}", r"\1=\2}"),
    "with without as": rewriting(r"^( *(?:async )?with .*) as (?=\w+:$)", r"\1 "),
    "declared with a value": rewriting(r"^( *)global (\w+)\n\1\2 = ", r"\1global \2 = "),
    "order of a test": rewriting(r"(\w) not in (?=\w)", r"\1 in not ", r"\1 is not in ", r"\1 not is in "),
    "order of a test of identity": rewriting(r"(\w) is not (?=\w)", r"\1 not is "),
    "no target": rewriting(r"for _ in ", "for in "),
    "no element": rewriting(r"\[(\w+) for (?=\1 )", "[for "),
    "no else": rewriting(r"(?<=\w) else None(?=[)\],\n])", "", " else"),
    "ternary": rewriting(r"(?<== )([\w.'\"]+) if ([\w.() ]+) else ([\w.'\"]+)$", _conditional),
    "steps": rewriting(r" \+= 1$", "++"),
    "steps down": rewriting(r" -= 1$", "--"),
    "unequal": rewriting(r" != ", " !== ", " <> "),
    "counting loop": rewriting(r"for (\w+) in range\((\w+, )?([\w.()]+)\):", _loop),
    "block comment": rewriting(r"^( *)((?:# .*\n *)+# .*\n)(?! *#)", _comment),
    "called target": rewriting(r"^( *del [\w.]+)$", r"\1()"),
    "arrow": rewriting(r"\) -> (?=\w+:$)", ") => ", "): "),
    "type before name": rewriting(r"\b(\w+): (int|str|bool|float)(?=[,)])", r"\2 \1"),
    "underscores": rewriting(r"\b(\d+)_(\d+)\b", r"\1__\2", r"\1_\2_"),
    "elif for if": rewriting(r"^( *)if (?=.*:$)", r"\1elif "),
    "braces on lines": rewriting(
        r"^( *)((?:def|if|for|while) .*):\n( +)(\S.*)\n(?=\1\S|\n)",
        r"\1\2\n\1{\n\3\4\n\1}\n",
        r"\1\2:\n\1{\n\3\4\n\1}\n",
    ),
}
