"""Slips that show in the code itself, wherever they are: the error may be far from where its value was made.

A last statement whose value nobody takes, the assigned result of a method that works in place, a comma behind
an assignment, a method that is returned where it is called everywhere else. Looked for in the modules that
the run came through, and in those beside them; tests decide.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from gateline.model import Diagnosis, Edit, Family, Knowledge, Origin, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.blocks import LEAVING, indented
from gateline.repairs.analysis.bug_patterns import without_comma
from gateline.repairs.analysis.code import Code, Function, first_statement, is_none, parameters, walk_scope
from gateline.repairs.analysis.inplace import changed_by
from gateline.repairs.analysis.none_tests import is_asked, none_defaults, used_where_absent
from gateline.repairs.analysis.scopes import visible
from gateline.repairs.analysis.uncalled import Uncalled, in_square_brackets, never_called, never_made
from gateline.repairs.donors.analogies import likewise, made_of
from gateline.repairs.donors.call_arguments import default_of
from gateline.repairs.donors.odd_defaults import odd_defaults
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.suspects import nearby
from gateline.repairs.priors import prior

_TOLD = re.compile(r"\b(NoneType|tuple|function|method|builtin_function_or_method|type object)\b")
_POINTLESS = (
    *(ast.Name, ast.Attribute, ast.Subscript, ast.BinOp, ast.BoolOp, ast.Compare, ast.UnaryOp, ast.IfExp),
    *(ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    *(ast.JoinedStr, ast.Lambda),
)
"""An expression of these kinds does nothing by itself."""
_ANSWERS = frozenset({"list", "tuple", "dict", "set", "frozenset", "str", "int", "sorted", "len", "sum"})
"""Nor does a call of these."""
_OF_TEXT = frozenset({"strip", "lstrip", "rstrip", "lower", "upper", "splitlines", "startswith", "endswith"})
"""Nor do these methods, which only texts have: a text is never changed."""


class _Sign(NamedTuple):
    title: str
    edits: Sequence[Edit]
    pattern: str
    doubt: float = 0


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A run met None, a tuple or a function where something else was meant."""
    told = _told(problem) if problem.origin is Origin.RUN else ""
    if not told:
        return None
    family = Family.NONE if told == "NoneType" else Family.TYPE
    return Diagnosis(problem, family, "telltale-sign", "a value", told)


def _told(problem: Problem) -> str:
    """What was met, by the message; else a tuple, where a name held one."""
    told = _TOLD.search(problem.message)
    if told is not None:
        return told[1]
    inner = next((frame for frame in reversed(problem.frames) if frame.ours), None)
    is_held = inner is not None and any(kind == "tuple" for _, kind in inner.seen)
    return "tuple" if is_held else ""


def propose(question: Question) -> Iterator[Repair]:
    """The slips of the kind that leads to such a value, those nearest to the run first."""
    find = _FINDERS[question.diagnosis.actual]
    yield from cheapest(
        repair(
            question,
            sign.title,
            sign.edits,
            prior("bug_patterns.sign") + prior("bug_patterns.sign-rank") * rank + sign.doubt,
            pattern=sign.pattern,
        )
        for rank, code in enumerate(nearby(question.problem, question.knowledge))
        for sign in find(code)
    )


def _of_none(code: Code) -> Iterator[_Sign]:
    for node in code.nodes:
        if isinstance(node, Function):
            yield from _not_returned(code, node)
            yield from _handed_on(code, node)
            yield from _turned_round(code, node)
            yield from _other_defaults(code, node)
        yield from _used_where_absent(code, node)
        if isinstance(node, ast.Assign) and isinstance(call := node.value, ast.Call):
            changed = changed_by(call)
            if changed is not None and ast.unparse(node.targets[0]) == ast.unparse(changed):
                edit = code.edit(code.start(node), code.start(call), "")
                yield _Sign(
                    "Remove the assignment",
                    [edit],
                    "in-place-result",
                    prior("bug_patterns.sign-in-place-result"),
                )
        yield from _given_itself(code, node)
        yield from _never_reached(code, node)
        yield from _without_default(code, node)
        yield from _untested(code, node)


def _without_default(code: Code, node: ast.AST) -> Iterator[_Sign]:
    """`self.left = left` beside `self.right = right or Right`, where `left` may be None as well."""
    if not isinstance(node, Function):
        return
    inside = list(walk_scope(node))
    choices = [n for n in inside if isinstance(n, ast.BoolOp) and isinstance(n.op, ast.Or)]
    for assigned in (n for n in inside if isinstance(n, ast.Assign) and choices):
        value = assigned.value
        is_optional = isinstance(value, ast.Name) and is_none(default_of(node, value.id))
        if isinstance(value, ast.Name) and is_optional and not is_asked(code, assigned.targets[0]):
            texts = (likewise(code, value, other) or _empty_beside(code, other) for other in choices)
            text = next((text for text in texts if text), None)
            if text is not None:
                edits = [code.replace(value, f"{value.id} or {text}")]
                yield _Sign(
                    f"Write {value.id} or {text}",
                    edits,
                    "lost-default",
                    prior("bug_patterns.sign-without-default"),
                )


def _given_itself(code: Code, node: ast.AST) -> Iterator[_Sign]:
    """`_reader = _reader` in a function with such a parameter: something stood behind it."""
    value = node.value if isinstance(node, ast.Assign) else None
    if not isinstance(node, ast.Assign) or not isinstance(value, ast.Name) or code.function(node) is None:
        return
    if dotted(node.targets[0]) == value.id:
        known = (n for n in visible(code, node) if n.strip("_") == value.id.strip("_") and n != value.id)
        for name in known:
            yield _Sign(
                f"Write {value.id} or {name}",
                [code.replace(value, f"{value.id} or {name}")],
                "lost-default",
                prior("bug_patterns.sign-given-itself"),
            )


def _empty_beside(code: Code, other: ast.BoolOp) -> str | None:
    """`{}` of `self.rows = rows or {}`: what begins empty for one parameter may do so for the next."""
    holder, last = code.parent(other), other.values[-1]
    is_kept = isinstance(holder, ast.Assign) and isinstance(holder.targets[0], ast.Attribute)
    return code.segment(last) if is_kept and ast.unparse(last) in {"{}", "[]", "()"} else None


def _untested(code: Code, node: ast.AST) -> Iterator[_Sign]:
    """`if lock: both(lock, cond)` before `elif cond is not None`: the first branch may have no `cond`."""
    other = node.orelse[0] if isinstance(node, ast.If) and node.orelse else None
    if not isinstance(node, ast.If) or not isinstance(other, ast.If):
        return
    asked = [
        n for n in ast.walk(other.test) if isinstance(n, ast.Compare) and isinstance(n.ops[0], ast.IsNot)
    ]
    known = {n.id for n in ast.walk(node.test) if isinstance(n, ast.Name)}
    # `is_list = isinstance(names, list)` asks of it before.
    known |= {name for one in tuple(known) for name in made_of(code, node, one)}
    used = {n.id for s in node.body for n in ast.walk(s) if isinstance(n, ast.Name)}
    for name in dict.fromkeys(dotted(n.left) for n in asked if is_none(n.comparators[0])):
        if name in used - known:
            text = code.segment(node.test)
            text = f"({text})" if isinstance(node.test, ast.BoolOp | ast.IfExp) else text
            edits = [code.replace(node.test, f"{name} is not None and {text}")]
            yield _Sign(
                f"Test {name} is not None", edits, "lost-condition", prior("bug_patterns.sign-untested")
            )


def _never_reached(code: Code, node: ast.AST) -> Iterator[_Sign]:
    """`return one(x)` right before `return two`: what comes so far needed a value in the first."""
    blocks = [block for name in ("body", "orelse") if isinstance(block := getattr(node, name, None), list)]
    leaving = [s for block in blocks for s in block[:-1] if isinstance(s, LEAVING)]
    own = (node if isinstance(node, Function) else code.function(node)) if leaving else None
    for statement in leaving if own is not None else ():
        used = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}
        absent = {a.arg: is_none(default_of(own, a.arg)) for a in parameters(own) if a.arg in used}  # type: ignore[arg-type]
        absent |= {name: True for name in _looked_up(own) if name in used}  # type: ignore[arg-type]
        for rank, name in enumerate(sorted(absent, key=lambda n: not absent[n])):
            edits = indented(code, [statement], f"if {name} is not None:")
            yield _Sign(
                f"Run only if {name} is not None",
                edits,
                "lost-block",
                prior("bug_patterns.sign-never-reached")
                + prior("bug_patterns.sign-never-reached-rank") * rank,
            )


def _looked_up(function: Function) -> Iterator[str]:
    """`make = MAKERS.get(kind)`: names that hold None where nothing was found."""
    for node in walk_scope(function):
        value = node.value if isinstance(node, ast.Assign) else None
        is_get = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)
        if is_get and value.func.attr == "get" and len(value.args) == 1:  # type: ignore[union-attr]
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))  # type: ignore[attr-defined]


def _not_returned(code: Code, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[_Sign]:
    """The last statement of a branch computes something, and the function goes on to its end.

    What is called there may only do something; a function that gives a value elsewhere forgot it.
    """
    is_giving = _returns_more_than_none(function)
    for last in _ends(function.body):
        is_only = len(function.body) == 1 and isinstance(last.value, ast.Constant)
        is_answer = isinstance(last.value, ast.Call) and _is_answer(last.value.func)
        is_half = is_giving and isinstance(last.value, ast.Call)
        if (isinstance(last.value, _POINTLESS) or is_answer or is_half) and not is_only:
            edit = code.edit(code.start(last), code.start(last), "return ")
            doubt = prior(
                "bug_patterns.sign-pointless-statement"
                if isinstance(last.value, _POINTLESS) or is_answer
                else "bug_patterns.sign-value-dropped"
            )
            yield _Sign("Return the value", [edit], "missing-return", doubt)


def _is_answer(called: ast.expr) -> bool:
    is_of_text = isinstance(called, ast.Attribute) and called.attr in _OF_TEXT
    return is_of_text or dotted(called) in _ANSWERS


def _handed_on(code: Code, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[_Sign]:
    """All that a function does is to call another of its text, which gives a value."""
    last = function.body[-1]
    if last is not first_statement(function) or not isinstance(last, ast.Expr):
        return
    name = dotted(last.value.func).rpartition(".")[2] if isinstance(last.value, ast.Call) else ""
    if any(_returns_more_than_none(f) for f in code.functions.get(name, ()) if f is not function):
        edit = code.edit(code.start(last), code.start(last), "return ")
        yield _Sign("Return the value", [edit], "missing-return", prior("bug_patterns.sign-not-returned"))


def _returns_more_than_none(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function gives a value somewhere that is no constant: `return None` gives nothing."""
    given = [n.value for n in walk_scope(function) if isinstance(n, ast.Return)]
    return any(value is not None and not isinstance(value, ast.Constant) for value in given)


def _turned_round(code: Code, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[_Sign]:
    """`if names is not None: names = {}` gives a default to what has a value."""
    for found in none_defaults(walk_scope(function)):
        name = dotted(found.name)
        if found.is_turned and name and name == dotted(found.target):
            edits = [code.replace(found.test, f"{name} is None")]
            yield _Sign(
                f"Test {name} is None", edits, "flipped-guard", prior("bug_patterns.sign-flipped-guard")
            )


def _other_defaults(code: Code, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[_Sign]:
    """`def get(self, at, default=None)` where functions of its name have `default=missing`."""
    for odd in odd_defaults(code, function):
        title = f"Default {odd.name} to {odd.text}"
        yield _Sign(
            title,
            [code.replace(odd.node, odd.text)],
            "lost-default",
            prior(
                "bug_patterns.sign-other-default-same"
                if odd.is_same
                else "bug_patterns.sign-other-default-alike"
            ),
        )


def _used_where_absent(code: Code, node: ast.AST) -> Iterator[_Sign]:
    """`if width is None: wrapped = Wrapper(width)`: what is None there is handed on as if it were not."""
    found = used_where_absent(code, node) if isinstance(node, ast.If | ast.IfExp) else None
    if found is not None:
        text = f"{code.segment(found.node)} {'is not' if found.if_none else 'is'} None"
        yield _Sign(
            f"Test {text}",
            [code.replace(found.test, text)],
            "flipped-guard",
            prior("bug_patterns.sign-used-where-none"),
        )


def _ends(body: list[ast.stmt]) -> Iterator[ast.Expr]:
    """The expressions with which a block ends, and those of the branches that it ends with."""
    last = body[-1]
    if isinstance(last, ast.Expr):
        yield last
    elif isinstance(last, ast.If):
        yield from _ends(last.body)
        if last.orelse:
            yield from _ends(last.orelse)
    elif isinstance(last, ast.With):
        yield from _ends(last.body)


def _of_tuple(code: Code) -> Iterator[_Sign]:
    for node in code.nodes:
        if not isinstance(node, ast.Assign | ast.Return | ast.AnnAssign | ast.AugAssign):
            continue
        value = node.value
        if value is not None and code.is_trailing(value):
            edit = code.replace(value, without_comma(code, value))
            yield _Sign("Remove the comma, which makes a tuple", [edit], "accidental-tuple")


def _of_class(code: Code) -> Iterator[_Sign]:
    yield from map(_call, never_made(code))


def _of_function(code: Code) -> Iterator[_Sign]:
    yield from map(_call, (*never_made(code), *never_called(code)))
    for item in in_square_brackets(code):
        inside = code.text[code.end(item.value) : code.end(item)].strip()[1:-1]
        edits = [code.edit(code.end(item.value), code.end(item), f"({inside})")]
        yield _Sign(
            f"Write {code.segment(item.value)}(…)",
            edits,
            "square-brackets",
            prior("bug_patterns.sign-square-brackets"),
        )


def _call(found: Uncalled) -> _Sign:
    return _Sign(f"Call {found.name}", [found.edit], "missing-call", found.doubt)


_FINDERS: dict[str, Callable[[Code], Iterator[_Sign]]] = {
    "NoneType": _of_none,
    "tuple": _of_tuple,
    "function": _of_function,
    "method": _of_function,
    "builtin_function_or_method": _of_function,
    "type object": _of_class,
}
CODES = frozenset({"TypeError", "AttributeError", "ValueError"})
REPAIRER = Repairer("telltale signs", CODES, diagnose, propose)
