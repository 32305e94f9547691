"""The names that a text uses and nothing in it binds."""

from __future__ import annotations

import builtins
import symtable
from collections.abc import Iterator
from functools import lru_cache

_IMPLICIT = {
    "__file__",
    "__name__",
    "__doc__",
    "__path__",
    "__spec__",
    "__loader__",
    "__package__",
    "__class__",
}


@lru_cache(maxsize=16)
def free_names(text: str) -> frozenset[str]:
    """Names that are read somewhere and bound nowhere; empty for a text that does not parse."""
    try:
        top = symtable.symtable(text, "text", "exec")
    except (SyntaxError, ValueError, RecursionError):
        return frozenset()
    bound = {
        s.get_name() for s in top.get_symbols() if s.is_assigned() or s.is_imported() or s.is_namespace()
    }
    declared = {
        s.get_name()
        for t in _inside(top)
        for s in t.get_symbols()
        if s.is_declared_global() and s.is_assigned()
    }
    used = {
        s.get_name()
        for t in (top, *_inside(top))
        for s in t.get_symbols()
        if s.is_referenced() and _is_global(t, s)
    }
    return frozenset(used - bound - declared - set(dir(builtins)) - _IMPLICIT)


def _is_global(table: symtable.SymbolTable, symbol: symtable.Symbol) -> bool:
    return symbol.is_global() or (table.get_type() == "module" and not symbol.is_assigned())


def _inside(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    for child in table.get_children():
        yield child
        yield from _inside(child)
