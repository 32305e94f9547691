"""Operators that bind otherwise than was meant: `folder / name + ".txt"`, `"a %s" + "b" % value`.

A path that text is added to becomes one with a longer name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.scopes import visible
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.mismatch import MISMATCHES
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_PATHS = ("PosixPath", "WindowsPath", "PurePosixPath", "PureWindowsPath", "Path", "PurePath")
_FORMATTED = ("arguments converted during", "not enough arguments for format string")


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """An operation one of whose sides is an operation, too, that was to come later."""
    found = [s for s in spots(problem, knowledge)[:1] if not is_test(s.code.path)]
    is_path = any(f"'{name}'" in problem.message or f'"{name}"' in problem.message for name in _PATHS)
    is_format = any(text in problem.message for text in _FORMATTED)
    if not found or not (is_path or is_format):
        return None
    return Diagnosis(problem, Family.TYPE, "operator-order", "brackets", "none")


def propose(question: Question) -> Iterator[Repair]:
    """Brackets around what belongs together."""
    for spot in spots(question.problem, question.knowledge)[:1]:
        yield from cheapest([*_of_paths(question, spot), *_of_formats(question, spot)])


def _of_paths(question: Question, spot: Spot) -> Iterator[Repair]:
    code = spot.code
    for node in (
        spot.candidates(ast.BinOp) if not any(t in question.problem.message for t in _FORMATTED) else ()
    ):
        if not isinstance(node.op, ast.Add):
            continue
        whole = _whole(code, node)
        first = _first(whole)
        if (
            isinstance(first, ast.BinOp)
            and isinstance(first.op, ast.Div)
            and not _is_in_brackets(code, first)
        ):
            start, end = code.start(first.right), code.end(whole)
            edits = [code.edit(start, start, "("), code.edit(end, end, ")")]
            yield repair(
                question,
                "Join the text before the path is built",
                edits,
                prior("types.path-text-joined-first"),
            )
        yield from _of_one_path(question, code, whole, first)


def _of_one_path(question: Question, code: Code, whole: ast.BinOp, first: ast.expr) -> Iterator[Repair]:
    """`path + ".bak"`: a path with a longer name, where paths are made here."""
    if "Path" not in visible(code, whole):
        return
    text = code.segment(first)
    rest = code.text[code.end(first) : code.end(whole)]
    if isinstance(first, ast.Name | ast.Attribute):
        longer = f"{text}.with_name({text}.name{rest})"
        yield repair(
            question,
            "Append the text to the file name",
            [code.replace(whole, longer)],
            prior("types.path-name-longer"),
        )
    longer = f"Path(str({text}){rest})"
    yield repair(
        question, "Append the text to the path", [code.replace(whole, longer)], prior("types.path-longer")
    )


def _of_formats(question: Question, spot: Spot) -> Iterator[Repair]:
    """`"…" + "… %s" % value`: the text was to be joined first."""
    if not any(text in question.problem.message for text in _FORMATTED):
        return
    for node in spot.candidates(ast.BinOp):
        holder = spot.code.parent(node)
        is_last = isinstance(holder, ast.BinOp) and isinstance(holder.op, ast.Add) and holder.right is node
        if isinstance(node.op, ast.Mod) and is_last and isinstance(holder, ast.BinOp):
            whole = _first(holder)
            start, end = spot.code.start(whole), spot.code.end(node.left)
            edits = [spot.code.edit(start, start, "("), spot.code.edit(end, end, ")")]
            yield repair(
                question, "Join the text before formatting it", edits, prior("types.format-joined-first")
            )


def _whole(code: Code, node: ast.BinOp) -> ast.BinOp:
    """The longest sum that begins with a node."""
    holder = code.parent(node)
    while isinstance(holder, ast.BinOp) and isinstance(holder.op, ast.Add) and holder.left is node:
        node, holder = holder, code.parent(holder)
    return node


def _first(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        node = node.left
    return node


def _is_in_brackets(code: Code, node: ast.expr) -> bool:
    return code.text[: code.start(node)].rstrip().endswith("(") and code.text[
        code.end(node) :
    ].lstrip().startswith(")")


REPAIRER = Repairer("regrouped operators", MISMATCHES, diagnose, propose)
