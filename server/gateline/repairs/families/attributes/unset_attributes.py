"""An attribute of the own object that its class uses and never sets: `__init__` sets what it is used as."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from gateline.model import Diagnosis, Edit, Family, Knowledge, Origin, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.code import Code, Function
from gateline.repairs.analysis.imports import added
from gateline.repairs.analysis.likeness import likest
from gateline.repairs.analysis.scopes import attributes_of_self, visible
from gateline.repairs.analysis.types import Kinds
from gateline.repairs.donors.initial_values import values_for
from gateline.repairs.donors.name_homes import tops
from gateline.repairs.edit_builder import cheapest, line_after, repair
from gateline.repairs.locate.missing_attribute import LACKING, Lacking, lacking
from gateline.repairs.priors import prior

_DEQUE = frozenset({"popleft", "appendleft", "extendleft", "rotate"})
_MOST = 4


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """The own object lacks what the class only reads."""
    found = _unset(problem, knowledge)
    if found is None:
        return None
    return Diagnosis(problem, Family.NAME, "unset-attribute", "a first value", found[0].name, found[0].places)


def propose(question: Question) -> Iterator[Repair]:
    """A line at the end of `__init__`."""
    found = _unset(question.problem, question.knowledge)
    if found is not None:
        yield from cheapest(_repairs(question, *found))


def _repairs(
    question: Question, lack: Lacking, init: Function, uses: list[ast.Attribute]
) -> Iterator[Repair]:
    code = lack.code
    me = init.args.args[0].arg
    cls = code.class_of(lack.node)
    is_misspelled = cls is not None and bool(likest(lack.name, attributes_of_self(cls)))
    least = prior("attributes.unset-misspelled" if is_misspelled else "attributes.unset")
    for rank, value in enumerate(_values(question, code, uses)[:_MOST]):
        edits: list[Edit] = [line_after(code, init.body[-1], f"{me}.{lack.name} = {value}")]
        if value == "deque()" and "deque" not in visible(code, init):
            edits.append(added(code, "collections", "deque", tops(question.knowledge)))
        yield repair(
            question,
            f"Set {me}.{lack.name} = {value} in __init__",
            edits,
            least + prior("attributes.unset-rank") * rank,
        )


def _values(question: Question, code: Code, uses: list[ast.Attribute]) -> list[str]:
    """What all uses together speak for, the likeliest first."""
    asked = {p.attr for n in uses if isinstance(p := code.parent(n), ast.Attribute)}
    if asked & _DEQUE:
        return ["deque()"]
    kinds = Kinds(code, question.knowledge)
    votes: Counter[str] = Counter()
    for node in uses:
        for value, cost in values_for(kinds, node):
            votes[value] += 2 if cost < prior("attributes.unset-strong-vote-limit") else 1
    return [value for value, _ in votes.most_common()]


def _unset(problem: Problem, knowledge: Knowledge) -> tuple[Lacking, Function, list[ast.Attribute]] | None:
    found = lacking(problem, knowledge)
    cls = found.code.class_of(found.node) if found is not None else None
    if found is None or cls is None or problem.origin is not Origin.RUN or found.call is not None:
        return None
    init = next((n for n in cls.body if isinstance(n, Function) and n.name == "__init__"), None)
    is_own = cls.name == found.owner.rpartition(".")[2] and found.name not in attributes_of_self(cls)
    if init is None or not is_own or not init.args.args or found.node in set(ast.walk(init)):
        return None
    uses = [n for n in ast.walk(cls) if isinstance(n, ast.Attribute) and n.attr == found.name]
    return found, init, uses


REPAIRER = Repairer("unset attributes", LACKING, diagnose, propose)
