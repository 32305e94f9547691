"""A value that must be converted: text and numbers, bytes and text, lists, tuples, sets, iterables.

Tried where the error was seen, then where the value comes from; which conversions are usual is a table.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from gateline.model import Diagnosis, Edit, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.code import first_statement, is_none, parameters
from gateline.repairs.analysis.dataflow import Origin, origins
from gateline.repairs.analysis.imports import added
from gateline.repairs.analysis.inplace import changed_by
from gateline.repairs.analysis.iteration import run_over
from gateline.repairs.analysis.scopes import visible
from gateline.repairs.analysis.types import Kinds, kind
from gateline.repairs.analysis.world import members
from gateline.repairs.donors.name_homes import tops
from gateline.repairs.edit_builder import cheapest, fitted, line_before, repair
from gateline.repairs.locate.mismatch import MISMATCHES, Mismatch, mismatches
from gateline.repairs.priors import prior
from gateline.repairs.tables import table

_SAME = {
    "string": "str",
    "integer": "int",
    "number": "number",
    "a bytes-like object": "bytes",
    "strings": "str",
}
_NOT_VALUES = {"function", "method", "builtin_function_or_method", "type", "NoneType", "None", "module"}
"""Of these something else is meant: a call, or a value that is not there."""
_CONTAINERS = ("str", "list", "dict", "bytes", "set")
"""Types that an attribute may be one of."""
_NAMES = re.compile(r"\w+")
_ATOM = re.compile(r"[\w.]+(?:\([^()]*\)|\[[^\[\]]*\])*", re.DOTALL)


def _is_value(kind: str) -> bool:
    """Whether a value of a type may be converted: what may be None is not there at times."""
    return (
        kind not in _NOT_VALUES
        and not kind.endswith("| None")
        and not kind.startswith(("None |", "Optional["))
    )


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A value of the wrong type."""
    found = [m for m in mismatches(problem, knowledge) if _is_value(m.actual)]
    if not found:
        return None
    places = tuple(m.place for m in found)
    return Diagnosis(problem, Family.TYPE, "missing-conversion", found[0].wanted, found[0].actual, places)


def propose(question: Question) -> Iterator[Repair]:
    """Conversions of what is wrong."""
    found = [m for m in mismatches(question.problem, question.knowledge) if _is_value(m.actual)]
    yield from cheapest(r for mismatch in found for r in _Conversions(question, mismatch).repairs())


@dataclass(frozen=True)
class _Conversions:
    question: Question
    mismatch: Mismatch

    def repairs(self) -> Iterator[Repair]:
        for origin in self._origins():
            known = Kinds(origin.code, self.question.knowledge, origin.spot.seen).of(origin.node)
            actual = kind(known) if known and not self.mismatch.actual else self.mismatch.actual
            for cost, template in _templates(self._wanted(), actual):
                yield from self._wrapped(origin, template, cost)
            yield from self._divided(origin)
        yield from self._normalised()
        yield from self._encoded_before()
        yield from self._of_elements()

    def _origins(self) -> list[Origin]:
        """What may be converted; nothing where it is an element that is None."""
        if "NoneType found" in self.question.problem.message:
            return []
        return list(origins(self.question.knowledge, self.mismatch.spot, self.mismatch.node))

    def _wanted(self) -> list[str]:
        """What is wanted as the table calls it; by an attribute, every type that has it."""
        mismatch = self.mismatch
        if mismatch.says == "one:attribute":
            name = mismatch.spot.candidates(ast.Attribute)
            asked = name[0].attr if name else ""
            known = {t: members(self.question.knowledge, t) for t in _CONTAINERS if t != mismatch.actual}
            return [t for t, have in known.items() if asked in have]
        wanted = _SAME.get(mismatch.wanted, kind(mismatch.wanted.partition(" | ")[0]))
        return [wanted, *(["int"] if wanted == "float" else ["float"] if wanted == "int" else [])]

    def _wrapped(self, origin: Origin, template: str, cost: float) -> Iterator[Repair]:
        code, node = origin.code, origin.node
        if template == "{0}.items()":
            node = run_over(node) or node
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and template.startswith(("int(", "float("))
        ):
            return
        segment = code.segment(node)
        inside = (
            segment
            if "({0})" in template or "[{0}]" in template or _ATOM.fullmatch(segment)
            else f"({segment})"
        )
        text = template.format(inside)
        holder = code.parent(node)
        is_spread = isinstance(node, ast.Starred) or (isinstance(holder, ast.keyword) and not holder.arg)
        if is_spread or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            # What is assigned, or deleted.
            return
        asked = code.parent(holder) if isinstance(holder, ast.Attribute) else None
        if (
            isinstance(asked, ast.Call)
            and isinstance(code.parent(asked), ast.Expr)
            and changed_by(asked) is node
        ):
            # Nobody would have what is changed.
            return
        if is_none(node) or (isinstance(node, ast.IfExp) and (is_none(node.body) or is_none(node.orelse))):
            # Of a choice the other branch alone is converted.
            return
        if text.startswith("(") and not text.endswith(",)"):
            text = fitted(code, node, text)
        total = cost + self.mismatch.doubt + prior("types.conversion-step") * origin.steps
        is_cut = isinstance(code.parent(node), ast.Slice)
        is_measured = is_cut or _beside_a_length(code.parent(node))
        total -= prior("types.conversion-measured") if template == "len({0})" and is_measured else 0
        edits = [code.replace(node, text), *self._needed(origin, template)]
        yield repair(self.question, f"Write {_short(text)}", edits, total)

    def _needed(self, origin: Origin, template: str) -> list[Edit]:
        if "Decimal(" not in template or "Decimal" in visible(origin.code, origin.node):
            return []
        return [added(origin.code, "decimal", "Decimal", tops(self.question.knowledge))]

    def _divided(self, origin: Origin) -> Iterator[Repair]:
        """A division that must stay whole."""
        node, code = origin.node, origin.code
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Div)
            and self.mismatch.actual in {"float", ""}
        ):
            between = code.text[code.end(node.left) : code.start(node.right)]
            at = code.end(node.left) + between.index("/")
            cost = prior("types.division") + prior("shared.step") * origin.steps
            yield repair(
                self.question,
                "Use integer division (//)",
                [code.edit(at, at + 1, "//")],
                cost,
                pattern="true-division",
            )

    def _normalised(self) -> Iterator[Repair]:
        """Bytes and text both reach a parameter: bytes are decoded first."""
        mismatch, code = self.mismatch, self.mismatch.spot.code
        read = {n.id for n in ast.walk(mismatch.node) if isinstance(n, ast.Name)}
        for name in sorted(read | _receivers(mismatch)):
            held = visible(code, mismatch.node).get(name)
            function = code.function(mismatch.node)
            if held is None or not isinstance(held.node, ast.arg) or function is None:
                continue
            if (
                mismatch.actual == "str"
                and mismatch.wanted == "bytes"
                and mismatch.spot.seen.get(name) == "str"
            ):
                first = first_statement(function)
                text = f"if isinstance({name}, str):\n{code.unit}{name} = {name}.encode()"
                edits = [line_before(code, first, text)]
                yield repair(
                    self.question, f"Encode {name} if it is a str", edits, prior("types.encoded-when-text")
                )
            if mismatch.spot.seen.get(name, "bytes") == "bytes":
                first = first_statement(function)
                text = f"if isinstance({name}, bytes):\n{code.unit}{name} = {name}.decode()"
                if "bytes" in {mismatch.actual, mismatch.wanted, mismatch.spot.seen.get(name)}:
                    yield repair(
                        self.question,
                        f"Decode {name} if it is bytes",
                        [line_before(code, first, text)],
                        prior("types.decoded-when-bytes"),
                    )

    def _encoded_before(self) -> Iterator[Repair]:
        """A function takes text or bytes, by its header, and hands either on where the other is needed."""
        wanted, actual = self.mismatch.wanted, self.mismatch.actual
        if {wanted, actual} != {"bytes", "str"} and not (actual == "str" and "bytes" in wanted):
            return
        method = "encode" if actual == "str" else "decode"
        for origin in origins(self.question.knowledge, self.mismatch.spot, self.mismatch.node):
            function, node = origin.code.function(origin.node), origin.node
            own = {a.arg: a.annotation for a in parameters(function)} if function is not None else {}
            note = own.get(node.id) if isinstance(node, ast.Name) else None
            words = set() if note is None else set(_NAMES.findall(ast.unparse(note)))
            if function is None or not isinstance(node, ast.Name) or not {"str", "bytes"} <= words:
                continue
            how = ", ".join(name for name in ("encoding", "errors") if name in own)
            text = f"{node.id} = {node.id}.{method}({how})"
            guard = f"if isinstance({node.id}, {actual}):\n{origin.code.unit}{text}"
            edits = [line_before(origin.code, first_statement(function), guard)]
            cost = prior("types.encoded-before") + prior("shared.step") * origin.steps + self.mismatch.doubt
            yield repair(self.question, f"Use {text} if the type is {actual}", edits, cost)

    def _of_elements(self) -> Iterator[Repair]:
        """Each element must be converted, or all be compared as text."""
        mismatch, code = self.mismatch, self.mismatch.spot.code
        for call in mismatch.spot.candidates(ast.Call):
            name = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
            if name == "join" and len(call.args) == 1:
                yield from self._joined(call.args[0])
                if "bytes found" in self.question.problem.message and isinstance(call.func, ast.Attribute):
                    yield from self._joining(call.func.value)
            is_ordered = "not supported between" in self.question.problem.message
            is_keyed = any(k.arg == "key" for k in call.keywords)
            if name in {"sorted", "sort", "min", "max"} and is_ordered and not is_keyed:
                at = code.end(call) - 1
                text = ", key=str" if call.args or call.keywords else "key=str"
                yield repair(
                    self.question,
                    "Compare as str",
                    [code.edit(at, at, text)],
                    prior("types.elements-as-text"),
                    pattern="mixed-order",
                )

    def _joining(self, separator: ast.expr) -> Iterator[Repair]:
        """Bytes are joined by bytes."""
        if isinstance(separator, ast.Constant) and isinstance(separator.value, str):
            start = self.mismatch.spot.code.start(separator)
            edits = [self.mismatch.spot.code.edit(start, start, "b")]
            yield repair(
                self.question,
                "Join with a bytes separator",
                edits,
                prior("types.joined-by-bytes"),
                pattern="bytes-literal",
            )

    def _joined(self, argument: ast.expr) -> Iterator[Repair]:
        code = self.mismatch.spot.code
        is_bytes = "bytes" in self.mismatch.wanted
        before, after, cost = (
            ("(", ").encode()", prior("types.joined-encoded"))
            if is_bytes
            else ("str(", ")", prior("types.joined-as-text"))
        )
        # Nobody wants to read "None" in between.
        cost += prior("types.joined-none") if "NoneType found" in self.question.problem.message else 0
        if isinstance(argument, ast.GeneratorExp | ast.ListComp):
            edits = code.wrap(argument.elt, before, after)
            yield repair(self.question, "Convert each element", edits, cost)
            if not is_bytes and "repr" in code.text:
                shown = code.wrap(argument.elt, "repr(", ")")
                yield repair(
                    self.question, "Apply repr() to each element", shown, cost + prior("types.joined-each")
                )
        else:
            text = f"map({'str.encode' if is_bytes else 'str'}, {code.segment(argument)})"
            edit = code.replace(argument, text)
            yield repair(self.question, f"Write {_short(text)}", [edit], cost + prior("types.joined-written"))


def _templates(wanted: list[str], actual: str) -> Iterator[tuple[float, str]]:
    tables = table("conversions")
    for rank, name in enumerate(name for name in wanted if name != "NoneType"):
        rows = tables.get(name) or tables.get(name.rpartition(".")[2]) or {}
        found = rows.get(actual) or rows.get(actual.rpartition(".")[2]) or rows.get("any", [])
        if not found and name[:1].isupper():
            found = [[prior("types.template-by-name"), name.rpartition(".")[2] + "({0})"]]
        for cost, template in found:
            yield cost + prior("types.template-rank") * rank, template


def _beside_a_length(holder: ast.AST | None) -> bool:
    operands = list(ast.iter_child_nodes(holder)) if isinstance(holder, ast.BinOp | ast.Compare) else []
    return any(isinstance(o, ast.Call) and dotted(o.func) == "len" for o in operands)


def _receivers(mismatch: Mismatch) -> set[str]:
    """The objects whose methods are called where it failed."""
    calls = mismatch.spot.candidates(ast.Call)
    receivers = [c.func.value for c in calls if isinstance(c.func, ast.Attribute)]
    return {r.id for r in receivers if isinstance(r, ast.Name)}


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:57]}…"


REPAIRER = Repairer("conversions", MISMATCHES, diagnose, propose)
