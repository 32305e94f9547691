"""Names of other languages and of Python 2: `null`, `unicode`, `xrange`, `Math.max`, `console.log`."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from gateline.model import Diagnosis, Edit, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.imports import added
from gateline.repairs.analysis.scopes import visible
from gateline.repairs.donors.name_homes import tops
from gateline.repairs.edit_builder import cheapest, line_removed, repair
from gateline.repairs.locate.undefined import UNDEFINED, Undefined, undefined
from gateline.repairs.priors import prior
from gateline.repairs.tables import table


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A name that the tables know, or that names a type."""
    found = undefined(problem, knowledge)
    if found is None or found.is_unassigned:
        return None
    names = table("names")
    known = any(found.name in names[part] for part in ("constants", "builtins", "owners", "generics"))
    if not known and not _annotations(found):
        return None
    return Diagnosis(problem, Family.NAME, "foreign-name", "a name of Python", found.name, found.places)


def propose(question: Question) -> Iterator[Repair]:
    """What Python calls it."""
    found = undefined(question.problem, question.knowledge)
    if found is not None:
        repairs = (*_constants(question, found), *_owners(question, found), *_generics(question, found))
        yield from cheapest(repairs)


def _constants(question: Question, found: Undefined) -> Iterator[Repair]:
    names = table("names")
    meant = [*names["constants"].get(found.name, ()), *names["builtins"].get(found.name, ())]
    for rank, text in enumerate(meant):
        pattern = "foreign-constant" if found.name in names["constants"] else "foreign-builtin"
        edits = [found.code.replace(use, text) for use in found.uses]
        edits += _needed(question, found, text)
        cost = (
            prior("names.foreign-constant")
            + prior("names.foreign-constant-rank") * rank
            + (0 if pattern == "foreign-constant" else _doubt(found, text))
        )
        yield repair(question, f"Write {text}", edits, cost, pattern=pattern)


def _doubt(found: Undefined, text: str) -> float:
    """A function's name that is not called, or a word that people call their variables, may be anything."""
    if found.is_called or _annotations(found):
        return prior("names.foreign-annotation") if _annotations(found) else 0
    is_type = isinstance(getattr(builtins, text, None), type)
    is_word = found.name.islower() and found.name not in {"unicode", "basestring", "long", "xrange"}
    return (0 if is_type else prior("names.foreign-no-type")) + (
        prior("names.foreign-plain-word") if is_word else 0
    )


def _needed(question: Question, found: Undefined, text: str) -> list[Edit]:
    """The import of the module that a dotted text begins with."""
    module = text.partition(".")[0] if "." in text and text.partition(".")[0].isidentifier() else ""
    if not module or module in visible(found.code, found.node) or hasattr(builtins, module):
        return []
    return [added(found.code, module, "", tops(question.knowledge))]


def _owners(question: Question, found: Undefined) -> Iterator[Repair]:
    """`Math.max(…)`, `console.log(…)`: a function behind an object that Python does not have."""
    parent = found.code.parent(found.node)
    if not isinstance(parent, ast.Attribute):
        return
    for text, cost in _functions(found.name, parent.attr):
        uses = [
            p
            for n in found.uses
            if isinstance(p := found.code.parent(n), ast.Attribute) and p.attr == parent.attr
        ]
        edits = [found.code.replace(use, text) for use in uses]
        yield repair(
            question,
            f"Write {text}",
            [*edits, *_needed(question, found, text)],
            cost,
            pattern="foreign-owner",
        )
    statement = found.code.parent(found.code.parent(parent) or parent)
    if isinstance(statement, ast.Expr) and "print" in table("names")["owners"].get(found.name, ()):
        yield repair(
            question,
            "Remove the output statement",
            [line_removed(found.code, statement)],
            prior("names.foreign-output-removed"),
            pattern="foreign-owner",
        )


def _functions(owner: str, attribute: str) -> Iterator[tuple[str, float]]:
    names = table("names")
    meant = names["owners"].get(owner)
    if meant is None:
        return
    if "print" in meant:
        yield "print", prior("names.foreign-print")
    if hasattr(builtins, attribute):
        yield attribute, prior("names.foreign-function-same-name")
    if attribute in names["functions"]:
        yield names["functions"][attribute], prior("names.foreign-function")
    for module in meant:
        if module and module != "print":
            yield f"{module}.{attribute}", prior("names.foreign-of-module")


def _annotations(found: Undefined) -> list[ast.Name]:
    """The uses of the name as a type."""
    return [n for n in found.uses if _is_annotation(found, n)]


def _is_annotation(found: Undefined, node: ast.AST) -> bool:
    inner: ast.AST = node
    for outer in found.code.ancestors(node):
        if isinstance(outer, ast.arg | ast.AnnAssign) and outer.annotation is inner:
            return True
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef) and outer.returns is inner:
            return True
        if isinstance(outer, ast.stmt):
            return False
        inner = outer
    return False


def _generics(question: Question, found: Undefined) -> Iterator[Repair]:
    """A type in an annotation that Python calls otherwise."""
    uses = _annotations(found)
    if not uses:
        return
    scope = visible(found.code, uses[0])
    parametrised = any(isinstance(found.code.parent(n), ast.Subscript) for n in uses)
    known = table("names")["generics"].get(found.name, [])
    meant = [*known, *(["List", "list", "Dict", "dict", "Set", "set"] if parametrised else [])]
    for rank, text in enumerate(dict.fromkeys(meant)):
        if text in scope:
            edits = [found.code.replace(use, text) for use in found.uses]
            cost = (
                prior("names.foreign-generic-known" if known else "names.foreign-generic")
                + prior("names.foreign-generic-rank") * rank
            )
            yield repair(question, f"Write {text}", edits, cost, pattern="foreign-type")


REPAIRER = Repairer("foreign names", UNDEFINED, diagnose, propose)
