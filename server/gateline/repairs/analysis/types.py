"""What an expression holds, as far as the code itself, a run and the declarations of others tell."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Mapping

from gateline.model import Knowledge
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code, is_none
from gateline.repairs.analysis.modules import module_of
from gateline.repairs.analysis.scopes import Kind, Name, stores, visible
from gateline.repairs.analysis.world import members, resolve, signatures

_DISPLAYS: Mapping[type[ast.expr], str] = {
    ast.List: "list",
    ast.ListComp: "list",
    ast.Tuple: "tuple",
    ast.Dict: "dict",
    ast.DictComp: "dict",
    ast.Set: "set",
    ast.SetComp: "set",
    ast.JoinedStr: "str",
    ast.GeneratorExp: "generator",
    ast.Lambda: "function",
    ast.Compare: "bool",
}
_CALLS = {"len": "int", "sorted": "list", "input": "str", "round": "int", "ord": "int", "repr": "str"}
_CALLS |= {"chr": "str", "hash": "int", "id": "int", "isinstance": "bool", "any": "bool", "all": "bool"}
_CALLS |= {"hex": "str", "bin": "str", "ascii": "str", "format": "str", "callable": "bool", "dir": "list"}
_NUMBERS = ("bool", "int", "float", "complex")
_PLAIN = re.compile(r"[A-Za-z_][\w.]*")
_DEEPEST = 4
_VIEWS = frozenset({"items", "keys", "values"})


class Kinds:
    """Tells the type of expressions of one text: `str`, `functools.partial`; "" when it is not known."""

    def __init__(self, code: Code, knowledge: Knowledge, seen: Mapping[str, str] | None = None) -> None:
        self.code = code
        self.knowledge = knowledge
        self.seen = seen or {}

    def of(self, node: ast.AST | None, depth: int = 0) -> str:
        """The type of what an expression holds."""
        if node is None or depth > _DEEPEST or not isinstance(node, ast.expr):
            return ""
        if isinstance(node, ast.Constant):
            return type(node.value).__name__
        for kind, name in _DISPLAYS.items():
            if isinstance(node, kind):
                return name
        return self._seen(node) or self._inferred(node, depth)

    def held(self, node: ast.AST) -> str:
        """The type of what a name or an attribute held when it was seen; "" when that is not known."""
        return self.seen.get(dotted(node), "")

    def _seen(self, node: ast.expr) -> str:
        if isinstance(node, ast.Name | ast.Attribute):
            return self.held(node)
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
            name = dotted(node.value)
            return self.seen.get(f"{name}[{ast.unparse(node.slice)}]") or self.seen.get(f"{name}[]", "")
        return ""

    def _inferred(self, node: ast.expr, depth: int) -> str:
        if isinstance(node, ast.BinOp):
            return self._binary(node, depth)
        if isinstance(node, ast.UnaryOp):
            return "bool" if isinstance(node.op, ast.Not) else self.of(node.operand, depth + 1)
        if isinstance(node, ast.Call):
            return self._called(node, depth)
        if isinstance(node, ast.Name):
            return self._name(node, depth)
        if isinstance(node, ast.Subscript):
            return self._item(node, depth)
        if isinstance(node, ast.IfExp):
            return self._either(node, depth)
        if isinstance(node, ast.BoolOp):
            return self.of(node.values[-1], depth + 1)
        return ""

    def _either(self, node: ast.IfExp, depth: int) -> str:
        """The type of both branches; of the other where one is None."""
        held = [part for part in (node.body, node.orelse) if not is_none(part)]
        kinds = {self.of(part, depth + 1) for part in held}
        return kinds.pop() if len(kinds) == 1 else ""

    @staticmethod
    def _same(one: str, other: str) -> str:
        return one if one == other else ""

    def _binary(self, node: ast.BinOp, depth: int) -> str:
        left, right = self.of(node.left, depth + 1), self.of(node.right, depth + 1)
        if isinstance(node.op, ast.Mod) and left in {"str", "bytes"}:
            return left
        if left in _NUMBERS and right in _NUMBERS:
            if isinstance(node.op, ast.Div):
                return "float"
            return max(left, right, "int", key=_NUMBERS.index)
        if isinstance(node.op, ast.Mult) and "int" in {left, right}:
            return right if left == "int" else left
        return self._same(left, right) or (left if not right else right if not left else "")

    def _item(self, node: ast.Subscript, depth: int) -> str:
        held = self.of(node.value, depth + 1)
        if isinstance(node.slice, ast.Slice):
            return held
        return {"str": "str", "bytes": "int"}.get(held, "")

    def _called(self, node: ast.Call, depth: int) -> str:
        if isinstance(node.func, ast.Name):
            name = node.func.id
            if name in _CALLS:
                return _CALLS[name]
            if isinstance(getattr(builtins, name, None), type):
                return name
        if isinstance(node.func, ast.Attribute) and (owner := self.of(node.func.value, depth + 1)):
            return self._returned(members(self.knowledge, owner).get(node.func.attr, ()), owner)
        name = self.resolved(node.func)
        if not name:
            # Nearly always these are methods of a dictionary.
            called = node.func.attr if isinstance(node.func, ast.Attribute) and not node.args else ""
            return f"dict_{called}" if called in _VIEWS else ""
        if name.rpartition(".")[2][:1].isupper():
            return name
        return self._returned(signatures(self.knowledge, name), name)

    @staticmethod
    def _returned(callees: tuple[object, ...], owner: str) -> str:
        """The type that signatures say is returned, when it is a plain one."""
        notes = {getattr(callee, "returns", "") for callee in callees}
        if len(notes) != 1 and "str" not in notes:
            return ""
        note = notes.pop() if len(notes) == 1 else "str"
        note = owner if note == "Self" else note.partition("[")[0]
        return {"None": "NoneType"}.get(note, note) if _PLAIN.fullmatch(note) else ""

    def _name(self, node: ast.Name, depth: int) -> str:
        name = visible(self.code, node).get(node.id)
        return "" if name is None else self.of_binding(name, depth)

    def of_binding(self, name: Name, depth: int = 0) -> str:
        """The type of what a name is bound to."""
        if name.kind is Kind.BUILTIN or name.node is None:
            return "type" if isinstance(getattr(builtins, name.text, None), type) else "function"
        if name.kind in {Kind.FUNCTION, Kind.CLASS}:
            return "function" if name.kind is Kind.FUNCTION else "type"
        if isinstance(name.node, ast.arg):
            return _annotated(name.node.annotation)
        own = self.code.scope(name.node)
        near = [store for store in stores(self.code.nodes, name.text) if self.code.scope(store) is own]
        found = {self._stored(store, depth) for store in near}
        return found.pop() if len(found) == 1 else ""

    def _stored(self, store: ast.Name, depth: int) -> str:
        parent = self.code.parent(store)
        if isinstance(parent, ast.Assign):
            return self.of(parent.value, depth + 1)
        if isinstance(parent, ast.AnnAssign):
            return _annotated(parent.annotation)
        if isinstance(parent, ast.For) and isinstance(parent.iter, ast.Call):
            return "int" if dotted(parent.iter.func) == "range" else ""
        return ""

    def resolved(self, node: ast.expr) -> str:
        """The full dotted name of what a name or an attribute of a module means; "" when it is a local."""
        name = dotted(node)
        if not name:
            return ""
        first = visible(self.code, node).get(name.partition(".")[0])
        if first is not None and first.kind in {Kind.PARAMETER, Kind.LOCAL, Kind.OUTER}:
            return ""
        if first is not None and first.kind is Kind.BUILTIN:
            return name
        found = resolve(self.knowledge, module_of(self.code.path, self.knowledge.paths()), name)
        # What is not seen here may come by an import of all.
        return found if first is not None or found != name else ""


def _annotated(node: ast.expr | None) -> str:
    note = "" if node is None else ast.unparse(node).partition("[")[0]
    return {"List": "list", "Dict": "dict", "Set": "set", "Tuple": "tuple"}.get(note, note)


_INNER = re.compile(r"\[[^\[\]]*\]")


def kind(told: str) -> str:
    """A type as messages tell it, without parameters: `list[int]` is `list`, a signature is `function`."""
    told = told.strip().strip('"').removesuffix("?")
    if told.startswith(("def ", "Callable", "overloaded function", "def(")):
        return "function"
    if told.lower().startswith("type["):
        return "type"
    inner = None
    while inner != told:
        inner, told = told, _INNER.sub("", told)
    plain = told.partition("[")[0].partition("(")[0]
    return "NoneType" if plain == "None" else plain.removeprefix("builtins.")
