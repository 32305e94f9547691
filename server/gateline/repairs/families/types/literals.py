"""A literal of the wrong type: a comma too much, a number in quotes, bytes for text, a list for a tuple.

Looked for where the error was seen, and where the value comes from.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.bug_patterns import without_comma
from gateline.repairs.analysis.code import walk_scope
from gateline.repairs.analysis.dataflow import Origin, origins
from gateline.repairs.analysis.spelling import redisplayed, unquoted, with_prefix, without_prefix
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.mismatch import MISMATCHES, Mismatch, mismatches
from gateline.repairs.priors import prior

_BRACKETS: Mapping[str, tuple[str, str]] = {"tuple": ("(", ")"), "list": ("[", "]"), "set": ("{", "}")}
_DEMANDED: Mapping[str, tuple[str, ...]] = {
    "hash": ("tuple",),
    "catch": ("tuple",),
    "argument": ("tuple", "list"),
    "store": ("list", "dict"),
    "attribute": ("list", "dict", "set", "tuple"),
    "value": ("dict", "list", "tuple", "set"),
    "expression": ("tuple", "list"),
}
"""What a display may have to be, by what is asked of it."""
_LISTED = frozenset({"argument", "index", "store", "attribute", "list"})
"""What is asked of a list, and not of a generator."""
_DISPLAYS = (ast.Dict, ast.List, ast.Tuple, ast.Set)
_EMPTY = {"list": "[]", "dict": "{}", "tuple": "()", "set": "set()"}


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A value of the wrong type, as far as a literal may be behind it."""
    found = mismatches(problem, knowledge)
    if not found:
        return None
    first = found[0]
    places = tuple(m.place for m in found)
    return Diagnosis(problem, Family.TYPE, "wrong-literal", first.wanted, first.actual, places)


def propose(question: Question) -> Iterator[Repair]:
    """The literal as it was probably meant."""
    found = mismatches(question.problem, question.knowledge)
    yield from cheapest(r for mismatch in found for r in _of(question, mismatch))


def _of(question: Question, mismatch: Mismatch) -> Iterator[Repair]:
    for origin in origins(question.knowledge, mismatch.spot, mismatch.node):
        for title, text, cost, pattern in _rewritten(origin, mismatch):
            edits = [origin.code.replace(origin.node, text)]
            total = cost + mismatch.doubt + prior("shared.step") * origin.steps
            total += (
                prior("types.literal-beside-none") if "NoneType" in {mismatch.wanted, mismatch.actual} else 0
            )
            yield repair(question, title, edits, total, pattern=pattern)
    yield from _asked(question, mismatch)
    yield from _looked_up(question, mismatch)
    yield from _keys(question, mismatch)


def _looked_up(question: Question, mismatch: Mismatch) -> Iterator[Repair]:
    """`rows = []` before `rows[name] = …`: a list is not indexed by that, a dictionary is."""
    holder = mismatch.spot.code.parent(mismatch.node)
    if mismatch.says != "one:position" or not isinstance(holder, ast.Subscript):
        return
    for origin in origins(question.knowledge, mismatch.spot, holder.value):
        if origin.code.segment(origin.node) in {"[]", "()", "list()"}:
            # What is empty has no place to store something at.
            cost = prior(
                "types.literal-looked-up-stored"
                if isinstance(holder.ctx, ast.Store)
                else "types.literal-looked-up"
            )
            cost += mismatch.doubt + prior("shared.step") * origin.steps
            edits = [origin.code.replace(origin.node, "{}")]
            yield repair(question, "Start with {}", edits, cost, pattern="wrong-display")


def _keys(question: Question, mismatch: Mismatch) -> Iterator[Repair]:
    """Bytes where the others are text: a key of what is handed on as keywords, a name in a display."""
    if mismatch.wanted != "strings" and mismatch.actual != "bytes":
        return
    code = mismatch.spot.code
    for key in _odd(code.function(mismatch.node) or code.tree, is_keyword=mismatch.wanted == "strings"):
        if text := without_prefix(code, key):
            edits = [code.replace(key, text)]
            yield repair(
                question,
                "Use a str literal instead of bytes",
                edits,
                prior("types.literal-key"),
                pattern="bytes-literal",
            )


def _odd(scope: ast.AST, *, is_keyword: bool) -> Iterator[ast.Constant]:
    """Bytes among text; of keywords any, also where they are stored one by one."""
    for node in walk_scope(scope):
        if isinstance(node, ast.Subscript) and is_keyword:
            held: list[ast.expr | None] = [node.slice]
        else:
            held = getattr(node, "keys", getattr(node, "elts", [])) if isinstance(node, _DISPLAYS) else []
        constants = [key for key in held if isinstance(key, ast.Constant)]
        if is_keyword or any(isinstance(c.value, str) for c in constants):
            yield from (c for c in constants if isinstance(c.value, bytes))


def _asked(question: Question, mismatch: Mismatch) -> Iterator[Repair]:
    """`b"".join(names)`: not what is given is at fault, but the literal that is asked."""
    code = mismatch.spot.code
    call = code.parent(mismatch.node)
    if "bytes" not in f"{mismatch.wanted} {mismatch.actual}" or not isinstance(call, ast.Call):
        return
    asked = call.func.value if isinstance(call.func, ast.Attribute) else None
    if isinstance(asked, ast.Constant) and isinstance(asked.value, str | bytes):
        is_bytes = isinstance(asked.value, bytes)
        text = without_prefix(code, asked) if is_bytes else with_prefix(code, asked)
        title = "Use a str literal instead of bytes" if is_bytes else "Use a bytes literal instead of str"
        if text:
            edits, cost = [code.replace(asked, text)], prior("types.literal-asked") + mismatch.doubt
            yield repair(question, title, edits, cost, pattern="bytes-literal")


Rewriting = tuple[str, str, float, str]


def _rewritten(origin: Origin, mismatch: Mismatch) -> Iterator[Rewriting]:
    node = origin.node
    if mismatch.says == "one:position" and isinstance(node, ast.Tuple) and len(node.elts) in {2, 3}:
        text = " : ".join(origin.code.segment(e) for e in node.elts)
        yield "Use a slice", text, prior("types.literal-slice"), "comma-for-colon"
    if isinstance(node, ast.Tuple) and len(node.elts) == 1 and mismatch.actual in {"tuple", ""}:
        is_trailing = origin.code.is_trailing(node)
        text = without_comma(origin.code, node) if is_trailing else origin.code.segment(node.elts[0])
        cost = prior("types.literal-trailing-comma" if is_trailing else "types.literal-tuple")
        yield "Remove the comma, which makes a tuple", text, cost, "accidental-tuple"
    if isinstance(node, ast.Constant):
        yield from _constant(origin, node, mismatch)
    if isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict) and not origin.code.is_trailing(node):
        yield from _display(origin, node, mismatch)
    if isinstance(node, ast.GeneratorExp) and mismatch.actual == "generator" and mismatch.wanted in _LISTED:
        yield (
            "Use a list instead of a generator",
            _listed(origin, node),
            prior("types.literal-list-for-generator"),
            "generator-for-list",
        )
    if (
        isinstance(node, ast.Call)
        and not node.args
        and origin.code.segment(node) in {"set()", "list()", "dict()"}
    ):
        yield from _empty(node, mismatch)


def _listed(origin: Origin, node: ast.GeneratorExp) -> str:
    """A generator as a list; where it is all that a call is given, it shares the parentheses of the call."""
    code, holder = origin.code, origin.code.parent(node)
    text = f"[{code.segment(node)[1:-1]}]"
    is_shared = isinstance(holder, ast.Call) and node in holder.args and code.end(holder) == code.end(node)
    return f"({text})" if is_shared else text


def _constant(origin: Origin, node: ast.Constant, mismatch: Mismatch) -> Iterator[Rewriting]:
    number = unquoted(node)
    if number is not None and mismatch.wanted != "str":
        yield f"Use the number {number}", number, prior("types.literal-number"), "quoted-number"
    if isinstance(node.value, bytes) and (text := without_prefix(origin.code, node)):
        yield (
            "Use a str literal instead of bytes",
            text,
            prior("types.literal-text-for-bytes"),
            "bytes-literal",
        )
    if isinstance(node.value, str) and "bytes" in f"{mismatch.wanted} {mismatch.actual}":
        text = with_prefix(origin.code, node)
        if text is not None:
            yield (
                "Use a bytes literal instead of str",
                text,
                prior("types.literal-bytes-for-text"),
                "text-literal",
            )
    if (
        isinstance(node.value, int | float)
        and mismatch.wanted in {"str", "string"}
        and node.value is not True
    ):
        quoted = (
            f'"{origin.code.segment(node)}"' if '"' in origin.code.text else f"'{origin.code.segment(node)}'"
        )
        yield f"Write {quoted}", quoted, prior("types.literal-quoted"), "unquoted-text"


def _display(
    origin: Origin, node: ast.List | ast.Tuple | ast.Set | ast.Dict, mismatch: Mismatch
) -> Iterator[Rewriting]:
    elements = node.keys if isinstance(node, ast.Dict) else node.elts
    own = type(node).__name__.lower()
    if not elements:
        yield from _empty(node, mismatch)
        return
    for rank, kind in enumerate(_kinds(mismatch)):
        if kind == own or kind not in _BRACKETS:
            continue
        text = redisplayed(origin.code, node, *_BRACKETS[kind])
        if text is not None:
            yield (
                f"Use a {kind} literal instead of a {own}",
                text,
                prior("types.literal-display") + prior("types.literal-display-rank") * rank,
                "wrong-display",
            )


def _empty(node: ast.expr, mismatch: Mismatch) -> Iterator[Rewriting]:
    own = type(node).__name__.lower() if not isinstance(node, ast.Call) else ast.unparse(node.func)
    for rank, kind in enumerate(_kinds(mismatch)):
        if kind != own and kind in _EMPTY:
            yield (
                f"Start with {_EMPTY[kind]}",
                _EMPTY[kind],
                prior("types.literal-empty") + prior("types.literal-empty-rank") * rank,
                "wrong-display",
            )


def _kinds(mismatch: Mismatch) -> tuple[str, ...]:
    if mismatch.wanted in _BRACKETS or mismatch.wanted == "dict":
        return (mismatch.wanted,)
    if mismatch.says == "pair":
        return ("list",)
    return _DEMANDED.get(mismatch.wanted, _DEMANDED.get(mismatch.says.partition(":")[2], ("tuple", "list")))


REPAIRER = Repairer("literals", MISMATCHES, diagnose, propose)
