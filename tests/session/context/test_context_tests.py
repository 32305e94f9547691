"""Tests that execute a symbol are found by what was measured, also where no word of it stands in them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from gateline.model import digest_of
from gateline.services.tests.book_file import save
from gateline.session.context.setup import retrieval_of
from gateline.session.context.tests import Executing
from gateline.session.tests.setup import book_file_of
from gateline.session.workspace.workspace import open_workspace
from gateline.testing.book import Book
from gateline.testing.trace import Executed, Trace, bits_of

CODE = """def price(net):
    full = net * 2
    return full


class Cart:
    def total(self):
        return price(1)
"""
TESTS = """class TestShop:
    def test_everything(self):
        go("shop")


def test_alone():
    go("alone")
"""
NEAR, FAR = "test_shop.py::test_alone[1]", "test_shop.py::TestShop::test_everything"


def book(file: Path, executed: Mapping[str, list[int]], text: str = CODE) -> None:
    """A book in which each of these tests executed those lines of shop.py."""
    made = Book()
    digests = {"shop.py": digest_of(text)}
    traces = [Trace(t, {"shop.py": Executed(digest_of(text), bits_of(ls))}) for t, ls in executed.items()]
    made.known.take(traces, digests)
    made.known.keep({"shop.py": text}, digests)
    save(made, file)


def executing(file: Path) -> Executing:
    return Executing(file)


def test_the_less_else_a_test_executes_the_nearer_it_is(tmp_path: Path) -> None:
    book(tmp_path / "book", {NEAR: [1], FAR: [1, 2, 7]})
    found = executing(tmp_path / "book").of("shop.py", "price")
    assert list(found) == [("test_shop.py", "test_alone"), ("test_shop.py", "TestShop.test_everything")]
    assert found["test_shop.py", "test_alone"] == 1 > found["test_shop.py", "TestShop.test_everything"] > 0
    assert list(executing(tmp_path / "book").of("shop.py", "Cart.total")) == [
        ("test_shop.py", "TestShop.test_everything")
    ]


def test_a_definition_that_moved_since_is_still_known(tmp_path: Path) -> None:
    book(tmp_path / "book", {NEAR: [3]}, f"import os\n\n{CODE}")
    assert list(executing(tmp_path / "book").of("shop.py", "price")) == [("test_shop.py", "test_alone")]


def test_the_first_line_is_executed_by_every_import(tmp_path: Path) -> None:
    book(tmp_path / "book", {NEAR: [0]})
    assert executing(tmp_path / "book").of("shop.py", "price") == {}


def test_a_book_that_was_written_meanwhile_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "book"
    asked = executing(file)
    assert asked.of("shop.py", "price") == {}
    book(file, {NEAR: [1]})
    os.utime(file, ns=(1, 1))
    assert len(asked.of("shop.py", "price")) == 1
    book(file, {NEAR: [1], FAR: [1]})
    assert len(asked.of("shop.py", "price")) == 2


def test_a_damaged_book_costs_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "book").write_bytes(b"no book")
    assert executing(tmp_path / "book").of("shop.py", "price") == {}


def test_what_belongs_to_a_line_has_the_tests_that_execute_it(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (root / "shop.py").write_text(CODE)
    (root / "test_shop.py").write_text(TESTS)
    book(book_file_of(open_workspace(root, {})), {FAR: [1]})
    retrieval = retrieval_of(root, {}, tmp_path / "cache")
    retrieval.refresh()
    answer = retrieval.for_position("shop.py", 1, 2_000)
    reasons = {passage.name: passage.why for passage in answer.passages}
    assert "executes price" in reasons["TestShop.test_everything"]
    assert "executes price" not in reasons.get("test_alone", ())
