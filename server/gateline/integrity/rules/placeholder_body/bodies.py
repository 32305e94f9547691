"""GTL614: a function that does nothing yet, or nothing any more."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from gateline.analysis.modules import Function, Module, without_docstring
from gateline.analysis.normalised_body import said_plainly, without_guards
from gateline.integrity.change_view import Pair
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node
from gateline.integrity.product.function_effects import Body, bodies, kind_of
from gateline.integrity.rules.placeholder_body import CODE
from gateline.integrity.rules.placeholder_body.alternatives import has_alternative, heirs_methods
from gateline.integrity.rules.placeholder_body.null_object import on_purpose
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name

NOTHING_MEANT = re.compile(
    r"\b(no-?op|nothing|always|never|default\w*|ignore[sd]?|null|dummy|empty|hook|override|subclass\w*)\b",
    re.IGNORECASE,
)
HOOK = re.compile(
    r"_*(on|before|after|pre|post|handle|visit|depart|set_?up|tear_?down|pytest)_|_*(setup|teardown)"
)
"""Names of what others may override or call."""
_FOR_OTHERS = re.compile(r"(Mixin|Interface|Protocol)$|^_?(Base|Abstract)[A-Z]")
"""Names of classes that others inherit from."""
_FOR_HEIRS = re.compile(
    r"\b(inherit\w*|deriv\w*|subclass\w*|overrid\w*|protocol|interface|abstract|plug-?ins?)\b", re.IGNORECASE
)
"""What a page says of a method that others write."""
_WITHOUT_BODY = frozenset(
    {"abstractmethod", "overload", "abstractproperty", "abstractclassmethod", "hookspec"}
)
_PROMISE = 6
"""Words of a docstring that tells what is worked out."""
_KINDS = {"pass", "...", "docstring"}


def find(evidence: Evidence) -> Iterator[Finding]:
    """The placeholders of the change."""
    moved = {name for pair in evidence.both.product if pair.base for name in pair.base.derived(bodies)}
    for pair in evidence.both.product:
        if pair.now is not None and not pair.path.endswith(".pyi"):
            yield from _in_file(pair, pair.now, moved, evidence)


def _in_file(pair: Pair, now: Module, known: set[str], evidence: Evidence) -> Iterator[Finding]:
    before, promised = pair.base.derived(bodies) if pair.base else {}, evidence.product.pages.promised
    meant = on_purpose(now, _is_idle)
    for name, body in now.derived(bodies).items():
        told = promised.get(body.node.name, "")
        if not (body.kind or told) or has_alternative(body.node, now):
            continue
        old = before.get(name)
        if old is not None and body.kind:
            if _is_emptied(old, body) and not _is_left_to_heirs(body, evidence):
                message = f"`{name}` is now a placeholder; it had a body before"
                yield at_node(CODE, now, body.node, message, Weight.COUNTS)
            elif _is_made_up(old, body):
                message = f"`{name}` was a placeholder, and returns what its docstring calls no result"
                yield at_node(CODE, now, body.node, message, Weight.COUNTS)
        elif name not in known and (
            _is_promised(body, told)
            or _is_unfinished(body, meant)
            or _is_announced(body, meant, evidence)
            or _is_left_open(body, now, promised)
        ):
            yield at_node(CODE, now, body.node, f"`{name}` is new and not implemented", Weight.COUNTS)


def _is_emptied(old: Body, new: Body) -> bool:
    """Whether work was replaced by a placeholder, and nothing says that there is nothing to do any more."""
    if old.kind or _is_declared(new):
        return False
    if new.later or new.kind in ("pass", "...", "docstring", "not implemented"):
        return new.later or new.documented == old.documented
    worked = any(isinstance(node, ast.Call | ast.BinOp | ast.For | ast.While) for node in ast.walk(old.node))
    return worked and new.documented == old.documented


def _is_made_up(old: Body, new: Body) -> bool:
    """Whether a function that did nothing yet answers by now, and says itself that this is no answer."""
    if old.kind == "not implemented":
        return new.later and new.kind != old.kind
    return bool(old.kind) and new.kind == "constant" and new.later and not old.later


def _is_left_to_heirs(body: Body, evidence: Evidence) -> bool:
    """Whether a method says that it is not implemented here, and every heir that has it does the work."""
    if body.owner is None or body.kind != "not implemented":
        return False
    modules = [pair.now for pair in evidence.both.product if pair.now]
    made = [kind_of(m, later=False) for m in heirs_methods(body.node.name, body.owner, modules)]
    return bool(made) and not any(made)


def _is_unfinished(body: Body, meant: set[int]) -> bool:
    if not body.kind or body.nested or _is_declared(body):
        return False
    if body.kind == "not implemented":
        return body.later or body.owner is None
    if body.later:
        return body.kind != "handed on" or body.undone
    if body.node.decorator_list or body.node.name.startswith("__"):
        return False
    return _promises(body) if body.kind == "constant" else _does_less(body, meant)


def _does_less(body: Body, meant: set[int]) -> bool:
    """Whether an empty body is of a function that is to do something, as far as can be told."""
    if NOTHING_MEANT.search(f"{body.documented} {body.node.name.replace('_', ' ')}"):
        return False
    if body.owner is None:
        return True
    if any(isinstance(n, Function) and n.name == "__getattr__" for n in body.owner.body):
        # What stands for another object, and keeps something from it.
        return False
    if (
        body.owner.bases
        or not meant.isdisjoint((id(body.owner), id(body.node)))
        or HOOK.match(body.node.name)
    ):
        return False
    return not body.documented or body.kind in ("pass", "...")


def _is_announced(body: Body, meant: set[int], evidence: Evidence) -> bool:
    """Whether a page has new words about what a method says it works out, of a class that nobody inherits."""
    if body.owner is None or body.owner.bases or body.kind != "constant" or body.node.decorator_list:
        return False
    if not meant.isdisjoint((id(body.owner), id(body.node))) or HOOK.match(body.node.name):
        return False
    if not (_says_much(body) and _answers_nothing(body.node)):
        return False
    modules = (pair.now for pair in evidence.both.product if pair.now)
    inherited = any(heirs_methods(body.node.name, body.owner, modules))
    return not inherited and evidence.product.is_told([body.node.name])


def _promises(body: Body) -> bool:
    """Whether what is said of a function is more than an answer that is always the same."""
    if body.owner or not _says_much(body):
        return False
    last = said_plainly(body.node.body)[-1]
    value = last.value if isinstance(last, ast.Return) else None
    return value is None or (isinstance(value, ast.Constant) and not value.value)


def _says_much(body: Body) -> bool:
    """Whether a function says at length what it works out, and not that this may be nothing."""
    words = body.documented.partition("\n\n")[0].split()
    said = not body.node.name.startswith("_") and len(words) >= _PROMISE
    return said and not NOTHING_MEANT.search(body.documented)


def _is_promised(body: Body, told: str) -> bool:
    """Whether a page tells what a function does, and it answers nothing or is still to be written."""
    if not told or body.nested or _is_declared(body) or HOOK.match(body.node.name):
        return False
    if NOTHING_MEANT.search(f"{body.documented} {told}") or _FOR_HEIRS.search(told):
        return False
    if body.node.decorator_list or (body.owner and body.owner.bases and body.kind != "not implemented"):
        return False
    if not body.kind:
        return _hands_back(body.node)
    return body.kind != "constant" or _answers_nothing(body.node)


def _hands_back(node: Function) -> bool:
    """Whether one of several arguments is handed back as it came, once some input was refused."""
    given = {argument.arg for argument in node.args.args} - {"self", "cls"}
    match without_guards(without_docstring(node)):
        case [ast.Return(value=ast.Name(id=name))]:
            return name in given and len(given) > 1
        case _:
            return False


def _is_left_open(body: Body, now: Module, promised: Mapping[str, str]) -> bool:
    """Whether a page tells of a class that answers nothing where its base leaves the work to it."""
    owner = body.owner
    told = promised.get(owner.name, "") if owner else ""
    if owner is None or not told or body.kind not in _KINDS | {"constant"} or not body.node.args.args[1:]:
        return False
    if NOTHING_MEANT.search(f"{body.documented} {ast.get_docstring(owner) or ''} {owner.name} {told}"):
        return False
    above = (now.classes.get(last_name(base)) for base in owner.bases)
    asked = (n for node in above if node for n in node.body if isinstance(n, Function))
    open_ones = {n.name for n in asked if kind_of(n, later=False) == "not implemented"}
    return body.node.name in open_ones and _answers_nothing(body.node)


def _answers_nothing(node: Function) -> bool:
    match said_plainly(node.body)[-1]:
        case ast.Return(value=None | ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[])):
            return True
        case ast.Return(value=ast.Constant(value=value)):
            return not value
        case _:
            return False


def _is_declared(body: Body) -> bool:
    """Whether a function is only declared: abstract, an overload, part of a protocol."""
    bases = {last_name(base) for base in body.owner.bases} if body.owner else set()
    marks = {last_name(d) for d in body.node.decorator_list}
    if (
        body.owner is not None
        and _FOR_OTHERS.search(body.owner.name)
        and body.kind in ("...", "not implemented")
    ):
        return True
    return bool(marks & _WITHOUT_BODY) or "Protocol" in bases or ("ABC" in bases and body.kind != "constant")


def is_declared_in(owner: ast.ClassDef) -> bool:
    """Whether a class is there for others to inherit from."""
    return _FOR_OTHERS.search(owner.name) is not None


def _is_idle(method: Function) -> bool:
    return kind_of(method, later=False) in _KINDS
