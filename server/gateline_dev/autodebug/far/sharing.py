"""The loop over the tests of a run: those that matter most first, and the rest in two processes.

The two processes stand at the same clean place, before the first of the rest: a class, or the functions of a
file, is taken by the one that is free. What failed while others ran beside it is run again alone, since tests
that write to one place disturb each other.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, pairwise
from typing import Any

from .watching import Watch

_ALONE = 0.15
"""Seconds after which the other process is called."""
_FEW = 10
"""Tests that are not worth another process."""
_MOST = 2000
"""Groups whose numbers are handed over in one piece, which a pipe takes at once."""
_AGAIN = 3
"""Where more tests fail, that is no accident."""
_WIDTH = 2
"""Bytes of a number that is handed over."""

Groups = list[list[Any]]


class Sharing:
    """A pytest plug-in whose loop runs tests in two processes."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch

    def pytest_runtestloop(self, session: Any) -> bool:
        """Run those that come first, then the others. What could not be collected ends it, as usual."""
        if session.testsfailed and not session.config.option.continue_on_collection_errors:
            raise session.Interrupted(f"{session.testsfailed} errors during collection")
        rest = [item for item in session.items if item.nodeid not in self.watch.first]
        _run(session, session.items[: len(session.items) - len(rest)])
        return self._rest(session, rest)

    def _rest(self, session: Any, items: Sequence[Any]) -> bool:
        """Share them, unless there are few, or the first failure is to end the run."""
        groups = _groups(items)
        if session.config.option.maxfail or not _is_worth_it(groups):
            _run(session, items)
        else:
            self._share(session, groups)
        return True

    def _share(self, session: Any, groups: Groups) -> None:
        queue, known = _Queue(), len(self.watch.failed)
        source, sink = os.pipe()
        if os.fork() == 0:
            os.close(source)
            self._help(session, groups, queue, sink)
        os.close(sink)
        with contextlib.suppress(session.Failed):
            _run(session, _taken(groups, queue))
        self._add(source, {item.nodeid: number for number, item in enumerate(session.items)})
        self._again(session, self.watch.failed[known:])

    def _help(self, session: Any, groups: Groups, queue: _Queue, sink: int) -> None:
        """In the other process: run what is handed over, tell what it came to, and end."""
        try:
            queue.close()
            self.watch.forget()
            with contextlib.suppress(session.Failed):
                _run(session, (item for number in queue.numbers() for item in groups[number]))
            with os.fdopen(sink, "w") as stream:
                json.dump(self.watch.told(), stream)
        finally:
            os._exit(0)

    def _add(self, source: int, order: dict[str, int]) -> None:
        with os.fdopen(source) as stream:
            told = stream.read()
        if told:
            self.watch.add(json.loads(told), order)
        else:
            self.watch.is_late = True

    def _again(self, session: Any, failed: list[str]) -> None:
        if len(failed) > _AGAIN or self.watch.is_late or self.watch.was_stopped(failed):
            return
        self.watch.forget(failed)
        again = [item for item in session.items if item.nodeid in failed]
        for item in again:
            # As every plug-in that runs a test again; a test of unittest has it as well.
            item._initrequest()
        _run(session, again)


class _Queue:
    """The numbers of the groups that nobody has taken. Read by both processes, filled by one."""

    def __init__(self) -> None:
        self._source, self._sink = os.pipe()
        self.is_closed = False

    def fill(self, numbers: Iterable[int]) -> None:
        """Hand over what is left."""
        os.write(self._sink, b"".join(number.to_bytes(_WIDTH, "big") for number in numbers))
        self.close()

    def close(self) -> None:
        """Fill it no more, from this process."""
        os.close(self._sink)
        self.is_closed = True

    def numbers(self) -> Iterator[int]:
        """What this process takes, until there is none; waits until it was filled."""
        while taken := os.read(self._source, _WIDTH):
            yield int.from_bytes(taken, "big")


def _taken(groups: Groups, queue: _Queue) -> Iterator[Any]:
    """The tests of the groups that this process takes: alone at first, then in turns with the other."""
    end = time.monotonic() + _ALONE
    for number, group in enumerate(groups):
        if time.monotonic() > end:
            queue.fill(range(number, len(groups)))
            break
        yield from group
    if not queue.is_closed:
        queue.close()
    for number in queue.numbers():
        yield from groups[number]


def _run(session: Any, items: Iterable[Any]) -> None:
    """As pytest's own loop does: each test is told the next one, for what both share."""
    for item, following in pairwise(chain(items, [None])):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)


def _groups(items: Iterable[Any]) -> Groups:
    """Tests that stay together: those of a class, and the functions of a file."""
    rows = [list(group) for _, group in groupby(items, lambda item: _group_of(item.nodeid))]
    return rows if len(rows) < _MOST else []


def _group_of(test: str) -> str:
    return test.partition("[")[0].rpartition("::")[0]


def _is_worth_it(groups: Groups) -> bool:
    return len(groups) > 1 and sum(map(len, groups)) > _FEW and len(os.sched_getaffinity(0)) > 1
