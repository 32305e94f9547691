"""A keyword argument that what is called does not take: misspelled, or of another name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Place, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.callees import callees
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.imports import imports
from gateline.repairs.analysis.likeness import likest
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.messages import types_of, understand, wording
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior

_CODES = "TypeError call-arg call-overload unknown-argument"
_TABLE = (
    wording(
        "keyword", _CODES, r"(?:(?P<callee>[\w.<>]+)\(\) )?got an unexpected keyword argument '(?P<name>\w+)'"
    ),
    wording("keyword", _CODES, r"'(?P<name>\w+)' is an invalid keyword argument for (?P<callee>[\w.]+)"),
    wording("keyword", _CODES, r"(?P<callee>[\w.]+)\(\) takes no keyword argument(?P<name>s)"),
    wording(
        "keyword",
        _CODES,
        r"Unexpected keyword argument \"(?P<name>\w+)\"(?: for \"(?P<callee>[^\"]+)\")?"
        r"(?:.*did you mean \"(?P<hint>\w+)\")?",
    ),
    wording("keyword", _CODES, r"Argument `(?P<name>\w+)` does not match any known parameter"),
)


_FAR = 4
"""Calls through which a keyword may have been handed."""
_PARAMETER = re.compile(r"(\w+)\s*:")


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A keyword that is not known."""
    said = understand(problem, _TABLE)
    if said is None:
        return None
    places = tuple(
        Place(spot.code.path, spot.code.span(keyword))
        for spot, _, keyword in _keywords(problem, knowledge, said["name"])
    )
    return Diagnosis(problem, Family.NAME, "wrong-keyword", "a parameter", said["name"], places)


def propose(question: Question) -> Iterator[Repair]:
    """The names of parameters that are not given yet."""
    yield from cheapest(_repairs(question))


def _keywords(
    problem: Problem, knowledge: Knowledge, name: str, most: int = 2
) -> Iterator[tuple[Spot, ast.Call, ast.keyword]]:
    for spot in spots(problem, knowledge)[:most]:
        for call in spot.candidates(ast.Call):
            for keyword in call.keywords:
                if keyword.arg == name:
                    yield spot, call, keyword


def _handed_through(question: Question, name: str) -> Iterator[Repair]:
    """`notify(text=…)` where `notify(**options)` hands it on: names that the last callee knows."""
    found = spots(question.problem, question.knowledge)
    calls = found[0].candidates(ast.Call) if found else []
    taken = next((c for c in calls if any(k.arg is None for k in c.keywords)), None)
    if taken is None or any(k.arg == name for k in taken.keywords):
        return
    given = {k.arg for k in taken.keywords}
    known = [
        p.name for c in callees(question.knowledge, found[0], taken) for p in c.parameters if p.kind != "p"
    ]
    for spot, call, keyword in _keywords(question.problem, question.knowledge, name, _FAR):
        free = [p for p in known[len(taken.args) :] if p not in given | {k.arg for k in call.keywords}]
        costs = {text: cost for cost, text in likest(name, free)}
        for rank, text in enumerate(free):
            start = spot.code.start(keyword)
            edits = [spot.code.edit(start, start + len(name), text)]
            yield repair(
                question,
                f"Change {name} to {text}",
                edits,
                costs.get(text, prior("calls.keyword-handed-through") + prior("shared.rank") * rank),
            )


def _repairs(question: Question) -> Iterator[Repair]:
    said = understand(question.problem, _TABLE)
    if said is not None:
        yield from _handed_through(question, said["name"])
    for spot, call, keyword in _keywords(question.problem, question.knowledge, said["name"]) if said else ():
        name = keyword.arg or ""
        given = {k.arg for k in call.keywords}
        known = [
            p.name for c in callees(question.knowledge, spot, call) for p in c.parameters if p.kind != "p"
        ]
        options = [p for p in known if p not in given]
        guessed = [] if known else _elsewhere(question.knowledge, spot, call, name)
        costs = {
            text: cost for cost, text in likest(name, [*options, *(g for g in guessed if g not in given)])
        }
        if said and said["hint"]:
            costs[said["hint"]] = 0
        for text in dict.fromkeys([*costs, *options]):
            start = spot.code.start(keyword)
            edit = spot.code.edit(start, start + len(name), text)
            yield repair(
                question, f"Change {name} to {text}", [edit], costs.get(text, prior("calls.keyword-unlike"))
            )
        yield _dropped(question, spot, call, keyword)


def _elsewhere(knowledge: Knowledge, spot: Spot, call: ast.Call, name: str) -> list[str]:
    """Where it is not known what is called: what other calls name, and functions of its name."""
    calls = (node for node in spot.code.nodes if isinstance(node, ast.Call))
    found = [k.arg for node in calls for k in node.keywords if k.arg and k.arg != name]
    header = re.compile(
        rf"\bdef {dotted(call.func).rpartition('.')[2] or '-'}\(([^()]*(?:\([^()]*\)[^()]*)*)\)"
    )
    for module in dict.fromkeys(_imported(spot.code)):
        for parameters in header.findall(knowledge.source(module) or ""):
            found += _PARAMETER.findall(parameters)
    return list(dict.fromkeys(found))


def _imported(code: Code) -> Iterator[str]:
    for node in imports(code):
        yield from [node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]


def _dropped(question: Question, spot: Spot, call: ast.Call, keyword: ast.keyword) -> Repair:
    """It is not needed at all."""
    code = spot.code
    everything: list[ast.AST] = sorted([*call.args, *call.keywords], key=code.start)
    at = everything.index(keyword)
    start = code.end(everything[at - 1]) if at else code.start(keyword)
    end = code.end(keyword) if at or len(everything) == 1 else code.start(everything[1])
    return repair(
        question,
        f"Remove the argument {keyword.arg}",
        [code.edit(start, end, "")],
        prior("calls.keyword-dropped"),
        pattern="extra-keyword",
    )


REPAIRER = Repairer("keyword arguments", types_of(_TABLE), diagnose, propose)
