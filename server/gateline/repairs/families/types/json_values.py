"""Values that JSON has no words for: they become text, numbers or lists where they are put in, or at the end.

`{"tags": self.tags}` with a set is `{"tags": sorted(self.tags)}`; where nobody is seen to put it in,
`default=` tells.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import islice

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.callees import classes
from gateline.repairs.analysis.code import Code, Function, walk_scope
from gateline.repairs.analysis.dataflow import Origin, origins
from gateline.repairs.analysis.none_tests import last
from gateline.repairs.analysis.types import Kinds
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_TOLD = re.compile(
    r"(?:Object of type '?(\w+)'? is not JSON serializable|Type is not JSON serializable: (\w+))"
)
_FORMS: dict[str, tuple[str, ...]] = {
    "set": ("sorted({0})", "list({0})"),
    "frozenset": ("sorted({0})", "list({0})"),
    "datetime": ("{0}.isoformat()", "str({0})"),
    "date": ("{0}.isoformat()", "str({0})"),
    "time": ("{0}.isoformat()", "str({0})"),
    "timedelta": ("{0}.total_seconds()", "str({0})"),
    "Decimal": ("str({0})", "float({0})"),
    "Fraction": ("float({0})", "str({0})"),
    "bytes": ("{0}.decode()",),
    "UUID": ("str({0})",),
    "ndarray": ("{0}.tolist()",),
    "int64": ("int({0})",),
    "int32": ("int({0})",),
    "float32": ("float({0})",),
    "bool_": ("bool({0})",),
}
_FORMS |= dict.fromkeys(
    ("dict_keys", "dict_values", "dict_items", "map", "filter", "generator", "range"), ("list({0})",)
)
_FORMS |= dict.fromkeys(("zip", "deque", "reversed", "odict_keys", "odict_values"), ("list({0})",))
_FORMS |= dict.fromkeys(("PosixPath", "WindowsPath", "PurePosixPath", "Path"), ("str({0})",))
_FALLBACKS = {
    "set": "list",
    "frozenset": "list",
    "deque": "list",
    "bytes": "bytes.decode",
    "dict_keys": "list",
}
_FALLBACKS |= {"dict_values": "list", "ndarray": "lambda value: value.tolist()", "Fraction": "float"}
_METHODS = ("to_dict", "as_dict", "asdict", "to_json", "_asdict", "serialize", "dict", "json")
"""What own classes call what tells their values."""
_PARTS = 40


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """Something was given to JSON that it does not know."""
    told = _TOLD.search(problem.message)
    if told is None:
        return None
    return Diagnosis(problem, Family.TYPE, "not-for-json", "a plain value", told[1] or told[2])


def propose(question: Question) -> Iterator[Repair]:
    """Convert the values, or say how all of them are converted."""
    for spot in [s for s in spots(question.problem, question.knowledge)[:1] if not is_test(s.code.path)]:
        yield from cheapest([*_where_put_in(question, spot), *_at_the_end(question, spot)])


def _where_put_in(question: Question, spot: Spot) -> Iterator[Repair]:
    wanted = question.diagnosis.actual
    forms = [*_FORMS.get(wanted, ()), *_own_forms(question.knowledge, wanted)]
    for call in spot.candidates(ast.Call):
        for part in islice(_parts(question.knowledge, spot, call), _PARTS):
            cost = _cost(question.knowledge, part, wanted)
            for rank, form in enumerate(forms if cost is not None else ()):
                text = form.format(part.code.segment(part.node))
                edit = part.code.replace(part.node, text)
                yield repair(
                    question,
                    f"Write {text}",
                    [edit],
                    (cost or 0) + prior("shared.rank") * rank + prior("types.json-step") * part.steps,
                )


def _cost(knowledge: Knowledge, part: Origin, wanted: str) -> float | None:
    """What it costs to convert a part; None where it is known to be something else."""
    if isinstance(
        part.node, ast.Constant | ast.Dict | ast.List | ast.JoinedStr | ast.ListComp | ast.DictComp
    ):
        return None
    kinds = Kinds(part.code, knowledge, part.spot.seen)
    held = {kinds.of(o.node).rpartition(".")[2] for o in islice(origins(knowledge, part.spot, part.node), 6)}
    # What a text names by its class is an object of that.
    if wanted in held:
        return prior("types.json-known")
    return prior("types.json-guessed") if kinds.of(part.node) in {"", "NoneType"} else None


def _parts(knowledge: Knowledge, spot: Spot, call: ast.Call) -> Iterator[Origin]:
    """What is inside of what is given to a call, however deep: values, elements, what is returned."""
    waiting = [Origin(spot, a) for a in (*call.args, *(k.value for k in call.keywords if k.arg == "obj"))]
    seen: set[ast.AST] = set()
    while waiting:
        part = waiting.pop(0)
        for origin in islice(origins(knowledge, part.spot, part.node), 12):
            if origin.node in seen or is_test(origin.code.path):
                continue
            seen.add(origin.node)
            steps = part.steps + origin.steps
            inside = [inner for inner in _inside(origin.code, origin.node) if inner not in seen]
            waiting += [Origin(origin.spot, inner, steps + 1) for inner in inside]
        if part.steps:
            yield part


def _inside(code: Code, node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.Dict):
        yield from node.values
    elif isinstance(node, ast.List | ast.Tuple):
        yield from node.elts
    elif isinstance(node, ast.ListComp | ast.GeneratorExp):
        yield node.elt
    elif isinstance(node, ast.DictComp):
        yield node.value
    elif isinstance(node, ast.Call) and dotted(node.func) in {
        "dict",
        "list",
        "sorted",
        "tuple",
        "OrderedDict",
    }:
        yield from (*node.args, *(k.value for k in node.keywords))
    elif isinstance(node, ast.Name):
        yield from _put_into(code, node)


def _put_into(code: Code, node: ast.Name) -> Iterator[ast.expr]:
    """`data["when"] = now`, `rows.append(row)`."""
    scope = code.function(node) or code.tree
    for other in walk_scope(scope) if isinstance(scope, Function | ast.Module) else ():
        if isinstance(other, ast.Assign) and any(_is_item_of(t, node.id) for t in other.targets):
            yield other.value
        elif isinstance(other, ast.Call) and dotted(other.func) in {f"{node.id}.append", f"{node.id}.insert"}:
            yield from other.args[-1:]


def _is_item_of(target: ast.expr, name: str) -> bool:
    return isinstance(target, ast.Subscript) and dotted(target.value) == name


def _own_forms(knowledge: Knowledge, name: str) -> Iterator[str]:
    """How an object of a class of the workspace tells its values."""
    for _, cls in islice(classes(knowledge, name), 1):
        methods = {n.name for n in cls.body if isinstance(n, Function)}
        yield from ("{0}." + method + "()" for method in _METHODS if method in methods)
        if any("Enum" in last(base) for base in cls.bases):
            yield from ("{0}.value", "{0}.name")
        else:
            yield "vars({0})"


def _at_the_end(question: Question, spot: Spot) -> Iterator[Repair]:
    """`default=str`, for all that are of this kind."""
    wanted, code = question.diagnosis.actual, spot.code
    own = [form for form in _own_forms(question.knowledge, wanted) if form != "vars({0})"]
    told = [f"lambda value: {form.format('value')}" for form in own]
    others = (
        []
        if own
        else ["vars"]
        if any(classes(question.knowledge, wanted))
        else [_FALLBACKS.get(wanted, "str")]
    )
    for call in spot.candidates(ast.Call):
        if last(call.func) not in {"dumps", "dump"} or any(
            k.arg in {"default", "cls"} for k in call.keywords
        ):
            continue
        end = code.end([*call.args, *(k.value for k in call.keywords)][-1])
        for rank, text in enumerate([*told, *others, *(["float"] if wanted == "Decimal" else [])]):
            edit = code.edit(end, end, f", default={text}")
            yield repair(
                question,
                f"Write default={text}",
                [edit],
                prior("types.json-default") + prior("shared.rank") * rank,
            )


REPAIRER = Repairer("values for json", frozenset({"TypeError"}), diagnose, propose)
