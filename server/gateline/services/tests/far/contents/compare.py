"""Whether two texts of a module do the same when they are imported, and where its functions went."""

from __future__ import annotations

import ast
from typing import Any, Iterable

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class DifferenceError(Exception):
    """Something that runs at import is not the same; the message says what, and on which new line."""

    def __init__(self, node: Any, what: str) -> None:
        super().__init__(f"line {getattr(node, 'lineno', 0)}: {what}")


class Comparison:
    """Walks both trees at once, leaving out the bodies of functions that did not run at import."""

    def __init__(self, old: bytes, new: bytes, ran: set[int]) -> None:
        before, after = _lines(old), _lines(new)
        self._ran = ran
        self._head = _common(before, after)
        most = min(len(before), len(after)) - self._head
        tail = min(_common(reversed(before), reversed(after)), most)
        self._tail = len(before) - tail
        """The last line, counted from 1, of what is not the common end."""
        self._shift = len(after) - len(before)
        self._moved: dict[int, int | None] = {}
        self._kept: list[tuple[int, int, int]] = []
        """Stretches of the old text that stand in the new one, with how far they moved."""

    def modules(self, old: ast.Module, new: ast.Module) -> None:
        """Compare whole modules. Raises DifferenceError."""
        self._statements(old.body, new.body, new)

    def moved(self, line: int) -> int | None:
        """Where a function that began on an old line begins now; None when that is not known."""
        if line in self._moved:
            return self._moved[line]
        shifts = (shift for start, end, shift in self._kept if start <= line <= end)
        return next((line + shift for shift in shifts), None)

    def _statements(self, old: list[Any], new: list[Any], parent: Any) -> None:
        first = self._untouched_head(old, new)
        last = self._untouched_tail(old[first:], new[first:])
        old_rest, new_rest = old[first : len(old) - last], new[first : len(new) - last]
        if len(old_rest) != len(new_rest):
            raise DifferenceError(
                (new_rest or new or [parent])[0], "a statement that runs at import was added or removed"
            )
        for before, after in zip(old_rest, new_rest):
            self._node(before, after)
            self._keep(before, after)

    def _untouched_head(self, old: list[Any], new: list[Any]) -> int:
        """How many statements at the start lie wholly in lines before the first change."""
        count = 0
        for before, after in zip(old, new):
            end = before.end_lineno
            if end > self._head or end != after.end_lineno or _start(before) != _start(after):
                break
            self._kept.append((_start(before), end, 0))
            count += 1
        return count

    def _untouched_tail(self, old: list[Any], new: list[Any]) -> int:
        """How many statements at the end lie wholly in lines behind the last change."""
        count = 0
        for before, after in zip(reversed(old), reversed(new)):
            start = _start(before)
            if start <= self._tail or start + self._shift != _start(after):
                break
            self._kept.append((start, before.end_lineno, self._shift))
            count += 1
        return count

    def _keep(self, old: Any, new: Any) -> None:
        """A statement that is the same although its lines are not: only another way of writing it."""
        if not hasattr(old, "body") and old.end_lineno - old.lineno == new.end_lineno - new.lineno:
            self._kept.append((old.lineno, old.end_lineno, new.lineno - old.lineno))

    def _move(self, old: int, new: int) -> None:
        # Two that began on one line and do no longer cannot be told apart.
        self._moved[old] = new if self._moved.get(old, new) == new else None

    def _node(self, old: Any, new: Any) -> None:
        if type(old) is not type(new):
            raise DifferenceError(new, "a statement that runs at import changed")
        if isinstance(old, _FUNCTIONS):
            self._function(old, new)
        elif isinstance(old, ast.Lambda):
            self._lambda(old, new)
        else:
            self._fields(old, new, old._fields)

    def _fields(self, old: Any, new: Any, names: Iterable[str]) -> None:
        for name in names:
            self._value(getattr(old, name, None), getattr(new, name, None), new)

    def _value(self, old: Any, new: Any, parent: Any) -> None:
        if isinstance(old, ast.AST):
            self._node(old, new)
        elif isinstance(old, list) and isinstance(new, list):
            self._list(old, new, parent)
        # By text: 1, 1.0 and True are equal, and 0.0 and -0.0 as well.
        elif type(old) is not type(new) or repr(old) != repr(new):
            raise DifferenceError(parent, "code that runs at import changed")

    def _list(self, old: list[Any], new: list[Any], parent: Any) -> None:
        if isinstance((old or new or [None])[0], ast.stmt):
            self._statements(old, new, parent)
            return
        if len(old) != len(new):
            raise DifferenceError(parent, "code that runs at import changed")
        for before, after in zip(old, new):
            self._value(before, after, parent)

    def _function(self, old: Any, new: Any) -> None:
        self._move(_start(old), _start(new))
        try:
            self._fields(old, new, [name for name in old._fields if name != "body"])
        except DifferenceError:
            raise DifferenceError(new, f"the signature or decorators of {new.name} changed") from None
        # Docstrings become help texts and doctests at import.
        if ast.get_docstring(old, clean=False) != ast.get_docstring(new, clean=False):
            raise DifferenceError(new, f"the docstring of {new.name} changed")
        # A function written on the first line alone cannot be told from the module.
        if _start(old) in self._ran or old.body[0].lineno == 1:
            self._called(old, new)

    def _called(self, old: Any, new: Any) -> None:
        try:
            self._statements(old.body, new.body, new)
        except DifferenceError:
            raise DifferenceError(new, f"{new.name} was called while the tests were collected") from None

    def _lambda(self, old: Any, new: Any) -> None:
        self._move(old.lineno, new.lineno)
        self._node(old.args, new.args)
        if old.lineno in self._ran:
            self._node(old.body, new.body)


def _start(node: Any) -> int:
    """The first line of a statement and of its code: that of its first decorator, if there is one."""
    decorators = getattr(node, "decorator_list", None)
    return int(decorators[0].lineno if decorators else node.lineno)


def _lines(data: bytes) -> list[bytes]:
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")


def _common(old: Iterable[bytes], new: Iterable[bytes]) -> int:
    count = 0
    for before, after in zip(old, new):
        if before != after:
            break
        count += 1
    return count
