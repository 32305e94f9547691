"""What the book lets go of."""

from __future__ import annotations

from gateline.testing.book import Book
from gateline.testing.result import Ending, Item, Result
from gateline.testing.trace import Trace


def test_of_tests_that_are_gone_for_good_nothing_stays() -> None:
    book = Book()
    for test in ("a.py::one", "a.py::two", "b.py::three"):
        book.ran([Result(test, Ending.PASSED, 0.1)], [], {}, opening=(test, 0.5))
    book.collected([Item("b.py::three", "b.py", 0, "three")], Trace(""), {})
    assert list(book.results) == list(book.openings) == ["b.py::three"]
