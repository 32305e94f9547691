"""`docs/faults.md` has every source and every fault, and no cell that is not so."""

from __future__ import annotations

import re
from pathlib import Path

from gateline_dev.faults.cells import matrix
from gateline_dev.faults.model import Fault, Source

PAGE = (Path(__file__).parents[2] / "docs/faults.md").read_text(encoding="utf-8")


def test_the_page_has_every_source_and_every_fault() -> None:
    for source in Source:
        _, _, section = PAGE.partition(f"\n## {source.capitalize()}\n")
        assert section, source
        rows = section.partition("\n## ")[0]
        for cell in (cell for cell in matrix() if cell.source is source):
            said = cell.plan.how if cell.plan else cell.why_not
            assert any(cell.fault in row and said in row for row in rows.splitlines()), cell.id


def test_a_cell_is_planned_or_says_why_not() -> None:
    cells = matrix()
    assert {(cell.source, cell.fault) for cell in cells} == {(s, f) for s in Source for f in Fault}
    assert all((cell.plan is None) == bool(cell.why_not) for cell in cells)


def test_every_cell_of_the_page_was_tried_and_is_as_it_should_be() -> None:
    table = PAGE.partition("\n## ")[0].partition("| --- |")[2]
    assert table
    assert "not tried" not in table
    assert not re.findall(r"(?m)^- `[a-z]+:[a-z]+`: .*", PAGE)
