"""From edits to repairs: short ways to say what a family proposes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from gateline.model import Edit, Question, Repair
from gateline.repairs.analysis.code import Code
from gateline.repairs.rules_of_files import is_test

_LOOSE = (
    *(ast.Call, ast.keyword, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Yield, ast.Expr),
    *(
        ast.List,
        ast.Tuple,
        ast.Set,
        ast.Dict,
        ast.ListComp,
        ast.SetComp,
        ast.GeneratorExp,
        ast.FormattedValue,
    ),
)
"""What holds an operation without parentheses."""


def repair(
    question: Question,
    title: str,
    edits: Iterable[Edit],
    cost: float,
    *,
    pattern: str = "",
    reason: str = "",
    guess: bool = False,
) -> Repair:
    """A repair for a diagnosis, of its family and, unless another is given, of its pattern."""
    found = question.diagnosis
    return Repair(title, found.family, pattern or found.pattern, tuple(edits), cost, reason, guess)


def cheapest(repairs: Iterable[Repair]) -> Iterator[Repair]:
    """The repairs by their cost, each text once; those of tests are left out."""
    seen: set[tuple[Edit, ...]] = set()
    for found in sorted(repairs, key=lambda r: r.cost):
        if found.edits not in seen and not any(is_test(edit.path) for edit in found.edits):
            seen.add(found.edits)
            yield found


def fitted(code: Code, node: ast.AST, text: str) -> str:
    """The text of an operation, in parentheses where `node` stands inside a larger expression."""
    parent = code.parent(node)
    if isinstance(parent, ast.Subscript):
        return text if node is parent.slice else f"({text})"
    if isinstance(parent, ast.Call) and node is parent.func:
        return f"({text})"
    if isinstance(parent, ast.comprehension) and " if " in text:
        return f"({text})"
    if isinstance(parent, ast.For | ast.While | ast.If | ast.comprehension | ast.withitem | ast.Assert):
        return text
    return text if isinstance(parent, _LOOSE) else f"({text})"


def line_before(code: Code, node: ast.AST, text: str) -> Edit:
    """A new line of code right before a statement, with its indentation; decorators stay with theirs."""
    line = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])  # type: ignore[attr-defined]
    start = code.line_start(line - 1)
    indent = code.indent(line - 1)
    lines = (f"{indent}{row}{code.newline}" if row else code.newline for row in text.split("\n"))
    return code.edit(start, start, "".join(lines))


def line_after(code: Code, node: ast.stmt, text: str) -> Edit:
    """A new line of code right behind a statement, with its indentation."""
    start = code.line_start(node.end_lineno or node.lineno)
    gap = "" if code.text[:start].endswith(("\n", "\r")) else code.newline
    indent = code.indent(node.lineno - 1)
    lines = "".join(f"{indent}{row}{code.newline}" for row in text.split("\n"))
    return code.edit(start, start, gap + lines)


def element_added(code: Code, holder: ast.Call | ast.Tuple, position: int | None, text: str) -> Edit:
    """One argument or element of a tuple (in parentheses) more: at a position, else as the last."""
    held = [*holder.args, *holder.keywords] if isinstance(holder, ast.Call) else holder.elts
    if position is not None and position < len(held):
        start = code.start(held[position])
        return code.edit(start, start, f"{text}, ")
    end = code.end(held[-1]) if held else code.end(holder) - 1
    return code.edit(end, end, f", {text}" if held else text)


def line_removed(code: Code, node: ast.stmt) -> Edit:
    """A statement that stands alone on its lines is taken out with them."""
    return code.edit(code.line_start(node.lineno - 1), code.line_start(node.end_lineno or node.lineno), "")
