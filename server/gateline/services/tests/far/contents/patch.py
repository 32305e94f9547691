"""Gives changed function bodies to the functions that live in a collected state.

What a module does when it is imported is everything but the bodies of functions that were not called
meanwhile. As long as that is the same, the old state with new bodies is the state that a new import
would make. Anything else is refused: the tests must be collected again.
"""

from __future__ import annotations

import ast
import gc
import types
from typing import Any, NamedTuple

from ..tracing.executed import Executed
from .compare import Comparison, DifferenceError
from .texts import Loaded, Texts

_KIND = 0x4 | 0x8 | 0x20 | 0x80 | 0x100 | 0x200
"""Flags of code that others look at: star arguments, generator, coroutine, asynchronous generator."""

_UNDER_WAY = {
    types.GeneratorType: "gi_code",
    types.CoroutineType: "cr_code",
    types.AsyncGeneratorType: "ag_code",
}
"""What keeps the body that it was begun with."""


class RefusedError(Exception):
    """A change that no exchange of bodies can express; the message says which."""


class BrokenError(Exception):
    """A text that no module can be made from; the message says why. The collected state is still good."""


class Patch(NamedTuple):
    """The new code of each living function of one file."""

    codes: list[tuple[types.FunctionType, types.CodeType]]

    def apply(self) -> None:
        """Exchange the bodies."""
        for function, code in self.codes:
            function.__code__ = code


class Patcher:
    """Plans patches against one collected state."""

    def __init__(self, texts: Texts, executed: Executed, config: Any) -> None:
        self._texts = texts
        self._executed = executed
        self._config = config
        self._living: dict[str, list[types.FunctionType]] = {}
        self._trees: dict[str, ast.Module] = {}
        self._plans: dict[tuple[str, bytes], Patch | RefusedError | BrokenError] = {}

    def index(self) -> None:
        """Find the living functions of all files."""
        for thing in gc.get_objects():
            kind = type(thing)
            if kind is types.FunctionType:
                # Annotations are part of a function's head, which must not change anyway.
                if thing.__code__.co_name != "__annotate__":
                    self._living.setdefault(thing.__code__.co_filename, []).append(thing)
            elif kind in _UNDER_WAY:
                code = getattr(thing, _UNDER_WAY[kind])
                self._executed.add(code.co_filename, code.co_firstlineno)

    def plan(self, real: str, data: bytes | None) -> Patch:
        """The patch that makes a file's functions those of `data`. Raises RefusedError and BrokenError."""
        if data is None:
            raise RefusedError("a file was deleted: " + self._texts.relative(real))
        key = (real, data)
        if key not in self._plans:
            # Only the newest: while somebody types, each text is a new one.
            self._plans = {k: p for k, p in self._plans.items() if k[0] != real}
            try:
                self._plans[key] = self._planned(self._texts.loaded[real], real, data)
            except (RefusedError, BrokenError) as refused:
                self._plans[key] = refused
        plan = self._plans[key]
        if isinstance(plan, Patch):
            return plan
        raise plan

    def _planned(self, loaded: Loaded, real: str, data: bytes) -> Patch:
        where = self._texts.relative(real)
        old = self._tree(real, loaded)
        try:
            new = ast.parse(data, loaded.filename)
            ran = self._executed.lines.get(real, set())
            comparison = Comparison(loaded.data, data, ran)
            comparison.modules(old, new)
            codes = _by_place(self._compiled(new, loaded, data))
        except (SyntaxError, ValueError) as error:
            raise BrokenError(f"{where} does not parse: {error}") from None
        except DifferenceError as difference:
            raise RefusedError(f"{where}: {difference}") from None
        functions = self._living.get(loaded.filename, ())
        return Patch([(function, _new_code(function, comparison, codes, where)) for function in functions])

    def _tree(self, real: str, loaded: Loaded) -> ast.Module:
        if real not in self._trees:
            try:
                self._trees[real] = ast.parse(loaded.data, loaded.filename)
            except (SyntaxError, ValueError):
                where = self._texts.relative(real)
                raise RefusedError(f"{where} could not be parsed when the tests were collected") from None
        return self._trees[real]

    def _compiled(self, tree: ast.Module, loaded: Loaded, data: bytes) -> types.CodeType:
        if loaded.rewritten:
            from _pytest.assertion.rewrite import rewrite_asserts

            rewrite_asserts(tree, data, loaded.filename, self._config)
        code: types.CodeType = compile(tree, loaded.filename, "exec", dont_inherit=True)
        return code


def _by_place(code: types.CodeType) -> dict[tuple[int, str], types.CodeType | None]:
    """All code in a module by first line and name; None for a place that is taken twice."""
    found: dict[tuple[int, str], types.CodeType | None] = {}
    waiting = [code]
    while waiting:
        for constant in waiting.pop().co_consts:
            if isinstance(constant, types.CodeType):
                waiting.append(constant)
                place = (constant.co_firstlineno, constant.co_name)
                found[place] = None if place in found else constant
    return found


def _new_code(
    function: types.FunctionType, comparison: Comparison, codes: dict[Any, Any], where: str
) -> types.CodeType:
    old = function.__code__
    line = comparison.moved(old.co_firstlineno)
    new = None if line is None else codes.get((line, old.co_name))
    if new is None:
        raise RefusedError(f"{where}: line {old.co_firstlineno}: the new code of this function was not found")
    if (new.co_flags & _KIND, new.co_freevars) != (old.co_flags & _KIND, old.co_freevars):
        raise RefusedError(
            f"{where}: line {line}: the kind of this function (generator, coroutine, closure) changed"
        )
    return new  # type: ignore[no-any-return]
