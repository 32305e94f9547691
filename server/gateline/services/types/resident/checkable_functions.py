"""The functions of a module that can be checked alone, found in mypy's tree of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mypy.nodes import (
    Block,
    ClassDef,
    Decorator,
    FuncDef,
    IfStmt,
    MypyFile,
    OverloadedFuncDef,
    Statement,
    TypeInfo,
)

from gateline.services.types.resident.bodies import Lines


@dataclass(slots=True)
class Place:
    """A function or method of a module. Only those that can be checked alone have one."""

    function: FuncDef
    node: FuncDef | OverloadedFuncDef
    """What mypy checks: the function, or the property that it is one part of."""
    owner: TypeInfo | None
    lines: Lines

    def is_attribute(self, name: str) -> bool:
        """Whether the class of this method, if there is one, has this attribute."""
        return self.owner is not None and self.owner.get(name) is not None


def places_of(tree: MypyFile) -> Iterator[Place]:
    """All of a module, without those that share their full name: mypy could not tell their errors apart."""
    known = list(_places(tree.defs, None))
    nodes = {id(place.node): place.node.fullname for place in known}
    often = Counter(nodes.values())
    return (place for place in known if often[place.node.fullname] == 1)


def _places(statements: Iterable[Statement], owner: TypeInfo | None) -> Iterator[Place]:
    for statement in statements:
        match statement:
            case ClassDef():
                yield from _places(statement.defs.body, statement.info)
            case IfStmt():
                for block in (*statement.body, *filter(None, [statement.else_body])):
                    yield from _places(_reached(block), owner)
            case _:
                yield from _parts(statement, owner)


def _reached(block: Block) -> list[Statement]:
    return [] if block.is_unreachable else block.body


def _parts(statement: Statement, owner: TypeInfo | None) -> Iterator[Place]:
    match statement:
        case FuncDef():
            yield from _place(statement, statement.line, owner, statement)
        case Decorator():
            yield from _place(statement.func, _first(statement), owner, statement.func)
        case OverloadedFuncDef(is_property=True):
            for item in statement.items:
                if isinstance(item, Decorator):
                    yield from _place(item.func, _first(item), owner, statement)


def _place(
    function: FuncDef, first: int, owner: TypeInfo | None, node: FuncDef | OverloadedFuncDef
) -> Iterator[Place]:
    body = function.body.body
    in_protocol = owner is not None and owner.is_protocol
    if body and function.end_line is not None and not in_protocol:
        yield Place(function, node, owner, Lines(first, body[0].line, function.end_line))


def _first(decorated: Decorator) -> int:
    return min([decorated.line, *(decorator.line for decorator in decorated.original_decorators)])
