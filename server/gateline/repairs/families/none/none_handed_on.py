"""None that was handed on: what gave it away tested it once, or had a better default.

`if many is not None:` around a call, a loop or a `yield`, in a function that is not the one that failed;
a parameter that begins as None where it begins as something else everywhere else.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import islice, takewhile
from pathlib import PurePosixPath

from gateline.model import Diagnosis, Family, Knowledge, Place, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.blocks import body_of, holders, indented, reach
from gateline.repairs.analysis.code import Code, Function, first_statement, is_none, parameters, walk_scope
from gateline.repairs.analysis.dataflow import Origin, origins
from gateline.repairs.analysis.likeness import words
from gateline.repairs.analysis.modules import workspace_modules
from gateline.repairs.analysis.none_tests import has_default, left_at_once, none_defaults
from gateline.repairs.analysis.scopes import bound, loads
from gateline.repairs.analysis.world import code_at
from gateline.repairs.donors.analogies import guarded
from gateline.repairs.donors.call_arguments import default_of
from gateline.repairs.donors.constructors import made_of_names
from gateline.repairs.donors.early_returns import exits
from gateline.repairs.donors.looked_up import compared
from gateline.repairs.edit_builder import cheapest, line_before, repair
from gateline.repairs.locate.none_dereference import ABSENT, Absent, absents
from gateline.repairs.locate.places import spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_MOST_EXITS = 2
_MOST_FILES = 20
"""Texts that are read for a default."""
_TYPES = frozenset({"type", "Type"})
_MOST_TEXTS = 4
"""What a name is compared with, and may have been meant to be."""
_FAR = 4
"""Calls on the way to the error in which it may be compared."""


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A value that is None and came from elsewhere."""
    found = _found(problem, knowledge)
    if not found:
        return None
    places = tuple(Place(o.code.path, o.code.span(o.node)) for _, o in found)
    return Diagnosis(problem, Family.NONE, "handed-on", found[0][0].wanted, "None", places)


def propose(question: Question) -> Iterator[Repair]:
    """Tests where it was given, and other defaults."""
    found = _found(question.problem, question.knowledge)
    yield from cheapest(r for absent, origin in found for r in _of(question, absent, origin))


def _found(problem: Problem, knowledge: Knowledge) -> list[tuple[Absent, Origin]]:
    """What was given to the place that failed, and to those before it."""
    return [
        (absent, origin)
        for absent in absents(problem, knowledge)
        for origin in origins(knowledge, absent.spot, absent.node)
        if not is_test(origin.code.path)
    ]


def _of(question: Question, absent: Absent, origin: Origin) -> Iterator[Repair]:
    doubt = absent.doubt + prior("shared.step") * origin.steps
    if isinstance(origin.node, ast.Name):
        yield from _begun(question, origin, origin.node, doubt)
        yield from _left_as_others(question, origin, origin.node, doubt)
    if origin.steps and isinstance(origin.node, ast.Name | ast.Attribute):
        yield from _tested(question, origin, doubt)
    if is_none(origin.node) and isinstance(origin.code.parent(origin.node), ast.arguments):
        yield from _other_default(question, absent, origin, doubt)


def _begun(question: Question, origin: Origin, node: ast.Name, doubt: float) -> Iterator[Repair]:
    """`if rows is None: rows = …` for a parameter, as for others, or as its own type is made elsewhere."""
    code, function = origin.code, origin.code.function(node)
    if function is None or not is_none(default_of(function, node.id)) or has_default(function, node.id):
        return
    first = first_statement(function)
    like = guarded(code, function, node.id)
    made = (
        (text, prior("none.handed-on-made") + prior("none.handed-on-made-rank") * rank)
        for rank, text in enumerate(_made(code, function, node.id))
    )
    same = (
        (text, prior("none.handed-on-same-parameter")) for text in _same_parameter(code, function, node.id)
    )
    own = ((text, prior("none.handed-on-own-class")) for text in _of_class(code, function, node.id))
    meant = (
        (text, prior("none.handed-on-compared") + prior("shared.rank") * rank)
        for rank, text in enumerate(_compared(question, function, node.id))
    )
    for text, cost in (*like, *own, *same, *made, *meant):
        edits = [line_before(code, first, f"if {node.id} is None:\n{code.unit}{node.id} = {text}")]
        yield repair(question, f"Start with {node.id} = {text}", edits, cost + doubt, pattern="lost-default")


def _compared(question: Question, function: Function, name: str) -> list[str]:
    """The texts that it is compared with on the way to the error; those that the docstring names first."""
    told = ast.get_docstring(function) or ""
    found: dict[str, bool] = {}
    for spot in spots(question.problem, question.knowledge)[:_FAR]:
        inner = None if spot.node is None else spot.code.function(spot.node)
        names = [held for held, kind in spot.seen.items() if kind == "NoneType"]
        values = [v for held in names for v in compared(inner, held)] if inner is not None else []
        for value in (*values, *(compared(function, name) if inner is function else ())):
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                found[spot.code.segment(value)] = value.value not in told
    return sorted(found, key=lambda text: found[text])[:_MOST_TEXTS]


def _left_as_others(question: Question, origin: Origin, node: ast.Name, doubt: float) -> Iterator[Repair]:
    """`if value is None: return None`, with which the other methods of the same name begin."""
    code, function = origin.code, origin.code.function(node)
    if function is None or node.id not in {a.arg for a in parameters(function)}:
        return
    others = [f for f in code.functions.get(function.name, ()) if f is not function]
    if any(left_at_once(code, function, node.id)):
        return
    for text in dict.fromkeys(text for other in others for text in left_at_once(code, other, node.id)):
        guard = f"if {node.id} is None:\n{code.unit}{text}"
        edits = [line_before(code, first_statement(function), guard)]
        title = f"Exit early if {node.id} is None: {text}"
        yield repair(
            question, title, edits, prior("none.handed-on-left-as-others") + doubt, pattern="lost-exit"
        )


def _of_class(code: Code, function: Function, name: str) -> Iterator[str]:
    """What the class around calls the default of a parameter: `self.default_signer`."""
    cls = code.class_of(function)
    for held in () if cls is None or not function.args.args else ast.walk(cls):
        is_stored = isinstance(held, ast.Name) and isinstance(held.ctx, ast.Store)
        if isinstance(held, ast.Name) and is_stored and set(words(held.id)) == {"default", *words(name)}:
            yield f"{function.args.args[0].arg}.{held.id}"


def _made(code: Code, function: Function, name: str) -> Iterator[str]:
    """The calls that make an object of the class in the annotation."""
    note = next((a.annotation for a in parameters(function) if a.arg == name), None)
    named = [n.id for n in ast.walk(note) if isinstance(n, ast.Name)] if note is not None else []
    calls = [n for n in code.nodes if isinstance(n, ast.Call) and dotted(n.func) in named]
    plain = [c for c in calls if all(isinstance(a, ast.Constant) for a in c.args) and not c.keywords]
    yield from dict.fromkeys(code.segment(call) for call in plain)
    for cls in (n for n in code.nodes if isinstance(n, ast.ClassDef)):
        if {cls.name, *map(dotted, cls.bases)} & set(named) and (call := made_of_names(code, cls, function)):
            yield call


def _same_parameter(code: Code, function: Function, name: str) -> Iterator[str]:
    """What other functions of the text begin with for a parameter of the same name."""
    known = {n.text for n in bound(code.tree)}
    for found in none_defaults(code.nodes):
        used = {n.id for n in ast.walk(found.value) if isinstance(n, ast.Name)}
        is_same = dotted(found.name) == name and code.function(found.test) is not function
        if is_same and not found.is_turned and used <= known:
            yield code.segment(found.value)


def _tested(question: Question, origin: Origin, doubt: float) -> Iterator[Repair]:
    """`if value is not None:` around what gives it away, and around the loop in which that stands."""
    code, name = origin.code, origin.code.segment(origin.node)
    statement = code.statement(origin.node)
    if statement is None or code.function(statement) is None or not _gives_away(code, statement, origin.node):
        return
    begins = prior("none.handed-on-begun") if _begins_as_none(origin, name) else 0
    for rank, held in enumerate(holders(code, statement, name)):
        body = body_of(code, held)
        if body is None or code.text.startswith("elif", code.start(held)):
            continue
        first = body.index(held)
        counts = {1, *reach(body, first, name), min(2, len(body) - first)}
        for number, count in enumerate(sorted(counts)):
            edits = indented(code, body[first : first + count], f"if {name} is not None:")
            cost = (
                prior("none.handed-on-tested")
                + prior("none.handed-on-tested-rank") * rank
                + prior("none.handed-on-tested-each-further") * number
                + doubt
                - begins
            )
            yield repair(question, f"Run only if {name} is not None", edits, cost, pattern="lost-block")
    for text, cost in exits(code, statement, name)[:_MOST_EXITS]:
        guard = f"if {name} is None:\n{code.unit}{text}"
        edits = [line_before(code, statement, guard)]
        title = f"Exit early if {name} is None: {text}"
        yield repair(question, title, edits, prior("none.handed-on-exit") + cost + doubt, pattern="lost-exit")


def _begins_as_none(origin: Origin, name: str) -> bool:
    """Whether the name is None at first, on purpose: what follows has to test it."""
    function = origin.code.function(origin.node)
    if function is None or has_default(function, name):
        return False
    given = (n for n in walk_scope(function) if isinstance(n, ast.Assign) and is_none(n.value))
    return is_none(default_of(function, name)) or any(dotted(t) == name for n in given for t in n.targets)


def _gives_away(code: Code, statement: ast.stmt, node: ast.expr) -> bool:
    """Whether a statement hands a value to a call, or out of the function."""
    if isinstance(statement, ast.Return | ast.For):
        # Who returns None only when it is not None returns it as well.
        return getattr(statement, "value", None) is not node
    holders = [a for a in code.ancestors(node) if isinstance(a, ast.expr)]
    return isinstance(statement, ast.Expr | ast.Assign | ast.AugAssign) and any(
        isinstance(a, ast.Call | ast.Yield) for a in holders
    )


def _other_default(question: Question, absent: Absent, origin: Origin, doubt: float) -> Iterator[Repair]:
    """What the same parameter begins with in other functions."""
    code = origin.code
    function = code.parent(code.parent(origin.node) or origin.node)
    if not isinstance(function, Function):
        return
    names = [a.arg for a in parameters(function) if default_of(function, a.arg) is origin.node]
    called = [text for name in names for text in _constants(code, name)]
    given = dict.fromkeys(text for name in names for text in _defaults(question.knowledge, code, name))
    unread = _unread_constants(code) if names else ()
    notes = [a.annotation for a in parameters(function) if a.arg in names and a.annotation is not None]
    kinds = dict.fromkeys(text for note in notes for text in _classes_of(code, note))
    costs = [
        (text, prior("none.other-default-by-type") + prior("shared.rank") * n) for n, text in enumerate(kinds)
    ]
    costs += [(text, 0) for text in called] + [
        (text, prior("none.other-default-unread") + prior("shared.rank") * n) for n, text in enumerate(unread)
    ]
    costs += [
        (text, prior("none.other-default-given") + prior("none.other-default-given-rank") * n)
        for n, text in enumerate(given)
    ]
    for text, cost in costs:
        edits = [code.replace(origin.node, text)]
        yield repair(question, f"Start with {text}", edits, cost + doubt, pattern="lost-default")


def _classes_of(code: Code, note: ast.expr) -> Iterator[str]:
    """The classes of an annotation that takes a class: `Type[ParseError]`."""
    for node in ast.walk(note):
        is_class = isinstance(node, ast.Subscript) and dotted(node.value).rpartition(".")[2] in _TYPES
        if isinstance(node, ast.Subscript) and is_class and dotted(node.slice):
            yield code.segment(node.slice)


def _constants(code: Code, name: str) -> Iterator[str]:
    """Constants of the module that are called a default of the parameter: `DEFAULT_TIMEOUT`."""
    for held in bound(code.tree):
        if held.text.isupper() and set(words(held.text)) == {"default", *words(name)}:
            yield held.text


def _unread_constants(code: Code) -> Iterator[str]:
    """Constants of the module that nothing there reads: one of them was the default."""
    for held in bound(code.tree):
        if held.text.isupper() and held.text[:1] != "_" and not loads(code.nodes, held.text):
            yield held.text


def _defaults(knowledge: Knowledge, code: Code, name: str) -> Iterator[str]:
    """The values that a parameter of a name has as its default; in other texts only what names nothing."""
    for other in islice(_naming(knowledge, code, name), _MOST_FILES):
        given = (default_of(f, name) for functions in other.functions.values() for f in functions)
        for value in given:
            if value is not None and not is_none(value) and (other is code or not _names_anything(value)):
                yield other.segment(value)


def _naming(knowledge: Knowledge, code: Code, name: str) -> Iterator[Code]:
    """The text itself, then others in which the name may be a parameter, the nearest first."""
    yield code
    others = [path for path in workspace_modules(knowledge.paths()).values() if path != code.path]
    asked = re.compile(rf"\b{name}\s*[=:]")
    for path in sorted(others, key=lambda path: _distance(code.path, path)):
        text = "" if is_test(path) else knowledge.text(path) or ""
        # To look for a word in a text costs little, to read it as code costs much.
        other = code_at(knowledge, path) if asked.search(text) else None
        if other is not None:
            yield other


def _distance(one: str, other: str) -> int:
    """The folders that a way from one file to another leaves and enters."""
    mine, its = PurePosixPath(one).parent.parts, PurePosixPath(other).parent.parts
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(mine, its, strict=False)))
    return len(mine) + len(its) - 2 * shared


def _names_anything(value: ast.expr) -> bool:
    return any(isinstance(node, ast.Name) for node in ast.walk(value))


REPAIRER = Repairer("none handed on", ABSENT, diagnose, propose)
