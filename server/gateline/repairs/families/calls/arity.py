"""A call with too many or too few arguments, or a method that lacks `self`, a decorator, a star."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from types import BuiltinFunctionType

from gateline.model import Diagnosis, Edit, Family, Knowledge, Place, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.callees import Definition, called, callees, definitions
from gateline.repairs.analysis.code import Code, Function, walk_scope
from gateline.repairs.analysis.likeness import is_alike
from gateline.repairs.donors.argument_candidates import fillers, given_by_others, wrapped_target
from gateline.repairs.edit_builder import cheapest, element_added, line_before, repair
from gateline.repairs.locate.messages import Saying, types_of, understand, wordings
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior

_TABLE = wordings("arity")
_NAME = re.compile(r"\w+")
_STATIC = frozenset({"staticmethod", "classmethod"})
_DEPTH = 2
"""Calls of the workspace, from where the error was seen."""


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """Arguments that do not fit the parameters."""
    said = _said(problem)
    if said is None:
        return None
    places = tuple(Place(s.code.path, s.code.span(c)) for s, c in _calls(problem, knowledge, said))
    return Diagnosis(problem, Family.TYPE, f"arguments-{said.says}", said["takes"], said["given"], places)


def _said(problem: Problem) -> Saying | None:
    """What the message says; where it has numbers, they tell whether there are too many or too few."""
    said = understand(problem, _TABLE)
    takes, given = (said["takes"], said["given"]) if said else ("", "")
    if said is not None and said.says in {"many", "few"} and takes.isdigit() and given.isdigit():
        return replace(said, says="many" if int(given) > int(takes) else "few")
    return said


def propose(question: Question) -> Iterator[Repair]:
    """Repairs of the definition, then of the call."""
    said = _said(question.problem)
    if said is not None:
        yield from cheapest(_Arity(question, said).repairs())


def _calls(problem: Problem, knowledge: Knowledge, said: Saying) -> Iterator[tuple[Spot, ast.Call]]:
    last = said["callee"].rpartition(".")[2]
    for spot in spots(problem, knowledge)[:_DEPTH]:
        calls = spot.candidates(ast.Call)
        yield from ((spot, c) for c in calls if _called_name(c) == last)
        yield from ((spot, c) for c in calls if _called_name(c) != last)


def _called_name(call: ast.Call) -> str:
    return _last(call.func)


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


_TAKES_ONE = {
    "append",
    "appendleft",
    "add",
    "put",
    "put_nowait",
    "extend",
    "sum",
    "len",
    "set",
    "list",
    "tuple",
}
_TAKES_ONE |= {"sorted", "join", "any", "all", "frozenset"}


@dataclass(frozen=True)
class _Arity:
    question: Question
    said: Saying

    def repairs(self) -> Iterator[Repair]:
        for definition in self._definitions:
            yield from self._defined(definition)
        for rank, (spot, call) in enumerate(
            _calls(self.question.problem, self.question.knowledge, self.said)
        ):
            doubt = prior("calls.arity-call-rank") * rank
            if self.said.says == "many":
                yield from self._called_before(spot, call)
                yield from self._fewer(spot, call, doubt)
            if self.said.says == "few":
                yield from self._more(spot, call, doubt)
                yield from self._starred(spot, call, doubt)
            if self.said.says == "twice":
                yield from self._once(spot, call, doubt)

    @cached_property
    def _definitions(self) -> list[Definition]:
        name = self.said["callee"]
        if self.said.says == "self" or name.endswith(">") or not name:
            return [*self._at_problem(), *definitions(self.question.knowledge, name)]
        return self._meant(definitions(self.question.knowledge, name))

    def _meant(self, named: list[Definition]) -> list[Definition]:
        """Of several with the name that the message tells, the one that the failing call means."""
        asked = _calls(self.question.problem, self.question.knowledge, self.said) if len(named) > 1 else ()
        for spot, call in asked:
            meant = {id(d.node) for d in called(self.question.knowledge, spot, call)}
            if own := [d for d in named if id(d.node) in meant]:
                return own
        return named

    def _at_problem(self) -> list[Definition]:
        """The function whose header was reported, or in which the name is missing."""
        found = []
        for spot in spots(self.question.problem, self.question.knowledge)[:1]:
            inside = spot.code.function(spot.node) if spot.node else None
            found += [Definition(spot.code, node) for node in spot.candidates(ast.FunctionDef)]
            if inside is not None and self.said["name"]:
                found.append(Definition(spot.code, inside))
        return found

    def _defined(self, definition: Definition) -> Iterator[Repair]:
        """The method itself is wrong: it lacks `self`, or a decorator."""
        function, code = definition.node, definition.code
        if isinstance(function, ast.Lambda) or definition.cls is None:
            return
        names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
        if self.said.says == "few" and len(names) - len(function.args.defaults) > 1:
            yield from self._decorated(
                code, function, frozenset({"property"}), prior("calls.arity-not-property")
            )
        static = {ast.unparse(d) for d in function.decorator_list} & _STATIC
        if names[:1] not in (["self"], ["cls"], ["mcs"]) and not static:
            yield from self._without_self(code, function)
        elif not static:
            yield from self._undecorated(code, function, names)
        elif names[:1] in (["self"], ["cls"]):
            yield from self._decorated(code, function, _STATIC, prior("calls.arity-not-static"))
        elif "classmethod" in static:
            edit = _with_first(code, function, "cls")
            yield self._repair("Add the parameter cls", [edit], prior("calls.arity-cls"), "missing-self")

    def _undecorated(self, code: Code, function: Function, names: list[str]) -> Iterator[Repair]:
        if names[:1] == ["cls"]:
            edit = line_before(code, function, "@classmethod")
            yield self._repair(
                "Make the method a class method",
                [edit],
                prior("calls.arity-class-method"),
                "dropped-decorator",
            )
        if names == ["self"] and not function.args.vararg and self.said.says == "many":
            edit = line_before(code, function, "@property")
            yield self._repair(
                "Make the method a property", [edit], prior("calls.arity-property"), "dropped-decorator"
            )

    def _repair(
        self, title: str, edits: Iterable[Edit], cost: float, pattern: str, *, guess: bool = False
    ) -> Repair:
        return repair(self.question, title, edits, cost, pattern=pattern, guess=guess)

    def _fewer(self, spot: Spot, call: ast.Call, doubt: float) -> Iterator[Repair]:
        """An argument too much: one that is given twice, else the last."""
        texts = [ast.unparse(a) for a in call.args]
        if _called_name(call) in _TAKES_ONE and len(call.args) > 1 and not call.keywords:
            edits = [
                spot.code.edit(spot.code.start(call.args[0]), spot.code.start(call.args[0]), "("),
                spot.code.edit(spot.code.end(call.args[-1]), spot.code.end(call.args[-1]), ")"),
            ]
            yield self._repair(
                "Add the arguments as one tuple", edits, prior("calls.arity-tuple") + doubt, "missing-tuple"
            )
        yield from self._own_stars(spot, call, doubt)
        for number in range(len(call.args) - 1, -1, -1):
            twice = texts.count(texts[number]) > 1
            cost = (
                prior("calls.arity-extra-twice")
                if twice
                else prior("calls.arity-extra")
                + prior("calls.arity-extra-each-before-last") * (len(texts) - 1 - number)
            )
            title = f"Remove the argument {spot.code.segment(call.args[number])}"
            yield self._repair(title, [_without(spot.code, call, number)], cost + doubt, "extra-argument")

    def _called_before(self, spot: Spot, call: ast.Call) -> Iterator[Repair]:
        """A function that takes nothing is handed on where its value is meant: who got it called it."""
        name = self.said["callee"].rpartition(".")[2]
        for node in ast.walk(call) if self.said["takes"] == "0" else ():
            held = spot.code.parent(node)
            is_called = isinstance(held, ast.Call) and held.func is node
            if isinstance(node, ast.Name | ast.Attribute) and _last(node) == name and not is_called:
                end = spot.code.end(node)
                edits = [spot.code.edit(end, end, "()")]
                yield self._repair(f"Call {name}", edits, prior("calls.arity-called-before"), "missing-call")

    def _own_stars(self, spot: Spot, call: ast.Call, doubt: float) -> Iterator[Repair]:
        """The function's own `*args` and `**kwargs` are handed on as they came."""
        function = spot.code.function(call)
        if function is None:
            return
        for stars, arg in (("*", function.args.vararg), ("**", function.args.kwarg)):
            for value in call.args:
                if arg is not None and isinstance(value, ast.Name) and value.id == arg.arg:
                    start = spot.code.start(value)
                    edit = spot.code.edit(start, start, stars)
                    yield self._repair(
                        f"Write {stars}{arg.arg}",
                        [edit],
                        prior("calls.arity-own-star") + doubt,
                        "missing-star",
                    )

    def _more(self, spot: Spot, call: ast.Call, doubt: float) -> Iterator[Repair]:
        """An argument is missing: what has its name, what is in scope."""
        for rank, (number, text) in enumerate(given_by_others(spot.code, call)):
            edit = element_added(spot.code, call, number, text)
            yield self._repair(
                f"Pass {text}",
                [edit],
                prior("calls.arity-missing-text") + prior("calls.arity-missing-text-rank") * rank + doubt,
                "missing-argument",
            )
        if name := wrapped_target(spot.code, call):
            edit = element_added(spot.code, call, 0, name)
            yield self._repair(
                f"Pass {name}", [edit], prior("calls.arity-missing-name") + doubt, "missing-argument"
            )
        wanted = _NAME.findall(self.said["names"].replace(" and ", " "))
        signatures = callees(self.question.knowledge, spot, call)
        is_named_only = "keyword-only" in self.question.problem.message
        for name in wanted[:1] or [""]:
            position = _position(signatures, name, call)
            for text, cost in fillers(self.question.knowledge, spot, call, name):
                guess = not is_alike(name, text.rpartition(".")[2])
                if name and (call.keywords or is_named_only):
                    named = element_added(spot.code, call, None, f"{name}={text}")
                    extra = 0 if is_named_only else prior("calls.arity-missing-named")
                    title = f"Pass {name}={text}"
                    yield self._repair(title, [named], cost + doubt + extra, "missing-argument", guess=guess)
                if not is_named_only:
                    edit = element_added(spot.code, call, position, text)
                    title = f"Pass {text}"
                    yield self._repair(title, [edit], cost + doubt, "missing-argument", guess=guess)

    def _starred(self, spot: Spot, call: ast.Call, doubt: float) -> Iterator[Repair]:
        """One argument holds them all: a star spreads it."""
        for number, value in enumerate(call.args):
            if isinstance(value, ast.Starred | ast.Constant):
                continue
            cost = (
                prior("calls.arity-spread")
                + prior("calls.arity-spread-each-further") * number
                + (0 if len(call.args) == 1 else prior("calls.arity-spread-among-others"))
                + doubt
            )
            start = spot.code.start(value)
            held = spot.seen.get(ast.unparse(value), "")
            stars = "**" if held == "dict" else "*"
            if stars == "**" and isinstance(getattr(builtins, dotted(call.func), None), BuiltinFunctionType):
                # These take nothing by name.
                continue
            is_seen = held in {"tuple", "list", "dict"}
            cost -= prior("calls.arity-spread-seen") if is_seen else 0
            edit = spot.code.edit(start, start, stars)
            yield self._repair("Unpack the argument", [edit], cost, "missing-star", guess=not is_seen)

    def _once(self, spot: Spot, call: ast.Call, doubt: float) -> Iterator[Repair]:
        """The same argument by position and by name: one of the two is left out."""
        name = self.said["names"]
        for number, keyword in enumerate(call.keywords):
            if keyword.arg == name:
                edit = _without(spot.code, call, len(call.args) + number)
                yield self._repair(
                    f"Remove the argument {name}",
                    [edit],
                    prior("calls.arity-argument-twice") + doubt,
                    "argument-twice",
                )
        yield from self._fewer(spot, call, doubt + prior("calls.arity-argument-twice-fewer"))

    def _without_self(self, code: Code, function: Function) -> Iterator[Repair]:
        first = "cls" if function.name == "__new__" or _uses(function, "cls") else "self"
        doubt = (
            0
            if _uses(function, first) or not _could_be_static(function)
            else prior("calls.arity-self-unused")
        )
        yield self._repair(
            f"Add the parameter {first}",
            [_with_first(code, function, first)],
            prior("calls.arity-self") + doubt,
            "missing-self",
        )
        if _could_be_static(function):
            edit = line_before(code, function, "@staticmethod")
            yield self._repair(
                "Make the method static", [edit], prior("calls.arity-static"), "dropped-decorator"
            )

    def _decorated(
        self, code: Code, function: Function, needless: frozenset[str], cost: float
    ) -> Iterator[Repair]:
        for decorator in function.decorator_list:
            if dotted(decorator).rpartition(".")[2] in needless:
                line = decorator.lineno - 1
                edit = code.edit(code.line_start(line), code.line_start(line + 1), "")
                yield self._repair("Remove the decorator", [edit], cost, "needless-decorator")


def _uses(function: Function, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in walk_scope(function))


def _could_be_static(function: Function) -> bool:
    return not _uses(function, "self") and not _uses(function, "super") and not function.name.startswith("__")


def _with_first(code: Code, function: Function, name: str) -> Edit:
    """The parameter is put in front of the others."""
    header = code.text.index("(", code.text.index(function.name, code.start(function))) + 1
    args = function.args
    is_alone = not (args.posonlyargs or args.args or args.vararg or args.kwonlyargs or args.kwarg)
    return code.edit(header, header, name if is_alone else f"{name}, ")


def _arguments(call: ast.Call) -> list[ast.AST]:
    return [*call.args, *call.keywords]


def _without(code: Code, call: ast.Call, number: int) -> Edit:
    everything = _arguments(call)
    node = everything[number]
    if number:
        return code.edit(code.end(everything[number - 1]), code.end(node), "")
    end = code.start(everything[1]) if len(everything) > 1 else code.end(node)
    return code.edit(code.start(node), end, "")


def _position(signatures: Iterable[object], name: str, call: ast.Call) -> int | None:
    """The place of a parameter among those by position; behind the last when it is not known."""
    for signature in signatures:
        names = [p.name for p in getattr(signature, "parameters", ()) if p.kind in {"", "p"}]
        if name in names:
            return min(names.index(name), len(call.args))
    return len(call.args)


REPAIRER = Repairer("arity", types_of(_TABLE), diagnose, propose)
