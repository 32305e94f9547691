"""Where is typed, and what counts as an answer."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import gateline
from gateline_dev.bench.probes import (
    PROBES,
    SYNTAX,
    SYNTAX_PROBE,
    TYPE,
    TYPE_PROBE,
    Site,
    lacks,
    shows,
    sites,
    spread,
)

SOURCES = sorted(Path(gateline.__file__).parent.glob("session/*.py"))


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: file.stem)
def test_a_statement_can_be_put_at_every_place(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").split("\n")
    for site in sites("\n".join(lines)):
        put = [*lines[: site.line], f"{site.indent}x_probe = 1", *lines[site.line :]]
        ast.parse("\n".join(put))


def test_there_is_one_place_in_each_function_before_what_ends_it() -> None:
    text = (
        "def a():\n    '''Only this.'''\n"
        "def b():\n    '''Doc.'''\n    return 1\n    never()\n"
        "def c():\n    one()\n    two()\n    three()\n"
        "def d(): return 1\n"
        "def e():\n    @dec\n    def inner():\n        pass\n"
        "x = 1\n"
    )
    assert [(site.line, len(site.indent)) for site in sites(text)] == [(4, 4), (8, 4), (14, 8)]


@pytest.mark.parametrize(
    ("count", "lines"), [(0, []), (2, [0, 5]), (3, [0, 3, 6]), (10, [*range(10)]), (99, [*range(10)])]
)
def test_places_are_spread_over_the_whole(count: int, lines: list[int]) -> None:
    assert [site.line for site in spread([Site(n, "") for n in range(10)], count)] == lines


def said(message: str, *, line: int = 3, code: str = "", severity: int | None = 1) -> dict[str, object]:
    return {
        "message": message,
        "code": code,
        "range": {"start": {"line": line}},
        **({} if severity is None else {"severity": severity}),
    }


@pytest.mark.parametrize(
    ("diagnostic", "kind", "answers"),
    [
        (said("'(' was never closed", code="GTL101"), SYNTAX, True),
        (said("Expected an expression"), SYNTAX, True),
        (said("Incompatible types in assignment", code="GTL110"), TYPE, True),
        (said("Object of type `str` is not assignable to `int`", severity=None), TYPE, True),
        (said("Incompatible types in assignment", line=4), TYPE, False),
        (said("Incompatible types in assignment", severity=3), TYPE, False),
        (said('"x_probe" is not accessed; type not assignable'), TYPE, False),
        (said("the gate: incompatible types", code="GTL900"), TYPE, False),
        (said("Incompatible types in assignment"), SYNTAX, False),
    ],
)
def test_only_the_right_error_on_the_right_line_answers(
    diagnostic: dict[str, object], kind: object, answers: bool
) -> None:
    others = [said("other", line=9)]
    assert shows(kind, 3)([*others, diagnostic]) is answers  # type: ignore[arg-type]
    assert lacks(kind, 3)([*others, diagnostic]) is not answers  # type: ignore[arg-type]
    assert lacks(kind, 3)([])  # type: ignore[arg-type]


def test_the_probes_are_what_they_say() -> None:
    for text in (SYNTAX_PROBE.line, SYNTAX_PROBE.typed):
        with pytest.raises(SyntaxError):
            ast.parse(text)
        ast.parse(text.removesuffix("+").rstrip().removesuffix("(="))
    for text in (TYPE_PROBE.line, TYPE_PROBE.typed):
        ast.parse(text)
    assert [len(probe.typed) for probe in PROBES] == [50, 50]
    assert isinstance(ast.literal_eval(TYPE_PROBE.typed.partition("= ")[2][:-1]), int), "until the last key"
    assert isinstance(ast.literal_eval(TYPE_PROBE.typed.partition("= ")[2]), complex)
