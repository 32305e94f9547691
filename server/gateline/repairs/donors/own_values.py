"""What an object has itself that stands in for None: an attribute of that name, a method that makes it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code, is_none
from gateline.repairs.analysis.likeness import words
from gateline.repairs.analysis.none_tests import last
from gateline.repairs.analysis.scopes import Kind, attributes_of_self, visible
from gateline.repairs.donors.results import gives_a_value
from gateline.repairs.priors import prior


def own_values(code: Code, node: ast.expr) -> Iterator[tuple[str, float]]:
    """Texts of such values, with their cost: for a parameter, or for an attribute of the object."""
    held = visible(code, node).get(node.id) if isinstance(node, ast.Name) else None
    me, cls = _object(code, node), code.class_of(node)
    if cls is None or (held is not None and held.kind is not Kind.PARAMETER):
        return
    yield from made_by_methods(code, node)
    for name in attributes_of_self(cls) if me and held is not None else ():
        if name.lstrip("_") == last(node):
            yield f"{me}.{name}", prior("donors.own-attribute")
            yield f"list({me}.{name})", prior("donors.own-attribute-copied")


def made_by_methods(code: Code, node: ast.expr) -> Iterator[tuple[str, float]]:
    """`self._made_line()` for `self._line`: a method that makes it, by name, or as nothing calls it."""
    me, cls, wanted = _object(code, node), code.class_of(node), set(words(last(node)))
    for method in (n for n in cls.body if isinstance(n, ast.FunctionDef)) if me and cls is not None else ():
        if method is code.function(node) or not _only_gives(method):
            continue
        is_unused, is_private = method.name not in code.asked_attributes, method.name[:1] == "_"
        if wanted & set(words(method.name)):
            cost = prior("donors.own-method-uncalled") if is_unused else prior("donors.own-method")
            yield f"{me}.{method.name}()", cost
        elif is_unused and is_private:
            yield f"{me}.{method.name}()", prior("donors.own-method-unnamed")


def _object(code: Code, node: ast.AST) -> str:
    """What a method calls its object; "" outside of methods."""
    function = code.function(node) if code.class_of(node) is not None else None
    return function.args.args[0].arg if function is not None and function.args.args else ""


def _only_gives(method: ast.FunctionDef) -> bool:
    """Whether a method takes nothing but the object, and gives a value; Python calls special ones itself."""
    is_alone = len(method.args.args) - len(method.args.defaults) == 1 and not method.decorator_list
    return is_alone and not method.name.endswith("__") and gives_a_value(method)


def is_never_set(code: Code, node: ast.Attribute) -> bool:
    """Whether the class of an attribute of its own gives it nothing but None: it is to be made later."""
    me, cls, wanted = _object(code, node), code.class_of(node), dotted(node)
    if cls is None or not me or dotted(node.value) != me:
        return False
    stored = [n for n in ast.walk(cls) if isinstance(n, ast.Assign) and wanted in map(dotted, n.targets)]
    return bool(stored) and all(is_none(n.value) for n in stored)
