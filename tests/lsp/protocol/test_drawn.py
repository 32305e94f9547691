"""What goes to the client is what the protocol's own converter would write."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from gateline.lsp.client import Client
from gateline.lsp.convert import Encoding
from gateline.lsp.diagnostics import Drawing
from gateline.lsp.drawn import Drawn, Sayings, published
from gateline.lsp.protocol import converter
from gateline.model import Dimension, Finding, Level, Novelty, Related, Span, Weight

CONVERTER = converter()
LINES = ("\U0001d4d0x = 'a'\n", "y\n", "")
CLIENT = Client(related=True, tags=frozenset(lsp.DiagnosticTag))

_number = st.integers(0, 9)
_span = st.builds(Span.of, _number, _number, _number, _number)
FINDINGS = st.builds(
    Finding,
    code=st.sampled_from(["GTL101", "GTL110", "GTL902"]),
    path=st.just("a.py"),
    span=_span,
    message=st.text(),
    dimension=st.sampled_from(Dimension),
    weight=st.sampled_from(Weight),
    origin=st.sampled_from(["", "mypy: deprecated", "bandit: B602"]),
    novelty=st.sampled_from(Novelty),
    identity=st.text("0123456789abcdef", max_size=12),
    provisional=st.booleans(),
    related=st.lists(st.builds(Related, st.just("a.py"), _span, st.text()), max_size=2).map(tuple),
)


def drawing(said: Sayings) -> Drawing:
    return Drawing(CLIENT, said, Encoding.UTF16, lambda _: LINES, lambda path: f"file:///p/{path}")


@given(st.lists(FINDINGS, max_size=4), st.sampled_from(Level), st.none() | _number, st.text())
def test_what_is_written_is_what_the_protocol_writes(
    findings: list[Finding], level: Level, version: int | None, uri: str
) -> None:
    drawn = drawing(Sayings(CONVERTER.unstructure)).all(findings, level)
    params = lsp.PublishDiagnosticsParams(uri, [one.diagnostic for one in drawn], version)
    assert json.loads(published(uri, version, drawn)) == CONVERTER.unstructure(params)


@given(st.lists(FINDINGS, min_size=1, max_size=4), _span)
def test_a_finding_that_moved_says_the_same_elsewhere(findings: list[Finding], span: Span) -> None:
    said = Sayings(CONVERTER.unstructure)
    before = drawing(said).all(findings, Level.EARLY)
    after = drawing(said).all([replace(one, span=span) for one in findings], Level.EARLY)
    assert [one.saying for one in before] == [one.saying for one in after]
    assert len({one[1:] for one in after}) == 1


def test_what_was_said_is_not_written_again() -> None:
    written = []

    def unstructure(one: lsp.Diagnostic) -> dict[str, object]:
        written.append(one)
        return CONVERTER.unstructure(one)

    finding = Finding("GTL101", "a.py", Span.of(0, 0, 0, 1), "m", Dimension.ERRORS, Weight.COUNTS)
    draw = drawing(Sayings(unstructure))
    for line in range(3):
        drawn: list[Drawn] = draw.all([replace(finding, span=Span.of(line, 0, line, 1))], Level.EARLY)
        assert drawn[0].diagnostic.range.start.line == line
    assert len(written) == 1
