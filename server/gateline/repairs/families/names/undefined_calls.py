"""A call of a function or method that nobody wrote: of one that exists elsewhere, or of what its name says.

`self.min(a, b)` is `min(a, b)`; `lower_words(text)` is `text.lower()`; what stands alone may be left out.
Tests decide between what is left.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from gateline.model import Diagnosis, Edit, Family, Knowledge, Origin, Problem, Question, Repair, Repairer
from gateline.repairs.analysis.code import Code, Function, walk_scope
from gateline.repairs.analysis.imports import added
from gateline.repairs.analysis.likeness import likest, words
from gateline.repairs.analysis.scopes import Kind, visible
from gateline.repairs.analysis.types import Kinds
from gateline.repairs.donors.initial_values import initial_values
from gateline.repairs.donors.name_homes import homes, tops
from gateline.repairs.edit_builder import cheapest, fitted, line_removed, repair
from gateline.repairs.locate.missing_attribute import LACKING, lacking
from gateline.repairs.locate.places import Spot
from gateline.repairs.locate.undefined import UNDEFINED, undefined
from gateline.repairs.priors import prior
from gateline.repairs.tables import table


@dataclass(frozen=True)
class _Call:
    """A call of something that is not there; `self.limit` without a call has no arguments."""

    name: str
    spot: Spot
    func: ast.Name | ast.Attribute
    node: ast.expr

    @property
    def code(self) -> Code:
        return self.spot.code

    @property
    def arguments(self) -> list[str]:
        return [self.code.segment(a) for a in self.values]

    @property
    def values(self) -> list[ast.expr]:
        return self.node.args if isinstance(self.node, ast.Call) else []


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A call of an unknown function, or of an unknown method of the own object."""
    found = _call(problem, knowledge)
    if found is None:
        return None
    return Diagnosis(problem, Family.NAME, "undefined-call", "something that can be called", found.name)


def _call(problem: Problem, knowledge: Knowledge) -> _Call | None:
    name = undefined(problem, knowledge)
    if name is not None and not name.is_unassigned:
        parent = name.code.parent(name.node)
        if isinstance(parent, ast.Call) and parent.func is name.node:
            return _Call(name.name, name.spot, name.node, parent)
    attribute = lacking(problem, knowledge) if name is None else None
    if attribute is None or not isinstance(attribute.node.value, ast.Name):
        return None
    function = attribute.code.function(attribute.node)
    me = function.args.args[0].arg if function is not None and function.args.args else "self"
    if attribute.node.value.id not in {me, "self"}:
        return None
    return _Call(attribute.name, attribute.spot, attribute.node, attribute.call or attribute.node)


def propose(question: Question) -> Iterator[Repair]:
    """What may have been meant."""
    found = _call(question.problem, question.knowledge)
    if found is not None:
        yield from cheapest(_Calls(question, found).repairs())


@dataclass(frozen=True)
class _Calls:
    question: Question
    found: _Call

    @cached_property
    def kinds(self) -> Kinds:
        return Kinds(self.found.code, self.question.knowledge, self.found.spot.seen)

    def repairs(self) -> Iterator[Repair]:
        if isinstance(self.found.func, ast.Attribute):
            yield from self._freed()
        if self.question.problem.origin is Origin.RUN:
            # A type checker is content with whatever has no unknown name; a test is not.
            yield from self._spelled_out()
            yield from self._of_held()
            yield from self._begun()
            yield from self._unwrapped()
            yield from self._left_out()
            yield from self._constant()

    def _freed(self) -> Iterator[Repair]:
        """A function, not a method: the object in front is too much."""
        code, name = self.found.code, self.found.name
        scope = visible(code, self.found.func)
        same = [n for n in code.nodes if isinstance(n, ast.Attribute) and n.attr == name and self._is_mine(n)]
        for cost, text in [(prior("names.call-freed-same-name"), name), *likest(name, scope)]:
            if text in scope and text != "self":
                extra = (
                    0
                    if scope[text].kind is not Kind.BUILTIN or text == name
                    else prior("names.call-freed-builtin")
                )
                yield self._repair(
                    f"Write {text}",
                    [code.replace(n, text) for n in same],
                    cost + prior("names.call-freed") + extra,
                )
        for rank, home in enumerate(homes(self.question.knowledge, code, name)):
            edits = [code.replace(n, name) for n in same]
            edits.append(added(code, home.module, name, tops(self.question.knowledge)))
            yield self._repair(
                f"Import {name} from {home.module}",
                edits,
                home.cost
                + prior("names.call-freed-imported")
                + prior("names.call-freed-imported-rank") * rank,
            )

    def _is_mine(self, node: ast.Attribute) -> bool:
        return ast.dump(node.value) == ast.dump(self.found.func.value)  # type: ignore[union-attr]

    def _repair(self, title: str, edits: list[Edit], cost: float, pattern: str = "") -> Repair:
        return repair(self.question, title, edits, cost, pattern=pattern)

    def _spelled_out(self) -> Iterator[Repair]:
        """The operation that the words of the name tell, or that is usual for the values."""
        tables = table("words")
        said = [*reversed(words(self.found.name)), *self._said_by_the_function()]
        for rank, word in enumerate(dict.fromkeys(said)):
            for number, text in enumerate(tables["operations"].get(word, ())):
                yield from self._written(
                    text,
                    prior("names.call-by-word")
                    + prior("names.call-by-word-rank") * rank
                    + prior("names.call-by-word-form-rank") * number,
                )
        if len(self.found.values) == 1:
            kind = self.kinds.of(self.found.values[0])
            for number, text in enumerate(tables["single"].get(kind, ())):
                yield from self._written(
                    text, prior("names.call-by-type") + prior("names.call-by-type-form-rank") * number
                )
        if len(self.found.values) == 2:
            for number, text in enumerate(tables["pair"]["any"]):
                yield from self._written(
                    text, prior("names.call-by-pair") + prior("names.call-by-pair-form-rank") * number
                )

    def _said_by_the_function(self) -> list[str]:
        """The words of the function whose only statement the call is."""
        code, function = self.found.code, self.found.code.function(self.found.node)
        is_all = function is not None and function.body[-1] is code.statement(self.found.node)
        return list(reversed(words(function.name))) if function is not None and is_all else []

    def _of_held(self) -> Iterator[Repair]:
        """`self.find_place(row)` is `rows.index(row)`, of some rows in scope."""
        if len(self.found.values) != 1:
            return
        texts = [t for w in words(self.found.name) for t in table("words")["held"].get(w, ())]
        mine = {n.id for n in ast.walk(self.found.values[0]) if isinstance(n, ast.Name)} | {"self", "cls"}
        for name in visible(self.found.code, self.found.node).values() if texts else ():
            if name.kind not in {Kind.LOCAL, Kind.PARAMETER, Kind.OUTER} or name.text in mine:
                continue
            kind = self.found.spot.seen.get(name.text) or self.kinds.of_binding(name)
            for rank, text in enumerate(texts if kind in {"", "list", "tuple", "str"} else ()):
                yield from self._written(
                    text.replace("{held}", name.text),
                    prior("names.call-of-held") + prior("names.call-of-held-rank") * rank,
                )

    def _begun(self) -> Iterator[Repair]:
        """The value that a name begins with which is built up later."""
        code, node = self.found.code, self.found.node
        parent = code.parent(node)
        statement = code.statement(node)
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return
        target: ast.expr | None = statement.targets[0]
        if isinstance(parent, ast.Tuple) and isinstance(target, ast.Tuple):
            number = parent.elts.index(node)
            target = target.elts[number] if number < len(target.elts) else None
        if isinstance(target, ast.Name):
            scope = code.function(node) or code.tree
            for value, cost in initial_values(self.kinds, scope, target.id):
                if cost < prior("names.call-sure-limit"):
                    yield self._repair(
                        f"Start with {value}",
                        self._replaced(value),
                        prior("names.call-begun") + cost,
                        "undefined-value",
                    )

    def _written(self, text: str, cost: float) -> Iterator[Repair]:
        arguments = self.found.arguments
        needed = {int(n) for n in re.findall(r"\{(\d)\}", text)}
        if (needed and max(needed) >= len(arguments)) or (not needed and not arguments):
            return
        if "{args}" not in text and len(needed) < len(arguments):
            cost += prior("names.call-guessed")
        safe = [a if re.fullmatch(r"[\w.]+(?:[\[(][^\[\]()]*[\])])*", a) else f"({a})" for a in arguments]
        plain = re.fullmatch(r"[\w.'\"]*\((?:\{\w+\}(?:, )?)*\)", text) is not None
        filled = text.format(*(arguments if plain else safe), args=", ".join(arguments))
        written = filled if plain else fitted(self.found.code, self.found.node, filled)
        yield self._repair(f"Write {filled}", self._replaced(written), cost)

    def _replaced(self, text: str) -> list[Edit]:
        code = self.found.code
        edits = [code.replace(self.found.node, text)]
        if self._is_result:
            edits = [code.replace(self.found.node, f"return {text}")]
        named = re.match(r"(math|Counter)\b", text)
        if named and named[1] not in visible(code, self.found.node):
            module, name = ("math", "") if named[1] == "math" else ("collections", "Counter")
            edits.append(added(code, module, name, tops(self.question.knowledge)))
        return edits

    @property
    def _is_result(self) -> bool:
        """It stands alone at the end of a function that returns nothing: its value was to be returned."""
        code, statement = self.found.code, self.found.code.parent(self.found.node)
        function = code.function(self.found.node)
        if not isinstance(statement, ast.Expr) or function is None or function.body[-1] is not statement:
            return False
        return not any(isinstance(n, ast.Return) for n in walk_scope(function))

    def _unwrapped(self) -> Iterator[Repair]:
        """The call is too much; its argument is meant."""
        for number, value in enumerate(self.found.values):
            text = fitted(self.found.code, self.found.node, self.found.code.segment(value))
            yield self._repair(
                f"Write {text}",
                self._replaced(text),
                prior("names.call-unwrapped") + prior("names.call-unwrapped-each-further") * number,
                "needless-call",
            )

    def _left_out(self) -> Iterator[Repair]:
        """A call that stands alone is left out, or its argument is what is returned."""
        code, statement = self.found.code, self.found.code.parent(self.found.node)
        if not isinstance(statement, ast.Expr):
            return
        body = getattr(code.parent(statement), "body", [])
        if not isinstance(body, list) or len(body) > 1:
            same = [n for n in code.nodes if isinstance(n, ast.Expr) and ast.dump(n) == ast.dump(statement)]
            yield self._repair(
                "Remove the call",
                [line_removed(code, n) for n in same],
                prior("names.call-left-out"),
                "needless-call",
            )
        function = code.function(statement)
        if function is not None and function.body[-1] is statement and self.found.values:
            edits = [code.replace(self.found.node, f"return {self.found.arguments[0]}")]
            yield self._repair(
                "Return the argument", edits, prior("names.call-argument-returned"), "needless-call"
            )

    def _constant(self) -> Iterator[Repair]:
        """A value of the type that is returned here, or one in scope."""
        code, node = self.found.code, self.found.node
        if self.found.values or isinstance(code.parent(node), ast.Expr):
            return
        tables = table("words")["constants"]
        returned = isinstance(code.parent(node), ast.Return)
        kind = _returned(code.function(node)) if returned else ""
        for number, text in enumerate([*tables.get(kind, ()), *tables["any"]]):
            yield self._repair(
                f"Write {text}",
                self._replaced(text),
                prior("names.call-constant") + prior("names.call-constant-rank") * number,
                "undefined-value",
            )
        for word in words(self.found.name):
            yield self._repair(
                f'Write "{word}"',
                self._replaced(repr(word.capitalize())),
                prior("names.call-capitalised"),
                "undefined-value",
            )


def _returned(function: Function | None) -> str:
    """The type a function returns, by its annotation or by its other returns."""
    if function is None:
        return ""
    if function.returns is not None:
        return ast.unparse(function.returns).partition("[")[0].lower()
    values = [n.value for n in walk_scope(function) if isinstance(n, ast.Return) and n.value]
    kinds = {type(v.value).__name__ for v in values if isinstance(v, ast.Constant)}
    return kinds.pop() if len(kinds) == 1 else ""


REPAIRER = Repairer("undefined calls", UNDEFINED | LACKING, diagnose, propose)
