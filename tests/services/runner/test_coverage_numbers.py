"""Lines and branches are counted as coverage.py counts them: in whole files and in each function."""

from __future__ import annotations

from typing import Any

import pytest
from runner_project import MakeRunner
from test_traces import measured as reported

from gateline.model import Document
from gateline.model.source import Source
from gateline.testing.base_coverage import Counted, measured
from gateline.testing.outline import Outline
from gateline.testing.region import Region, regions_of

pytestmark = pytest.mark.timeout(90)

SHAPES = '''\
import asyncio
import contextlib
import functools


def untested(x):
    if x:
        return 1
    for y in x:
        while y:
            y -= 1
    return 2


def chosen(x):
    if x > 2:
        return "many"
    elif x == 2:
        return "two"
    else:
        return "few"


def looped(xs):
    for x in xs:
        if x == 1:
            continue
        if x == 2:
            break
    else:
        return None
    while True:
        if xs:
            return xs


def tried(x):
    try:
        x = int(x)
    except ValueError:
        return None
    except (TypeError, KeyError) as error:
        raise ValueError from error
    else:
        x += 1
    finally:
        x = 3
    return x


def last_word(x):
    try:
        if x:
            return 1
        raise KeyError
    finally:
        return 2


def matched(x):
    match x:
        case 1 | 2:
            return "few"
        case [a, b] if a:
            return "pair"
        case _:
            return "other"


def opened(x):
    with contextlib.suppress(KeyError), contextlib.nullcontext():
        with contextlib.suppress(ValueError):
            if x:
                raise ValueError
        if x > 1:
            return 1
    return 2


def together(xs):
    found = [x if x else 1 for x in xs if x or 1]
    total = sum(
        x
        for x in found
        if x
    )
    key = lambda x: x if x else 2
    return total and key(0) or {x: 1 for x in xs}


def outer(x):
    @functools.wraps(outer)
    def inner(y):
        if y:
            return x
        return y

    class Local:
        if x:
            a = 1
        else:
            a = 2

    return inner(x) if x else Local


async def later(x):
    async with contextlib.AsyncExitStack() as stack:
        if x:
            return stack
    async for y in ticks():
        if y:
            break
    return x


async def ticks():
    yield 0
    await asyncio.sleep(0)
    yield 1


def marked(x):
    if x:  # pragma: no branch
        x += 1
    if x > 100:  # pragma: no cover
        return 0
    return x


def also_marked(x):
    if x:  # pragma: no branch
        return 1
    return 2


class Cart:
    """Rows."""

    @property
    def total(self):
        return 1 if self else 2

    @functools.lru_cache(maxsize=None)
    def asked(self, x):
        assert x, "x"
        del x
        yield from ()
'''
TESTS = """\
import asyncio

import shapes


def test_some():
    shapes.chosen(3), shapes.chosen(2)
    shapes.looped([1, 2]), shapes.tried("1"), shapes.last_word(1)
    shapes.matched(1), shapes.matched(9), shapes.opened(1), shapes.opened(0)
    shapes.together([0, 1]), shapes.outer(1), asyncio.run(shapes.later(0)), shapes.marked(1)
    shapes.Cart().total
"""


def numbers(found: dict[str, Any], region: Region | None) -> Counted:
    """What coverage reports, of one function or of the whole file."""

    def within(lines: list[int]) -> int:
        return sum(region is None or line - 1 in region for line in lines)

    branches = [[pair[0] for pair in found[f"{kind}_branches"]] for kind in ("executed", "missing")]
    covered = within(found["executed_lines"]) + within(branches[0])
    return Counted(covered, covered + within(found["missing_lines"]) + within(branches[1]))


async def test_of_many_shapes_the_numbers_are_those_of_coverage(make: MakeRunner) -> None:
    project = make({"shapes.py": SHAPES, "test_shapes.py": TESTS})
    run = await project.answer(arcs=["shapes.py"])
    assert project.runner.collection is not None and [r.ending.value for r in run.results] == ["passed"]
    outline = (await project.runner.outlines({"shapes.py": SHAPES}))["shapes.py"]
    assert isinstance(outline, Outline)
    source = Source(Document("shapes.py", SHAPES))
    regions = regions_of(source)
    traces = [*run.traces, project.runner.collection.imported]
    found = measured(
        traces, {"shapes.py": outline}, {"shapes.py": source.document.digest}, {"shapes.py": regions}
    ).files["shapes.py"]
    expected: Any = reported(project)["shapes.py"]
    summary = expected["summary"]
    assert found.counted == Counted(
        summary["covered_lines"] + summary["covered_branches"],
        summary["num_statements"] + summary["num_branches"],
    )
    # Branches of lines marked with `no branch` are in coverage's sums, and in none of its lists.
    by_name = {row.symbol: row.counted for row in found.functions if "marked" not in row.symbol}
    assert by_name == {r.symbol: numbers(expected, r) for r in regions if "marked" not in r.symbol}
    assert by_name["untested"] == Counted(0, 12)
