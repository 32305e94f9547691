"""Attributes what a remembering function executed to all tests that take its result, not only to the first.

A function behind `functools.lru_cache` (`functools.cache` is one) runs in the test that asks first. All
others that are given the remembered result depend on its code, and on what that called, as well.
"""

from __future__ import annotations

import functools
import gc
import sys
import types
import weakref
from typing import Any, Callable, Dict, Set

from .audit import Audit
from .calls import Calls
from .touched import Touched

_WRAPPER: Any = type(functools.lru_cache(maxsize=1)(len))
_DEEP = 10
"""Decorators between what `lru_cache` made and the project's own code."""
_Steps = Dict[str, Set[Any]]


class _Known:
    """One living function that remembers, and what its counters said last."""

    def __init__(self, wrapper: Any, code: Any) -> None:
        self.wrapper = weakref.ref(wrapper)
        self.code = code
        self.inside: _Steps = {}
        """What it executed until it returned, of all times that it ran."""
        self.touched = Touched()
        """What was touched in the tests in which it ran, by it or by others."""
        self._hits = self._misses = 0

    def counted(self) -> tuple[bool, bool]:
        """Whether it gave a remembered result, and whether it ran, since this was asked last."""
        wrapper = self.wrapper()
        if wrapper is None:
            return False, False
        before = self._hits, self._misses
        self._hits, self._misses = wrapper.cache_info()[:2]
        # Where somebody made it forget, the counters began anew: it may have done both before.
        is_new = self._hits < before[0] or self._misses < before[1]
        return is_new or self._hits > before[0], is_new or self._misses > before[1]

    def add(self, steps: _Steps) -> None:
        """It executed these."""
        for name, some in steps.items():
            self.inside.setdefault(name, set()).update(some)


class Remembering:
    """The functions of the project that remember; `ours` tells its files from those of libraries."""

    def __init__(self, ours: Callable[[str], bool]) -> None:
        self._ours = ours
        self._known: dict[int, _Known] = {}
        """By the identity of what `lru_cache` made."""
        self._modules = 0
        self._calls = Calls()
        self._is_started = False
        self._audit: Audit | None = None

    def index(self) -> list[_Known]:
        """Find those that are not known yet."""
        self._modules = len(sys.modules)
        wrappers = [thing for thing in gc.get_objects() if type(thing) is _WRAPPER]
        fresh = {id(one): _Known(one, self._code(one)) for one in wrappers if self._is_new(one)}
        found = {key: known for key, known in fresh.items() if known.code is not None}
        self._known.update(found)
        return list(found.values())

    def start(self, audit: Audit | None = None) -> None:
        """From here on tests run, with the bodies that the functions have now."""
        self._is_started, self._audit = True, audit
        for known in self._known.values():
            wrapper = known.wrapper()
            known.code = None if wrapper is None else self._code(wrapper)
            known.counted()

    def begin(self) -> None:
        """From here on the project's code runs: who calls whom is noted, if anything remembers."""
        if self._known:
            self._calls.begin()

    def end(self) -> None:
        """From here on pytest works."""
        self._calls.end()

    def inherited(self, steps: _Steps) -> list[_Steps]:
        """What was executed earlier for results that were given since this was called last.

        `steps` are all that were executed since then.
        """
        if not self._is_started:
            return []
        counted = [(known, *known.counted()) for known in self._known.values()]
        given = [known.inside for known, hit, _ in counted if hit and known.inside]
        ran = [known for known, _, missed in counted if missed]
        self._share([known for known, hit, _ in counted if hit], ran)
        if len(sys.modules) != self._modules:
            ran.extend(known for known in self.index() if any(known.counted()))
        if ran:
            self._ran(ran, steps, given)
        if self._known:
            self._calls.forget()
        return given

    def _share(self, given: list[_Known], ran: list[_Known]) -> None:
        """What was touched for a result counts for all that are given it."""
        if self._audit is None:
            return
        for known in given:
            self._audit.touched.add(known.touched)
        for known in ran:
            known.touched.add(self._audit.taken())

    def _ran(self, ran: list[_Known], steps: _Steps, given: list[_Steps]) -> None:
        # One that ran may have been given the results of others.
        earlier: _Steps = {}
        for name, some in (pair for one in given for pair in one.items()):
            earlier.setdefault(name, set()).update(some)
        for known in ran:
            known.add(self._calls.below(known.code, steps))
            known.add(earlier)

    def _is_new(self, wrapper: Any) -> bool:
        known = self._known.get(id(wrapper))
        return known is None or known.wrapper() is not wrapper

    def _code(self, wrapper: Any) -> Any:
        """The outermost code of the project behind it, if there is any; of a class, itself."""
        try:
            return self._found(wrapper.__wrapped__)
        except Exception:  # noqa: BLE001 - attributes of other people's objects may raise anything
            return None

    def _found(self, inner: Any) -> Any:
        for _ in range(_DEEP):
            code = getattr(inner, "__code__", None)
            if isinstance(code, types.CodeType) and self._ours(code.co_filename):
                return code
            following = getattr(inner, "__wrapped__", None) or getattr(inner, "func", None)
            if following is None:
                break
            inner = following
        kind = inner if isinstance(inner, type) else type(inner)
        file = getattr(sys.modules.get(kind.__module__), "__file__", None)
        return kind if file and self._ours(file) else None
