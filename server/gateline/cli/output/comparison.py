"""A comparison for a terminal, as Markdown and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType

from gateline.cli.terminal import clipped, columns, harmless
from gateline.ranking.values import Ranking, Row
from gateline.session.compare.comparing import Comparison
from gateline.session.compare.presented import HEADINGS, cells, confidence, headline, markdown, remarks, seen

_ROOM = 28
"""Columns of a name."""


def text(found: Comparison) -> str:
    """For a person: the answer first, then the table and what it rests on."""
    ranking = found.ranking
    rows = [HEADINGS, *(_clipped(row) for row in ranking.rows)]
    widths = [max(columns(row[at]) for row in rows) for at in range(len(HEADINGS))]
    lines = [headline(ranking), f"  {ranking.why}", "", *(_line(row, widths) for row in rows), ""]
    for row in ranking.rows:
        lines += _told(row)
    said = (*_decided(ranking), *confidence(ranking), *remarks(found), *_test(found), *seen(found))
    lines += ["", *(f"  {line}" for line in said)]
    return "\n".join(harmless(line).rstrip() for line in lines).rstrip() + "\n"


def json(found: Comparison) -> str:
    """For programs; see `schemas/comparison.json`."""
    from gateline.protocol.comparison import ComparisonResult

    told = ComparisonResult.model_validate(found, from_attributes=True)
    return told.model_dump_json(by_alias=True, indent=2) + "\n"


FORMATS: Mapping[str, Callable[[Comparison], str]] = MappingProxyType(
    {"text": text, "markdown": markdown, "json": json}
)


def _clipped(row: Row) -> tuple[str, ...]:
    place, name, *rest = cells(row)
    return place, clipped(name, _ROOM), *rest


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    padded = (cell + " " * (width - columns(cell)) for cell, width in zip(cells, widths, strict=True))
    return "  " + "  ".join(padded).rstrip()


def _told(row: Row) -> Iterator[str]:
    if row.strengths or row.weaknesses:
        yield f"  {row.name}"
    yield from (f"    + {one}" for one in row.strengths)
    yield from (f"    - {one}" for one in row.weaknesses)


def _decided(ranking: Ranking) -> Iterator[str]:
    """Each with the next; the other pairs are in Markdown and JSON."""
    said = {(duel.first, duel.second): duel for duel in ranking.duels}
    for one, other in pairwise(row.name for row in ranking.rows):
        between = "before" if said[one, other].stage else "beside"
        yield f"{one} {between} {other}: {said[one, other].reason}"


def _test(found: Comparison) -> Iterator[str]:
    if found.difference is not None:
        yield from (f"  {line}" for line in found.difference.test.splitlines())
