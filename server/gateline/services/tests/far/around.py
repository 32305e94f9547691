"""Which tests have nothing of the project's around them: what comes before and after them is pytest's alone.

Following it would cost as much as following the test itself, and find nothing.
"""

from __future__ import annotations

from typing import Any, Callable

import pytest

_HOOKS = ("pytest_runtest_setup", "pytest_runtest_teardown")


class Around:
    """For the tests of one run."""

    def __init__(self, config: Any, runner: Any, ours: Callable[[str], bool]) -> None:
        """`runner` is the plug-in that asks; `ours` tells the project's files from those of libraries."""
        found = [one for name in _HOOKS for one in getattr(config.hook, name).get_hookimpls()]
        self._is_hooked = any(_is_of(one, ours) for one in found if one.plugin is not runner)
        """The project does something around every test."""

    def before(self, item: Any) -> bool:
        """Whether something of the project's may run when this test is set up."""
        is_first = item.parent not in item.session._setupstate.stack
        return is_first or self._may_be(item) or _is_asked_first(item)

    def after(self, item: Any, following: Any) -> bool:
        """Whether something of the project's may run when this test is torn down."""
        return self._may_be(item) or following is None or following.parent is not item.parent

    def _may_be(self, item: Any) -> bool:
        # Other kinds of tests, and classes, bring ways of their own to do something.
        is_function = type(item) is pytest.Function and type(item.parent) is pytest.Module
        return self._is_hooked or not is_function or bool(item.fixturenames)


def _is_asked_first(item: Any) -> bool:
    """Whether a mark holds a condition as text: pytest asks it before the test, in the test's own module."""
    marks = (mark for name in ("skipif", "xfail") for mark in item.iter_markers(name))
    return any(isinstance(said, str) for mark in marks for said in (*mark.args, mark.kwargs.get("condition")))


def _is_of(implementation: Any, ours: Callable[[str], bool]) -> bool:
    code = getattr(implementation.function, "__code__", None)
    return code is None or ours(code.co_filename)
