"""Analyzers look at any text without an exception, and what they say fits the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateline.gates.suppress import apply
from gateline.model import Analyzer, Document, Inspection, Report, Source, Span, State
from gateline.plugins import load
from support.python_texts import MODULES, QUICK, TEXTS

ANALYZERS = load().analyzers
NESTED = {
    "sum": "x = " + " + ".join(["1"] * 900),
    "long sum": "x = " + " + ".join(["1"] * 5_000),
    "attributes": "x" + ".a" * 2_000,
    "elif": "if x:\n    pass\n" + "elif x:\n    pass\n" * 2_500,
    "elif in a function": "def f():\n  if x:\n    pass\n" + "  elif x:\n    pass\n" * 900,
    "brackets": "(" * 150 + ")" * 150,
    "too many brackets": "(" * 1_000,
    "minus": "-" * 10_000 + "1",
    "blocks": "".join(f"{' ' * depth}def f():\n" for depth in range(99)) + " " * 99 + "pass\n",
    "lambdas": "lambda: " * 190 + "0",
}


def inspect(analyzer: Analyzer, text: str, changed: frozenset[int] | None = None) -> Report:
    source = Source(Document("shop/a.py", text))
    return analyzer.inspect(Inspection(source, changed, {"maintainability": True}))


def fits(span: Span, lines: tuple[str, ...]) -> bool:
    """Whether a span is within the visible parts of its lines, and not turned round."""
    widths = [len(line.rstrip("\r\n")) for line in lines] or [0]
    ends = (span.start, span.end)
    return span.start <= span.end and all(
        0 <= p.line < len(widths) and 0 <= p.column <= widths[p.line] for p in ends
    )


@pytest.mark.parametrize("analyzer", ANALYZERS, ids=lambda a: a.name)
@QUICK
@given(text=TEXTS | MODULES, changed=st.none() | st.frozensets(st.integers(0, 40), max_size=5))
def test_any_text_is_analysed(analyzer: Analyzer, text: str, changed: frozenset[int] | None) -> None:
    report = inspect(analyzer, text, changed)
    lines = Document("a.py", text).lines
    assert report.state in (State.MEASURED, State.NOTHING_TO_JUDGE, State.NO_DATA)
    assert bool(report.reason) is (report.state is State.NO_DATA)
    assert all(fits(finding.span, lines) for finding in report.findings)


@QUICK
@given(TEXTS | MODULES)
def test_suppressions_of_any_text_are_read(text: str) -> None:
    source = Source(Document("a.py", text))
    found = [f for analyzer in ANALYZERS for f in analyzer.inspect(Inspection(source)).findings]
    kept, suppressed, complaints = apply(source, found)
    assert sorted((*kept, *suppressed), key=lambda f: f.sort_key) == sorted(found, key=lambda f: f.sort_key)
    assert all(fits(complaint.span, source.lines) for complaint in complaints)


@pytest.mark.parametrize("text", NESTED.values(), ids=list(NESTED))
@pytest.mark.parametrize("analyzer", ANALYZERS, ids=lambda a: a.name)
def test_deep_nesting_is_measured_or_named(analyzer: Analyzer, text: str) -> None:
    report = inspect(analyzer, text)
    assert report.state is not State.NO_DATA or report.reason


@pytest.mark.parametrize("analyzer", ANALYZERS, ids=lambda a: a.name)
def test_the_same_text_gives_the_same_report(analyzer: Analyzer) -> None:
    text = "import pickle\npassword = 'v8Kq2LmZ-horse'\nx = pickle.loads(y)\ndef f(:\n" * 3
    assert inspect(analyzer, text) == inspect(analyzer, text)
