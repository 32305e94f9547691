"""A shop with tests, and what its real runner and book say of changes to it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from gateline.model import Change, Dimension, Document, FileChange, Report
from gateline.services.tests.book import TestBook
from gateline.services.tests.options import TestOptions
from gateline.services.tests.runner import TestRunner
from gateline.session.tests.base_results import BaseTests
from gateline.session.tests.selecting import Selecting
from gateline.session.tests.testing import Tested, Tests, Wanted, Which

BASE = {
    "cart.py": """\
def total(prices):
    return sum(prices)


def fee(weight):
    return weight * 2


def unused():
    return 1


def rate():
    return 4


RATE = rate()
""",
    "test_cart.py": """\
import cart


def test_total():
    assert cart.total([1, 2]) == 3


def test_empty():
    assert cart.total([]) == 0


def test_fee():
    assert cart.fee(1) == 2


def test_wrong_before():
    assert cart.fee(2) == 5
""",
}
AFFECTED = Wanted(Which.AFFECTED)


class Shop:
    """A project at its base, and what is said of changes to it."""

    def __init__(
        self, root: Path, affordable: float = 100.0, files: Mapping[str, str] = MappingProxyType(BASE)
    ) -> None:
        self.root, self.affordable, self.files = root / "shop", affordable, files
        self.root.mkdir()
        for path, text in files.items():
            (self.root / path).write_text(text)
        self.book = root / "book"
        self.tests = self.opened()

    def opened(self) -> Tests:
        quiet = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        options = TestOptions(self.root, sys.executable, environment=quiet)
        book = TestBook(self.root, self.book)
        selecting = Selecting(book, lambda: sorted(self.files), self.affordable)
        runner = TestRunner(options)
        self.base = TestRunner(options)
        return Tests(runner, "", lambda: True, selecting, BaseTests(self.base, runner))

    async def said(self, texts: Mapping[str, str | None], wanted: Wanted = AFFECTED) -> Tested:
        return await self.tests.of_change(change(texts, self.files), {}, wanted)

    async def coverage(self, texts: Mapping[str, str | None]) -> Report:
        reports, _ = await self.tests.coverage(change(texts, self.files), {})
        return reports["cart.py"]


def change(texts: Mapping[str, str | None], files: Mapping[str, str] = MappingProxyType(BASE)) -> Change:
    """A change of these files to these texts."""
    rows = tuple(_row(path, files.get(path), texts[path]) for path in sorted(texts))
    return Change("0" * 40, "HEAD", rows)


def _row(path: str, before: str | None, text: str | None) -> FileChange:
    base = Document(path, before) if before is not None else None
    return FileChange.between(base, None if text is None else Document(path, text))


def edited(path: str, old: str, new: str) -> dict[str, str | None]:
    assert BASE[path].count(old) == 1
    return {path: BASE[path].replace(old, new)}


def ran(tested: Tested) -> set[str]:
    return {result.id.partition("::")[2] for result in tested.run}


def failing(tested: Tested) -> dict[str, str]:
    """The failing tests with their weights."""
    reports = (report for each in tested.current.values() for report in each)
    found = (finding for report in reports for finding in report.findings)
    return {
        f.line_text.partition("::")[2]: f.weight.value for f in found if f.code == "GTL201" and f.line_text
    }


def coverage(tested: Tested) -> Report:
    (found,) = (r for r in tested.current["cart.py"] if r.dimension is Dimension.COVERAGE)
    return found


def numbers(report: Report) -> dict[str, float]:
    return {measure.name: measure.value for measure in report.measures if not measure.subject}
