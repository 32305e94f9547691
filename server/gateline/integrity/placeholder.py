"""GTL614: a function that does nothing yet, or nothing any more."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gateline.integrity.both import Pair
from gateline.integrity.elsewhere_done import has_alternative, heirs_methods
from gateline.integrity.evidence import Evidence
from gateline.integrity.finding import at_node
from gateline.integrity.module import Function, Module, without_docstring
from gateline.integrity.plainly import said_plainly
from gateline.integrity.text import is_value, last_name
from gateline.integrity.unfinished import is_bare, says_later
from gateline.model.finding import Finding, Weight

CODE = "GTL614"

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
_SHORT = 4
"""Statements of a body that may be a placeholder's."""
_PROMISE = 6
"""Words of a docstring that tells what is worked out."""
_TELLING = frozenset({"print", "warn", "warning", "info", "debug", "log"})
_TELLS = re.compile(r"tell|print|say|log|warn|show|report|echo|trace|debug|progress|usage|banner|dump")
"""Names of functions that are to tell something."""
_KINDS = {"pass", "...", "docstring"}


@dataclass(frozen=True, slots=True)
class Body:
    """A function with what its body comes to: `pass`, `not implemented`, `constant`, or "" for real work."""

    node: Function
    owner: ast.ClassDef | None
    nested: bool
    kind: str
    later: bool
    """Whether it says that the work is still to be done."""
    undone: bool = False
    """Whether that is all it says of it: not that something may be done better."""

    @property
    def documented(self) -> str:
        """What it says it does."""
        return ast.get_docstring(self.node) or ""


def find(evidence: Evidence) -> Iterator[Finding]:
    """The placeholders of the change."""
    moved = {name for pair in evidence.both.product if pair.base for name in _bodies(pair.base)}
    for pair in evidence.both.product:
        if pair.now is not None and not pair.path.endswith(".pyi"):
            yield from _in_file(pair, pair.now, moved, evidence)


def _in_file(pair: Pair, now: Module, known: set[str], evidence: Evidence) -> Iterator[Finding]:
    before, promised = _bodies(pair.base) if pair.base else {}, evidence.product.pages.promised
    empty_classes = _empty_classes(now)
    for name, body in _bodies(now).items():
        if not body.kind or has_alternative(body.node, now):
            continue
        old = before.get(name)
        if old is not None:
            if _is_emptied(old, body) and not _is_left_to_heirs(body, evidence):
                message = f"`{name}` did something before, and now is a placeholder"
                yield at_node(CODE, now, body.node, message, Weight.COUNTS)
        elif name not in known and (
            _is_unfinished(body, empty_classes) or _is_promised(body, promised.get(body.node.name, ""))
        ):
            yield at_node(CODE, now, body.node, f"`{name}` is new and does nothing yet", Weight.COUNTS)


def _bodies(module: Module) -> Mapping[str, Body]:
    scopes = dict(module.source.scopes)
    found = {}
    for name, node in module.source.scopes:
        if isinstance(node, Function):
            owner = scopes.get(name.rpartition(".")[0])
            later = len(node.body) < _SHORT and says_later(node, module)
            found[name] = Body(
                node,
                owner if isinstance(owner, ast.ClassDef) else None,
                isinstance(owner, Function),
                "" if _is_to_tell(node) else _kind(node, later=later),
                later,
                later and is_bare(node, module),
            )
    return found


def _kind(node: Function, *, later: bool) -> str:
    body = without_docstring(node)
    # What is only told or deleted is no work: the rest may be less than it looks.
    match said_plainly([s for s in body if not does_nothing(s)]) or [ast.Pass()][: len(body)]:
        case []:
            return "docstring"
        case [ast.Pass()]:
            return "pass"
        case [ast.Expr(value=ast.Constant(value=value))] if value is ...:
            return "..."
        case [ast.Raise(exc=ast.expr() as exc)] if last_name(exc) == "NotImplementedError":
            return "not implemented"
        case [ast.Return(value=value)] if value is None or is_value(value):
            return "constant" if later or node.args.args else ""
        case [ast.Raise()] if later:
            return "not implemented"
        case [ast.Return(value=ast.expr() as value)] if later:
            return _kind_of_result(value, node)
        case _:
            return ""


def _kind_of_result(value: ast.expr, node: Function) -> str:
    match value:
        case _ if _is_of_argument(value, node):
            return "argument"
        case ast.Call(args=[given], keywords=[]) if _is_of_argument(given, node):
            return "handed on"
        case _:
            return ""


def does_nothing(node: ast.stmt) -> bool:
    """Whether a statement only tells something, or drops what was given."""
    match node:
        case (
            ast.Delete()
            | ast.Assign(targets=[ast.Name(id="_")], value=ast.Name() | ast.Tuple() | ast.Constant())
        ):
            return True
        case _:
            return _tells(node)


def _is_to_tell(node: Function) -> bool:
    """Whether a function is there to print or log something, and does so."""
    body = without_docstring(node)
    return bool(body) and all(map(_tells, body)) and _TELLS.search(node.name) is not None


def _tells(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Call() as call):
            return last_name(call) in _TELLING
        case _:
            return False


def _is_of_argument(value: ast.expr, node: Function) -> bool:
    """Whether a value is an argument, or a part of one at a fixed place."""
    while isinstance(value, ast.Attribute | ast.Subscript | ast.List | ast.Tuple):
        value = value.value if isinstance(value, ast.Attribute | ast.Subscript) else _only(value.elts)
    return isinstance(value, ast.Name) and value.id in (a.arg for a in node.args.args)


def _only(items: list[ast.expr]) -> ast.expr:
    return items[0] if len(items) == 1 else ast.Constant(None)


def _is_emptied(old: Body, new: Body) -> bool:
    """Whether work was replaced by a placeholder, and nothing says that there is nothing to do any more."""
    if old.kind or _is_declared(new):
        return False
    if new.later or new.kind in ("pass", "...", "docstring", "not implemented"):
        return new.later or new.documented == old.documented
    worked = any(isinstance(node, ast.Call | ast.BinOp | ast.For | ast.While) for node in ast.walk(old.node))
    return worked and new.documented == old.documented and not _is_settled(old.node, new.node)


def _is_left_to_heirs(body: Body, evidence: Evidence) -> bool:
    """Whether a method says that it is not implemented here, and every heir that has it does the work."""
    if body.owner is None or body.kind != "not implemented":
        return False
    modules = [pair.now for pair in evidence.both.product if pair.now]
    made = [_kind(m, later=False) for m in heirs_methods(body.node.name, body.owner, modules)]
    return bool(made) and not any(made)


def _is_settled(old: Function, new: Function) -> bool:
    """Whether a question that asked nothing of its arguments has one answer from now on."""
    last = new.body[-1]
    value = last.value if isinstance(last, ast.Return) else None
    given = {argument.arg for argument in old.args.args} - {"self", "cls"}
    used = {n.id for n in ast.walk(old) if isinstance(n, ast.Name)}
    return isinstance(value, ast.Constant) and isinstance(value.value, bool) and not given & used


def _is_unfinished(body: Body, empty_classes: set[int]) -> bool:
    if body.nested or _is_declared(body):
        return False
    if body.kind == "not implemented":
        return body.later or body.owner is None
    if body.later:
        return body.kind != "handed on" or body.undone
    if body.node.decorator_list or body.node.name.startswith("__"):
        return False
    return _promises(body) if body.kind == "constant" else _does_less(body, empty_classes)


def _does_less(body: Body, empty_classes: set[int]) -> bool:
    """Whether an empty body is of a function that is to do something, as far as can be told."""
    if NOTHING_MEANT.search(f"{body.documented} {body.node.name.replace('_', ' ')}"):
        return False
    if body.owner is None:
        return True
    if any(isinstance(n, Function) and n.name == "__getattr__" for n in body.owner.body):
        # What stands for another object, and keeps something from it.
        return False
    if body.owner.bases or id(body.owner) in empty_classes or HOOK.match(body.node.name):
        return False
    return not body.documented or body.kind in ("pass", "...")


def _promises(body: Body) -> bool:
    """Whether what is said of a function is more than an answer that is always the same."""
    words = body.documented.partition("\n\n")[0].split()
    if body.owner or body.node.name.startswith("_") or len(words) < _PROMISE:
        return False
    if NOTHING_MEANT.search(body.documented):
        return False
    last = said_plainly(body.node.body)[-1]
    value = last.value if isinstance(last, ast.Return) else None
    return value is None or (isinstance(value, ast.Constant) and not value.value)


def _is_promised(body: Body, told: str) -> bool:
    """Whether a page tells what a function does, and it answers nothing or is still to be written."""
    if not told or body.nested or _is_declared(body) or HOOK.match(body.node.name):
        return False
    if NOTHING_MEANT.search(f"{body.documented} {told}") or _FOR_HEIRS.search(told):
        return False
    if body.node.decorator_list or (body.owner and body.owner.bases and body.kind != "not implemented"):
        return False
    return body.kind != "constant" or _answers_nothing(body.node)


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


def _empty_classes(module: Module) -> set[int]:
    """Classes whose every method does nothing: they stand for nothing on purpose."""
    found = set()
    for _, node in module.source.scopes:
        if isinstance(node, ast.ClassDef):
            methods = [n for n in node.body if isinstance(n, Function) and n.name != "__init__"]
            if methods and all(_kind(method, later=False) in _KINDS for method in methods):
                found.add(id(node))
    return found
