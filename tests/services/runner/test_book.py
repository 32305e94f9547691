"""Selection and coverage against the truth: what a fresh run of everything says after any edits."""

from __future__ import annotations

import ast
import random
from collections.abc import Mapping
from textwrap import dedent

import pytest
from runner_project import MakeRunner, RunnerProject

from gateline.services.tests.contents import Contents
from gateline.services.tests.run import Collection
from gateline.services.tests.runner import TestRunner
from gateline.testing.book import Book
from gateline.testing.outline import Outline
from gateline.testing.selection import Chosen
from gateline.testing.staleness import Now
from gateline.testing.trace import lines_of

pytestmark = pytest.mark.timeout(300)

PROJECT = {
    "shop/__init__.py": "from shop.cart import Cart\n",
    "shop/rates.py": """\
        FULL = 20
        REDUCED = 5

        def rate(kind):
            if kind == "book":
                return REDUCED
            return FULL

        def table():
            return {"book": REDUCED, "toy": FULL}
        """,
    "shop/cart.py": """\
        from shop import rates
        from shop.text import show

        NAMES = sorted(rates.table())

        class Cart:
            def __init__(self):
                self.rows = []

            def add(self, kind, price):
                if price < 0:
                    raise ValueError("negative")
                self.rows.append((kind, price))

            def total(self):
                result = 0
                for kind, price in self.rows:
                    result += price + price * rates.rate(kind) // 100
                return result

            def __str__(self):
                return show(self.total())
        """,
    "shop/text.py": """\
        def show(n):
            if n > 1000:
                return "much"
            return str(n)

        def unused(n):
            return n
        """,
    "conftest.py": """\
        import pytest
        from shop import Cart

        @pytest.fixture(scope="module")
        def cart():
            made = Cart()
            made.add("book", 100)
            return made
        """,
    "test_cart.py": """\
        import pytest
        from shop.cart import NAMES, Cart

        def test_total(cart):
            assert cart.total() == 105

        def test_text(cart):
            assert str(cart) == "105"

        def test_negative():
            with pytest.raises(ValueError):
                Cart().add("toy", -1)

        def test_names():
            assert NAMES == ["book", "toy"]
        """,
    "test_text.py": """\
        from shop.text import show

        def test_small():
            assert show(3) == "3"

        def test_large():
            assert show(5000) == "much"
        """,
}


class Loop:
    """What a session does: select, run what was selected, note it."""

    def __init__(self, project: RunnerProject) -> None:
        self.runner: TestRunner = project.runner
        self.project = project
        self.book = Book()
        self.contents = Contents(project.root)
        self.files = [path for path in project.before if path.endswith(".py")]

    def now(self, overlay: Mapping[str, str]) -> Now:
        return self.contents.now({*self.files, *self.book.paths()}, overlay)

    @property
    def failing(self) -> set[str]:
        """The tests that are there and did not pass when they ran last."""
        results = self.book.results
        return {test for test in self.book.items if test in results and results[test].is_bad}

    async def run(self, ids: list[str] | None, overlay: Mapping[str, str]) -> None:
        """Run, and note what came of it."""
        run = await self.project.answer(*(ids or ()), overlay=overlay, arcs=self.files)
        if self.runner.collection is not None:
            self._collected(self.runner.collection)
            self.book.ran(run.results, run.traces, run.contents)
            self.book.see(self.now(overlay))

    async def chosen(self, overlay: Mapping[str, str]) -> tuple[Chosen, ...]:
        """The tests that the unsaved texts can affect, of those that there are now."""
        await self.runner.discover(overlay, arcs=self.files)
        if self.runner.collection is None:
            return ()
        self._collected(self.runner.collection)
        self.book.see(self.now(overlay))
        return self.book.select(self.now(overlay), overlay)

    async def selected(self, overlay: Mapping[str, str]) -> dict[str, set[str]]:
        """The chosen tests by name, with the reasons."""
        chosen = await self.chosen(overlay)
        return {one.test.split("::")[1]: {str(reason) for reason in one.reasons} for one in chosen}

    def _collected(self, collection: Collection) -> None:
        whole = not collection.errors
        self.book.collected(collection.items, collection.imported, collection.files, whole=whole)


@pytest.fixture
async def loop(make: MakeRunner) -> Loop:
    made = Loop(make(PROJECT))
    await made.run(None, {})
    return made


def edited(path: str, old: str, new: str) -> dict[str, str]:
    text = dedent(PROJECT[path])
    assert text.count(old) == 1
    return {path: text.replace(old, new)}


async def test_each_test_is_chosen_for_its_reasons(loop: Loop) -> None:
    assert await loop.selected({}) == {}
    assert await loop.selected(edited("shop/text.py", 'return "much"', 'return "a lot"')) == {
        name: {"executes show in shop/text.py"} for name in ("test_text", "test_small", "test_large")
    }
    assert await loop.selected(edited("shop/text.py", "return n\n", "return n + 1\n")) == {}
    assert (await loop.selected(edited("shop/cart.py", "self.rows.append", "self.rows.extend"))).keys() == {
        "test_total",
        "test_text",
        "test_negative",
    }, "the fixture that was set up once counts for both that use it"
    # Whoever imports the package imports the rates.
    assert len(await loop.selected(edited("shop/rates.py", "FULL = 20", "FULL = 19"))) == 6
    called = await loop.selected(edited("shop/rates.py", '"toy": FULL', '"toy": 1'))
    assert called["test_names"] == {"imports shop/rates.py, whose import-time code changed"}
    assert await loop.selected(edited("shop/text.py", "n > 1000:", "n > 1000:  # large")) == {}
    assert (await loop.selected(edited("test_text.py", "show(3)", "show(4)"))).keys() == {"test_small"}
    fixture = await loop.selected(edited("conftest.py", 'add("book", 100)', 'add("book", 10)'))
    assert fixture.keys() == {"test_total", "test_text"}


async def test_what_failed_is_chosen_until_it_passes(loop: Loop) -> None:
    overlay = edited("shop/text.py", "return str(n)", "return repr(n) + '!'")
    await loop.run(None, overlay)
    assert len(loop.failing) == 2
    assert await loop.selected(overlay) == {
        "test_text": {"failed when it ran last"},
        "test_small": {"failed when it ran last"},
    }
    assert "failed when it ran last" in (await loop.selected({}))["test_small"]
    await loop.run(None, {})
    assert loop.failing == set()
    assert await loop.selected({}) == {}


async def test_a_new_test_is_chosen_when_it_reaches_the_change(loop: Loop) -> None:
    text = dedent(PROJECT["test_text.py"]) + "\ndef test_new():\n    assert show(1) == '1'\n"
    overlay = {"test_text.py": text}
    chosen = await loop.selected(overlay)
    assert chosen["test_new"] == {"imports test_text.py, and was not measured yet"}


async def test_tests_that_could_not_be_collected_are_chosen_when_they_come_back(loop: Loop) -> None:
    """What affects them may have changed while nobody could tell."""
    broken = {"test_cart.py": dedent(PROJECT["test_cart.py"]) + "return None\n"}
    wrong = edited("shop/rates.py", "return REDUCED", "return FULL")
    assert await loop.selected(broken) == {}
    assert await loop.selected(broken | wrong) == {}
    back = await loop.selected(wrong)
    assert back.keys() == {"test_total", "test_text"}


def mutated(text: str, random: random.Random) -> str:
    """A text with one of the usual small edits; it always parses."""
    rows = text.splitlines(keepends=True)
    while True:
        place = random.randrange(len(rows))
        row = rows[place]
        indent = row[: len(row) - len(row.lstrip())]
        edits = {
            "insert": f"{indent}extra = 1\n{row}",
            "return": f"{indent}return None\n{row}" if indent else row,
            "number": row.replace("100", "10").replace("20", "2").replace("1000", "1"),
            "compare": row.replace("<", ">=").replace("==", "!="),
            "delete": f"{indent}pass\n" if row.strip() and not row.rstrip().endswith(":") else row,
            "blank": f"\n{row}",
            "comment": f"{indent}# note\n{row}",
            "raise": f"{indent}raise KeyError\n{row}" if indent else row,
        }
        new = "".join([*rows[:place], edits[random.choice(sorted(edits))], *rows[place + 1 :]])
        try:
            ast.parse(new)
        except SyntaxError:
            continue
        if new != text:
            return new


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (0, 2, 12))])
async def test_after_any_edits_nothing_is_missed_and_nothing_shown_that_is_not(
    make: MakeRunner, seed: int
) -> None:
    """Selected tests run, the others are believed; a fresh collection and run of everything is the truth."""
    dice = random.Random(seed)
    loop, truth = Loop(make(PROJECT)), make(PROJECT, cold="to be sure")
    await loop.run(None, {})
    overlay: dict[str, str] = {}
    for step in range(8):
        path = dice.choice([p for p in sorted(PROJECT) if p != "shop/__init__.py"])
        overlay[path] = mutated(overlay.get(path, dedent(PROJECT[path])), dice)
        if step % 3 == 2:
            overlay.pop(dice.choice(sorted(overlay)))
        await shown_is_true(loop, truth, overlay)
        chosen = [one.test for one in await loop.chosen(overlay)]
        if chosen:
            await loop.run(chosen, overlay)
        fresh = await truth.answer(overlay=overlay)
        collected = loop.runner.collection
        if collected is None:
            assert fresh.errors
            continue
        assert loop.failing == {result.id for result in fresh.results if result.is_bad}, (step, overlay)
        await shown_is_true(loop, truth, overlay)


async def shown_is_true(loop: Loop, truth: RunnerProject, overlay: Mapping[str, str]) -> None:
    """No line is shown covered that a fresh run of everything does not cover."""
    now = loop.contents.now({*loop.files, *loop.book.paths()}, overlay)
    outlines = await loop.runner.outlines(now.texts)
    asked = {
        path: (outline, frozenset(range(now.texts[path].count("\n") + 1)))
        for path, outline in outlines.items()
        if isinstance(outline, Outline)
    }
    shown = loop.book.covered(now, overlay, asked)
    fresh = await truth.answer(overlay=overlay, arcs=loop.files)
    collection = truth.runner.collection
    if collection is None:
        return
    for path, covered in shown.items():
        outline, _ = asked[path]
        traces = [t.files[path] for t in (*fresh.traces, collection.imported) if path in t.files]
        lines = outline.executed(line for t in traces for line in lines_of(t.lines))
        assert covered.executed <= lines, path
        taken = outline.taken(arc for t in traces for arc in t.arcs or ())
        assert {way.arc for way in covered.taken} <= taken, path
        if not covered.stale:
            assert covered.missed.isdisjoint(lines), path
