"""What tests execute of the base: made from traces, kept as JSON, read again."""

from __future__ import annotations

from gateline.model import Document
from gateline.model.source import Source
from gateline.testing.base_coverage import BaseCoverage, Counted, measured
from gateline.testing.outline import Exit, Outline
from gateline.testing.region import regions_of
from gateline.testing.trace import Executed, Trace, bits_of

TEXT = """\
def fee(weight):
    if weight > 10:
        weight = 10
    return weight * 2


class Cart:
    @property
    def total(self):
        return 1
"""
SOURCE = Source(Document("shop.py", TEXT))
DIGEST = SOURCE.document.digest
OUTLINE = Outline(frozenset({0, 1, 2, 3, 6, 7, 9}), (Exit((1, 2), "never true"), Exit((1, 3), "always true")))


def of(*traces: Trace) -> BaseCoverage:
    return measured(traces, {"shop.py": OUTLINE}, {"shop.py": DIGEST}, {"shop.py": regions_of(SOURCE)})


def trace(lines: set[int], arcs: set[tuple[int, int]] | None, digest: str = DIGEST) -> Trace:
    executed = Executed(digest, bits_of(lines), None if arcs is None else frozenset(arcs))
    return Trace("t", {"shop.py": executed})


IMPORTED = Trace("", {"shop.py": Executed(DIGEST, bits_of({0, 6, 7}))})


def test_lines_and_branches_of_all_tests_are_counted_once() -> None:
    found = of(IMPORTED, trace({1, 3}, {(1, 3)}), trace({1, 3}, {(1, 3)}))
    assert found.total == Counted(6, 9)
    functions = {row.symbol: row.counted for row in found.files["shop.py"].functions}
    assert functions == {"fee": Counted(3, 5), "Cart.total": Counted(0, 1)}


def test_without_steps_branches_are_left_out() -> None:
    assert of(IMPORTED, trace({1, 3}, None)).total == Counted(5, 7)


def test_traces_of_another_content_count_for_nothing() -> None:
    assert of(trace({1, 3}, {(1, 3)}, "other")) == BaseCoverage()
    assert BaseCoverage().total.share is None


def test_json_and_back() -> None:
    found = of(IMPORTED, trace({1, 3}, {(1, 3)}))
    assert BaseCoverage.from_json(found.to_json()) == found
