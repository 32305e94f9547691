"""A diagnostic is written by hand, as the protocol's own converter writes it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp
from pygls.protocol import default_converter

from gateline.lsp.protocol import converter

_number = st.integers(0, 10_000)
_place = st.builds(lsp.Position, _number, _number)
_range = st.builds(lsp.Range, _place, _place)
_location = st.builds(lsp.Location, st.text(), _range)
DIAGNOSTICS = st.builds(
    lsp.Diagnostic,
    range=_range,
    message=st.text(),
    severity=st.none() | st.sampled_from(lsp.DiagnosticSeverity),
    code=st.none() | st.integers(0, 9) | st.text(),
    code_description=st.none() | st.builds(lsp.CodeDescription, st.text()),
    source=st.none() | st.text(),
    tags=st.none() | st.lists(st.sampled_from(lsp.DiagnosticTag)),
    related_information=st.none()
    | st.lists(st.builds(lsp.DiagnosticRelatedInformation, _location, st.text())),
    data=st.none() | st.dictionaries(st.text(), st.text() | st.booleans()),
)
OURS, THEIRS = converter(), default_converter()  # type: ignore[no-untyped-call]


@given(st.lists(DIAGNOSTICS, max_size=3))
def test_what_is_sent_is_what_the_protocol_says(diagnostics: list[lsp.Diagnostic]) -> None:
    sent = lsp.PublishDiagnosticsParams("file:///a.py", diagnostics, 1)
    assert OURS.unstructure(sent) == THEIRS.unstructure(sent)
