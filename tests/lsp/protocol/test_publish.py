"""What is sent, and what is not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from gateline.lsp.client import Client, read_client
from gateline.lsp.convert import Encoding
from gateline.lsp.diagnostics import Drawing
from gateline.lsp.drawn import Drawn, Sayings
from gateline.lsp.options import _KEYS, ClientOptions, read_options
from gateline.lsp.protocol import converter
from gateline.lsp.publish import Publisher
from gateline.model import Dimension, Finding, Level, Novelty, Related, Severity, Span, Weight
from gateline.protocol.types import ClientSettings

URI = "file:///p/a.py"


UNSTRUCTURE = converter().unstructure


def marks(*names: str) -> list[Drawn]:
    said = Sayings(UNSTRUCTURE)
    return [Drawn(said.of(finding(message=name), Severity.HINT), 0, 0, 0, 0) for name in names]


class Wire:
    """Everything a publisher said."""

    def __init__(self, *, pull: bool = False) -> None:
        self.sent: list[tuple[int | None, list[str]]] = []
        self.refreshes = 0
        self.publisher = Publisher(self._refresh, pulls=pull)

    def _refresh(self) -> None:
        self.refreshes += 1

    def show(self, current: int | None, version: int | None, *names: str) -> None:
        pushed = self.publisher.show(URI, current, version, lambda: marks(*names))
        if pushed is not None:
            self.sent.append((version, [one.diagnostic.message for one in pushed]))

    def clear(self) -> None:
        if self.publisher.clear(URI):
            self.sent.append((None, []))


def test_a_stale_version_is_dropped_without_being_drawn() -> None:
    wire = Wire()
    wire.publisher.show(URI, 3, 2, lambda: pytest.fail("drawn"))
    wire.publisher.show(URI, None, 2, lambda: pytest.fail("drawn"))
    assert wire.sent == [] and wire.publisher.shown == {}


def test_the_same_list_for_the_same_version_is_sent_once() -> None:
    wire = Wire()
    for _ in range(3):
        wire.show(1, 1, "a")
    assert wire.sent == [(1, ["a"])]


def test_a_new_version_repeats_its_findings_once_and_its_emptiness_never() -> None:
    wire = Wire()
    wire.show(1, 1)
    wire.show(2, 2, "a")
    wire.show(3, 3, "a")
    wire.show(3, 3, "a")
    wire.show(4, 4)
    wire.show(5, 5)
    assert wire.sent == [(2, ["a"]), (3, ["a"]), (4, [])]


def test_clearing_says_so_only_where_something_was_shown() -> None:
    wire = Wire()
    wire.clear()
    wire.show(1, 1, "a")
    wire.clear()
    wire.clear()
    assert wire.sent == [(1, ["a"]), (None, [])]


def test_a_puller_is_asked_again_only_when_it_has_something_old() -> None:
    wire = Wire(pull=True)
    wire.show(1, 1, "a")
    assert wire.refreshes == 0
    shown = wire.publisher.pull(URI, 1, marks("a"), None)
    assert shown is not None and wire.publisher.pull(URI, 1, marks("a"), shown.result) is None
    wire.show(1, 1, "a")
    assert wire.refreshes == 0
    wire.show(1, 1, "a", "b")
    assert wire.refreshes == 1


@given(st.lists(st.tuples(st.integers(0, 2), st.lists(st.sampled_from("ab"), max_size=2))))
def test_the_client_always_has_the_newest_list(steps: list[tuple[int, list[str]]]) -> None:
    wire, version = Wire(), 0
    for later, names in steps:
        version += later
        wire.show(version, version, *names)
        assert (wire.sent[-1][1] if wire.sent else []) == names


def finding(**changes: object) -> Finding:
    given: dict[str, object] = {
        "code": "GTL410",
        "path": "a.py",
        "span": Span.of(0, 1, 0, 2),
        "message": "m",
        "dimension": Dimension.DUPLICATION,
        "weight": Weight.COUNTS,
    }
    return Finding(**{**given, **changes})  # type: ignore[arg-type]


PLAIN = Client()


def draw(
    findings: Sequence[Finding], client: Client = PLAIN, level: Level = Level.EARLY
) -> list[lsp.Diagnostic]:
    texts = {"a.py": ("\U0001d4d0x\n",)}
    lines, said = (lambda path: texts.get(path, ())), Sayings(UNSTRUCTURE)
    drawing = Drawing(client, said, Encoding.UTF16, lines, lambda path: f"file:///p/{path}")
    return drawing.diagnostics(findings, level)


def test_columns_are_counted_in_the_document_they_are_in() -> None:
    related = (
        Related("a.py", Span.of(0, 1, 0, 2), "here"),
        Related("closed.py", Span.of(0, 1, 0, 2), "there"),
    )
    (one,) = draw([finding(related=related)], Client(related=True))
    assert one.range.start.character == 2
    here, there = one.related_information or ()
    assert (here.location.range.start.character, there.location.range.start.character) == (2, 1)
    assert there.location.uri == "file:///p/closed.py"


def test_findings_keep_their_order_and_carry_only_what_the_client_knows() -> None:
    drawn = draw(
        [
            finding(related=(Related("a.py", Span.of(0, 0, 0, 0), "m"),)),
            finding(span=Span.of(1, 0, 1, 1), code="GTL902"),
        ]
    )
    assert [d.range.start.line for d in drawn] == [0, 1]
    assert [(d.tags, d.related_information) for d in drawn] == [(None, None)] * 2
    (tagged,) = draw([finding(code="GTL902")], Client(tags=frozenset({lsp.DiagnosticTag.Unnecessary})))
    assert tagged.tags == [lsp.DiagnosticTag.Unnecessary]


@pytest.mark.parametrize(
    ("changes", "level", "severity"),
    [
        ({"novelty": Novelty.OLD}, Level.FINAL, lsp.DiagnosticSeverity.Hint),
        ({"weight": Weight.FLOOR}, Level.FINAL, lsp.DiagnosticSeverity.Error),
        ({"weight": Weight.FLOOR}, Level.EARLY, lsp.DiagnosticSeverity.Warning),
        ({"weight": Weight.ADVICE}, Level.FINAL, lsp.DiagnosticSeverity.Information),
    ],
)
def test_severity_is_the_gates(
    changes: dict[str, object], level: Level, severity: lsp.DiagnosticSeverity
) -> None:
    (one,) = draw([finding(**changes)], level=level)
    assert one.severity == severity


def test_pull_is_for_those_who_cannot_be_pushed_to_or_ask() -> None:
    def pulls(push: bool, pull: bool, wish: str | None) -> bool:
        document = lsp.TextDocumentClientCapabilities(
            publish_diagnostics=lsp.PublishDiagnosticsClientCapabilities() if push else None,
            diagnostic=lsp.DiagnosticClientCapabilities() if pull else None,
        )
        return read_client(
            lsp.ClientCapabilities(text_document=document), ClientOptions(diagnostics=wish)
        ).pull

    assert pulls(False, True, None) and pulls(True, True, "pull")
    assert not any(
        [
            pulls(True, True, None),
            pulls(True, False, "pull"),
            pulls(False, True, "push"),
            pulls(False, False, None),
        ]
    )


@pytest.mark.parametrize(
    ("raw", "options", "complaints"),
    [
        (None, ClientOptions(), 0),
        ({}, ClientOptions(), 0),
        ({"interpreter": None, "trusted": None}, ClientOptions(), 0),
        ({"gateline": {"trusted": True}}, ClientOptions(trusted=True), 0),
        ({"interpreter": ["/py", "-X"], "diagnostics": "pull"}, ClientOptions("/py", diagnostics="pull"), 0),
        ({"interpreter": []}, ClientOptions(), 0),
        ({"drawnElsewhere": ["errors"]}, ClientOptions(drawn_elsewhere=frozenset({"errors"})), 0),
        ({"interpreter": 3, "trusted": 1, "diagnostics": "both", "drawnElsewhere": "x"}, ClientOptions(), 4),
        ("everything", ClientOptions(), 1),
        ([1], ClientOptions(), 1),
        ({"unknown": 1}, ClientOptions(), 0),
    ],
)
def test_options_are_read_key_by_key(raw: object, options: ClientOptions, complaints: int) -> None:
    found, told = read_options(raw, ClientOptions())
    assert (found, len(told)) == (options, complaints)


def test_the_documented_settings_are_those_that_are_read() -> None:
    assert {field.alias for field in ClientSettings.model_fields.values()} == set(_KEYS)
    assert read_options(ClientSettings().model_dump(by_alias=True), ClientOptions()) == (ClientOptions(), ())
