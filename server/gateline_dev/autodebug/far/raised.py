"""What the interpreter knows of an exception, as plain values. Standard library alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

_LONGEST = 400
_FRAMES = 40
_CAUSES = 3
_HIDDEN = {"_pytest", "pluggy", "pytest"}


def described(error: BaseException, root: str, depth: int = 0) -> dict[str, Any]:
    """An exception with its frames and causes, as plain values."""
    cause = _behind(error)
    return {
        **named_only(error),
        "frames": frames(error.__traceback__, root),
        "cause": described(cause, root, depth + 1) if cause is not None and depth < _CAUSES else None,
    }


def _behind(error: BaseException) -> BaseException | None:
    """What led to an error: also where that is not to be shown, or where the error only holds it."""
    # As it was made, and past what its class says of these: that is the user's code.
    args = BaseException.args.__get__(error)  # type: ignore[attr-defined]
    held = [part for value in args for part in (value if type(value) in (list, tuple) else (value,))]
    held += object.__getattribute__(error, "__dict__").values()
    inner = (v for v in held if issubclass(type(v), BaseException) and v is not error and v.__traceback__)
    return error.__cause__ or error.__context__ or next(inner, None)


def named_only(error: BaseException) -> dict[str, Any]:
    """An exception without its frames and causes."""
    try:
        message = str(error.msg) if isinstance(error, SyntaxError) else str(error)[:_LONGEST]
    except Exception:  # noqa: BLE001 - other people's code
        message = ""
    return {"type": type(error).__name__, "message": message, "frames": [], "cause": None}


def frames(traceback: Any, root: str) -> list[dict[str, Any]]:
    """The calls of a traceback that are not pytest's, the innermost kept."""
    found = []
    while traceback is not None:
        if traceback.tb_frame.f_globals.get("__name__", "").partition(".")[0] not in _HIDDEN:
            found.append(traceback)
        traceback = traceback.tb_next
    return [_frame(entry, root) for entry in found[-_FRAMES:]]


def _frame(entry: Any, root: str) -> dict[str, Any]:
    code = entry.tb_frame.f_code
    path = os.path.realpath(code.co_filename)
    ours = path.startswith(root + os.sep) and os.path.exists(path)  # noqa: PTH110
    return {
        "path": os.path.relpath(path, root).replace(os.sep, "/") if ours else code.co_filename,
        "line": entry.tb_lineno - 1,
        "function": code.co_name,
        "ours": ours,
        "span": _span(code, entry.tb_lasti) if ours else None,
        "seen": list(seen(entry.tb_frame)) if ours else [],
    }


def _span(code: Any, instruction: int) -> list[int] | None:
    """The place of the expression that failed: zero-based lines, columns in characters."""
    import linecache

    rows = list(code.co_positions()) if hasattr(code, "co_positions") else []
    number = instruction // 2
    line, last, start, end = rows[number] if number < len(rows) else (None,) * 4
    if line is None or last is None or start is None or end is None:
        return None
    first, final = (linecache.getline(code.co_filename, n) for n in (line, last))
    return [line - 1, _characters(first, start), last - 1, _characters(final, end)]


def _characters(text: str, column: int) -> int:
    return len(text.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "ignore"))


def seen(frame: Any) -> Iterator[list[str]]:
    """What the names of a frame hold, by type: pairs of a name and a type."""
    for name, value in list(frame.f_locals.items())[:80]:
        if name.startswith("__"):
            continue
        yield from _seen(name, value)
        own = _attributes(value)
        if own and not issubclass(type(value), (type, type(os))) and not callable(value):
            for attribute, inner in list(own.items())[:40]:
                yield from _seen(f"{name}.{attribute}", inner)


def _attributes(value: Any) -> dict[str, Any]:
    """Asked of `object`: a class's own `__getattr__` is other people's code, and may raise anything."""
    try:
        own = object.__getattribute__(value, "__dict__")
    except Exception:  # noqa: BLE001 - also of `__dict__` a class can make its own
        return {}
    return own if type(own) is dict else {}


def _seen(name: str, value: Any) -> Iterator[list[str]]:
    yield [name, named(type(value))]
    # Only of built-in types: to look into others would run code.
    if type(value) in (list, tuple, set, frozenset) and value:
        elements = list(value)[:20]
        if len({type(e) for e in elements}) == 1:
            yield [f"{name}[]", named(type(elements[0]))]
        if type(value) is tuple:
            yield from ([f"{name}[{n}]", named(type(e))] for n, e in enumerate(elements[:5]))
    elif type(value) is dict and value:
        key, inner = next(iter(value.items()))
        yield [f"{name}{{}}", named(type(key))]
        yield [f"{name}[]", named(type(inner))]


def named(kind: type) -> str:
    """The name of a type, dotted unless it is built in."""
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
