"""A decorator that the functions beside have, and this one lost: `@message("expected a date")`.

What it is given is written for this function: `expected a URL` and `UrlInvalid` where the next one has
`expected a date` and `DateInvalid`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Origin, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.callees import Definition, definitions
from gateline.repairs.analysis.code import Code, Function, parameters
from gateline.repairs.analysis.likeness import words
from gateline.repairs.analysis.scopes import Kind, bound, loads
from gateline.repairs.edit_builder import cheapest, line_before, repair
from gateline.repairs.locate.messages import types_of, understand, wordings
from gateline.repairs.locate.places import spots
from gateline.repairs.priors import prior

_TABLE = wordings("arity")
_DECLARED = frozenset({"empty-body", "no-redef"})
"""What a type checker says of one of several headers without `@overload`."""
_CODES = types_of(_TABLE) | {"TypeError", "AttributeError"} | _DECLARED | {"misc"}
_MOST = 4


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A run called a function of the workspace that has no decorator in another way than its header says."""
    if _is_declared(problem):
        found = any(_overloads(problem, knowledge))
    else:
        found = problem.origin is Origin.RUN and bool(_bare(problem, knowledge))
    if not found:
        return None
    return Diagnosis(problem, Family.TYPE, "dropped-decorator", "a decorated function")


def propose(question: Question) -> Iterator[Repair]:
    """The decorators of the functions around it that have the same parameters."""
    if _is_declared(question.problem):
        yield from cheapest(
            repair(
                question,
                f"Write @{text}",
                [line_before(code, node, f"@{text}")],
                prior("calls.decorator-as-others"),
            )
            for code, node, text in _overloads(question.problem, question.knowledge)
        )
        return
    found = _bare(question.problem, question.knowledge)
    yield from cheapest(r for definition in found for r in _of(question, definition))


def _is_declared(problem: Problem) -> bool:
    return problem.type in _DECLARED or "overloaded function" in problem.message


def _overloads(problem: Problem, knowledge: Knowledge) -> Iterator[tuple[Code, Function, str]]:
    """A header with no body, before or behind others of the same name that are `@overload`."""
    for spot in spots(problem, knowledge)[:1]:
        code = spot.code
        named = {node.name for node in spot.candidates(ast.FunctionDef)}
        for node in (f for name in named for f in code.functions.get(name, ())):
            others = [f for f in code.functions[node.name] if f is not node]
            texts = [code.segment(d) for f in others for d in f.decorator_list]
            text = next((t for t in texts if t.rpartition(".")[2] == "overload"), "")
            if text and not node.decorator_list and _only_declares(node):
                yield code, node, text


def _only_declares(function: Function) -> bool:
    last = function.body[-1]
    return isinstance(last, ast.Expr) and isinstance(last.value, ast.Constant) and last.value.value is ...


def _bare(problem: Problem, knowledge: Knowledge) -> list[Definition]:
    said = understand(problem, _TABLE)
    name = "" if said is None else said["callee"].rpartition(".")[2]
    return [
        d
        for d in (definitions(knowledge, name) if name else [])
        if isinstance(d.node, Function) and not d.node.decorator_list
    ]


def _of(question: Question, definition: Definition) -> Iterator[Repair]:
    code, function = definition.code, definition.node
    if not isinstance(function, Function):
        return
    for rank, text in enumerate(dict.fromkeys(_texts(code, function))):
        if rank >= _MOST:
            return
        edits = [line_before(code, function, f"@{text}")]
        yield repair(
            question,
            f"Decorate {function.name} with {text.partition('(')[0]}",
            edits,
            prior("calls.decorator-of-function") + prior("calls.decorator-of-function-rank") * rank,
        )


def _texts(code: Code, function: Function) -> Iterator[str]:
    """The decorators of functions in the same block with the same parameters, the nearest first."""
    beside = getattr(code.parent(function), "body", [])
    others = [f for f in beside if isinstance(f, Function) and f is not function and f.decorator_list]
    own = [a.arg for a in parameters(function)]
    for other in sorted(others, key=lambda f: abs(f.lineno - function.lineno)):
        if len(parameters(other)) != len(own) or len(other.decorator_list) != 1:
            continue
        text = code.segment(other.decorator_list[0])
        yield _said_of(code, text, other.name, function.name)


def _said_of(code: Code, text: str, its: str, mine: str) -> str:
    """A decorator as it is said of another function: what is imported and not read was for this one."""
    unread = [n.text for n in bound(code.tree) if n.kind is Kind.IMPORT and not loads(code.nodes, n.text)]
    for name in [n.id for n in ast.walk(ast.parse(text, mode="eval")) if isinstance(n, ast.Name)]:
        others = [u for u in unread if set(words(u)) & set(words(mine)) and words(u)[-1] == words(name)[-1]]
        if others and set(words(its)) & set(words(name)):
            text = re.sub(rf"\b{name}\b", others[0], text)
    return re.sub(rf"\b{re.escape(its)}\b", mine, text)


REPAIRER = Repairer("decorated elsewhere", _CODES, diagnose, propose)
