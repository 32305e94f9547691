"""Both sides of a change, as the rules of integrity look at them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from gateline.analysis.modules import Module, of_document
from gateline.analysis.trees import constants
from gateline.integrity.file_roles import (
    is_configuration,
    is_document,
    is_expected,
    is_pipeline,
    is_product,
    is_sample_code,
    is_test,
    is_test_data,
)
from gateline.integrity.tests.collection import Test, tests_of
from gateline.integrity.tests.helpers import is_fixture
from gateline.integrity.tests.pairing import Pairs, paired
from gateline.model.change import Change, FileChange
from gateline.model.deriving import Deriving
from gateline.model.document import Document


@dataclass(frozen=True)
class Pair:
    """A Python file on both sides; None where there is none."""

    path: str
    """The path now; of a deleted file, that in the base."""
    base: Module | None
    now: Module | None

    @property
    def base_path(self) -> str:
        """The path in the base."""
        return self.base.source.path if self.base else self.path

    @property
    def parses(self) -> bool:
        """Whether each side that there is can be looked at."""
        return all(side is None or side.source.tree is not None for side in (self.base, self.now))


@dataclass(frozen=True)
class Both(Deriving):
    """A change, and the unchanged tests of what it touches."""

    change: Change
    around: Mapping[str, Document] = field(default_factory=dict)
    make: Callable[[Document], Module] = of_document
    repaired: Callable[[str], str | None] = lambda text: None
    """The likeliest text that parses near one that does not."""

    @cached_property
    def files(self) -> tuple[Pair, ...]:
        """All changed Python files that parse on both sides."""
        rows = [self._pair(row) for row in self.change.files if not row.skipped]
        return tuple(pair for pair in rows if pair.parses and not _is_read(pair))

    def _pair(self, row: FileChange) -> Pair:
        sides = (row.base, row.current)
        base, now = (self.make(d) if d is not None else None for d in sides)
        return Pair(row.path, self._parsing(base, now), now)

    def _parsing(self, base: Module | None, now: Module | None) -> Module | None:
        """The base; of a product file whose syntax a change repairs, with its likeliest repair.

        What a test checked in a line that does not parse nobody knows: there the base stays unknown.
        """
        if base is None or now is None or base.source.tree is not None or now.source.tree is None:
            return base
        if not (is_product(base.source.path) and is_product(now.source.path)):
            return base
        text = self.repaired(base.source.text)
        return base if text is None else self.make(Document(base.source.path, text))

    @cached_property
    def tests(self) -> tuple[Pair, ...]:
        """The changed files that belong to tests on one side at least."""
        return tuple(p for p in self.files if is_test(p.path) or is_test(p.base_path))

    @cached_property
    def product(self) -> tuple[Pair, ...]:
        """The changed files that tests are about."""
        return tuple(p for p in self.files if is_product(p.path) or is_product(p.base_path))

    @cached_property
    def pairs(self) -> Pairs:
        """The tests of both sides, paired."""
        base = [test for pair in self.tests if pair.base for test in tests_of(pair.base)]
        now = [test for pair in self.tests if pair.now for test in tests_of(pair.now)]
        renames = {pair.path: pair.base_path for pair in self.files}
        return paired(base, now, renames)

    @cached_property
    def unchanged_tests(self) -> tuple[Test, ...]:
        """The tests around the change that it leaves alone."""
        modules = (self.make(document) for path, document in self.around.items() if is_test(path))
        return tuple(test for module in modules for test in tests_of(module))

    def module(self, name: str) -> Module | None:
        """The module of that dotted name as it is now; None of one that is neither changed nor around."""
        ends = tuple(f"/{name.replace('.', '/')}{ending}" for ending in (".py", "/__init__.py"))
        changed = (pair.now for pair in self.files if f"/{pair.path}".endswith(ends))
        same = (self.make(text) for path, text in self.around.items() if f"/{path}".endswith(ends))
        return next((found for found in (*changed, *same) if found is not None), None)

    @cached_property
    def handed_out(self) -> Mapping[str, frozenset[str]]:
        """By name of a fixture that files share: the literal values in it."""
        around = [self.make(text) for path, text in self.around.items() if path.endswith("conftest.py")]
        changed = [pair.now for pair in self.tests if pair.now and pair.path.endswith("conftest.py")]
        return {name: values for module in (*around, *changed) for name, values in module.listed(_handed)}

    @cached_property
    def tests_now(self) -> tuple[Test, ...]:
        """Every test that there is now, as far as the change knows it."""
        return *self.unchanged_tests, *(new for _, new in self.pairs.both), *self.pairs.come

    @cached_property
    def tests_kept(self) -> tuple[Test, ...]:
        """Those of them that there were before, as they are now."""
        return *self.unchanged_tests, *(new for _, new in self.pairs.both)

    @cached_property
    def others(self) -> tuple[FileChange, ...]:
        """The changed files that are not Python and can be read on both sides."""
        return tuple(row for row in self.change.others if not (row.skipped or row.base_skipped))

    @cached_property
    def documents(self) -> tuple[FileChange, ...]:
        """The changed pages."""
        return tuple(row for row in self.others if is_document(row.path))

    @cached_property
    def data(self) -> tuple[FileChange, ...]:
        """The changed files that tests read rows from."""
        return tuple(row for row in self.others if _is(is_test_data, row))

    @cached_property
    def expected(self) -> tuple[FileChange, ...]:
        """The changed files that hold what tests expect of an output."""
        return tuple(row for row in self.others if _is(is_expected, row))

    @cached_property
    def configuration(self) -> tuple[FileChange, ...]:
        """The changed files of configuration."""
        return tuple(row for row in self.others if _is(is_configuration, row))

    @cached_property
    def pipelines(self) -> tuple[FileChange, ...]:
        """The changed files that call the checks."""
        return tuple(row for row in self.others if _is(is_pipeline, row))


def _is_read(pair: Pair) -> bool:
    """Whether a file is on both sides nothing but what tests read."""
    return is_sample_code(pair.path) and is_sample_code(pair.base_path)


def on_both_sides(pairs: Iterable[Pair]) -> Iterator[tuple[Module, Module]]:
    """Those files that there were and are: the base and now."""
    return ((pair.base, pair.now) for pair in pairs if pair.base is not None and pair.now is not None)


def _is(kind: Callable[[str], bool], row: FileChange) -> bool:
    return kind(row.path) or (row.base is not None and kind(row.base.path))


def _handed(module: Module) -> Iterator[tuple[str, frozenset[str]]]:
    return ((name, constants(node)) for name, node in module.functions.items() if is_fixture(node))
