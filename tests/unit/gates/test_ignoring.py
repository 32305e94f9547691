"""Where a comment that ignores a finding is written, and that it works once it has a reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gateline.gates.ignoring import comment_edit
from gateline.gates.suppress import INVALID, apply, may_be_ignored
from gateline.model import Dimension, Document, Finding, Span, Weight
from gateline.model.source import Source


def found(first: int, last: int = -1, **changes: object) -> Finding:
    span = Span.of(first, 0, last if last >= 0 else first, 3)
    made = Finding("GTL401", "a.py", span, "m", Dimension.COMPLEXITY, Weight.COUNTS)
    return replace(made, **changes)  # type: ignore[arg-type]


def written(text: str, finding: Finding) -> str | None:
    document = Document("a.py", text, 1)
    edit = comment_edit(Source(document), finding)
    return None if edit is None else document.apply(*edit, 2).text


@pytest.mark.parametrize(
    ("text", "finding", "then"),
    [
        ("x = 1\n", found(0), "x = 1  # gateline: ignore[GTL401] <reason>\n"),
        ("x = 1  \r\ny = 2\r\n", found(0), "x = 1  # gateline: ignore[GTL401] <reason>\r\ny = 2\r\n"),
        ("x = 1", found(0), "x = 1  # gateline: ignore[GTL401] <reason>"),
        ("x = 1  # why\n", found(0), "x = 1  # why  # gateline: ignore[GTL401] <reason>\n"),
        (
            "x = 1  # gateline: ignore[GTL301] old\n",
            found(0),
            "x = 1  # gateline: ignore[GTL301, GTL401] old\n",
        ),
        ('x = """\na\n"""\n', found(0, 2), 'x = """\na\n"""  # gateline: ignore[GTL401] <reason>\n'),
        ("x = f(\n    1,\n)\n", found(0, 2), "x = f(  # gateline: ignore[GTL401] <reason>\n    1,\n)\n"),
        ("x = 1 + \\\n    2\n", found(0, 1), "x = 1 + \\\n    2  # gateline: ignore[GTL401] <reason>\n"),
        ('x = """\na\n"""\n', found(1), None),
        ("x = 1 + \\\n    2\n", found(0), None),
        ("x = 1\n", found(7), None),
    ],
)
def test_a_comment_is_written_where_one_fits(text: str, finding: Finding, then: str | None) -> None:
    assert written(text, finding) == then


def test_it_works_only_when_the_reason_is_filled_in() -> None:
    text = written("x = 1\n", found(0))
    assert text is not None
    left_open = apply(Source(Document("a.py", text)), [found(0)])
    assert [f.code for f in left_open.kept] == ["GTL401"]
    assert [f.code for f in left_open.complaints] == [INVALID]
    given = apply(Source(Document("a.py", text.replace("<reason>", "a table of cases"))), [found(0)])
    assert (given.kept, given.complaints) == ((), ())


@pytest.mark.parametrize(
    ("changes", "may"),
    [
        ({}, True),
        ({"weight": Weight.ADVICE}, True),
        ({"weight": Weight.FLOOR}, False),
        ({"dimension": Dimension.INTEGRITY, "code": "GTL605"}, False),
        ({"dimension": Dimension.ERRORS, "code": "GTL101"}, False),
        ({"dimension": Dimension.ERRORS, "code": "GTL201"}, False),
        ({"dimension": Dimension.GATELINE, "code": "GTL902"}, False),
        ({"path": ".env"}, False),
    ],
)
def test_only_what_a_comment_silences_may_be_ignored(changes: dict[str, object], may: bool) -> None:
    assert may_be_ignored(found(0, **changes)) is may
