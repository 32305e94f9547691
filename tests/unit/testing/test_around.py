"""What is around tests and in none of their traces: files read at import, conftests that come and go."""

from __future__ import annotations

import pytest

from gateline.testing.book import Book
from gateline.testing.reason import Cause, Reason
from gateline.testing.result import Ending, Item, Result
from gateline.testing.staleness import Now
from gateline.testing.trace import Executed, Trace

TEXTS = {"cart.py": "def total(): pass\n", "tests/test_cart.py": "import cart\ndef test_total(): pass\n"}
DATA = {"rates.json": "1"}
SETTINGS = {"pytest.ini": "[pytest]\n"}
ITEM = Item("tests/test_cart.py::test_total", "tests/test_cart.py", 1, "test_total")
TRACE = Trace(ITEM.id, {"tests/test_cart.py": Executed("tests/test_cart.py", 2)})
CONFTEST = {"tests/conftest.py": "import pytest\n"}
ELSEWHERE = {"docs/conftest.py": "import pytest\n"}


def digests(*parts: dict[str, str]) -> dict[str, str]:
    """The digest of a Python file is its path here; of data its text."""
    return {path: text if path in DATA else path for part in parts for path, text in part.items()}


def book_of(*parts: dict[str, str]) -> Book:
    """A collection of these files, and a run of the only test."""
    book = Book()
    book.collected([ITEM], Trace(""), digests(*parts))
    book.ran([Result(ITEM.id, Ending.PASSED)], [TRACE], digests(*parts))
    book.see(now(*parts))
    return book


def now(*parts: dict[str, str]) -> Now:
    return Now(digests(*parts), {path: text for part in parts for path, text in part.items()})


def reasons(book: Book, *parts: dict[str, str]) -> tuple[Reason, ...]:
    """Why the test is to run, after another collection of these files."""
    book.collected([ITEM], Trace(""), digests(*parts))
    return tuple(reason for one in book.select(now(*parts), ()) for reason in one.reasons)


READ = Reason(Cause.READS, "rates.json")
SET = Reason(Cause.READS, "pytest.ini")
IMPORTED = Reason(Cause.IMPORTS, "tests/conftest.py")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param([TEXTS, DATA], [TEXTS, DATA], (), id="all is as it was"),
        pytest.param([TEXTS, DATA], [TEXTS, {"rates.json": "2"}], (READ,), id="data is other data"),
        pytest.param([TEXTS, DATA], [TEXTS], (READ,), id="data is gone"),
        pytest.param([TEXTS], [TEXTS, SETTINGS], (SET,), id="settings came"),
        pytest.param([TEXTS], [TEXTS, CONFTEST], (IMPORTED,), id="a conftest came"),
        pytest.param([TEXTS, CONFTEST], [TEXTS], (IMPORTED,), id="a conftest is gone"),
        pytest.param([TEXTS], [TEXTS, ELSEWHERE], (), id="a conftest of another folder came"),
        pytest.param([TEXTS], [TEXTS, {"more.py": "x = 1\n"}], (), id="a module came that nothing uses"),
    ],
)
def test_what_is_around_a_test(
    before: list[dict[str, str]], after: list[dict[str, str]], expected: tuple[Reason, ...]
) -> None:
    assert reasons(book_of(*before), *after) == expected
