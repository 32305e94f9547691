"""Values over time as an SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape

from gateline.model import Policy
from gateline.session.observability.history import Point

WIDTH, HEIGHT = 720, 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 10, 12, 26
ACCEPT = Policy().final_accept
"""From here on a score is accepted, by the default settings."""
_CLASSES = {"accept": "accept", "conditional-accept": "other", "require-iteration": "refuse"}
_WHOLE = 100.0


@dataclass(frozen=True, slots=True)
class Dot:
    """A value at a moment, and what is told of it."""

    at: datetime
    value: float
    title: str
    kind: str = "other"
    """`accept`, `refuse` or `other`."""


def trend(points: Sequence[Point]) -> str:
    """Scores in the order in which they were given; one has no line."""
    dots = [
        Dot(one.at, one.score, f"{one.score:.1f}, {one.outcome}", _CLASSES.get(one.outcome, "other"))
        for one in points
    ]
    label = f"{len(points)} scores, the newest {points[-1].score:.1f}"
    return plot(dots, label, (0, 50, _WHOLE), ACCEPT)


def plot(dots: Sequence[Dot], label: str, rows: Sequence[float], target: float | None) -> str:
    """Values in the order in which they were given, over a grid; the last row is the top.

    `target`: a line of its own, as of an aim or a baseline.
    """
    top = rows[-1]
    places = [(_x(n, len(dots)), _y(dot.value, top)) for n, dot in enumerate(dots)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    drawn = "".join(
        f'<circle class="{dot.kind}" cx="{x:.1f}" cy="{y:.1f}" r="4">'
        f"<title>{dot.at:%Y-%m-%d %H:%M}: {escape(dot.title)}</title></circle>"
        for (x, y), dot in zip(places, dots, strict=True)
    )
    first, last = f"{dots[0].at:%Y-%m-%d}", f"{dots[-1].at:%Y-%m-%d}"
    ends = f'<text x="{_LEFT}" y="{HEIGHT - 6}">{first}</text>'
    if last != first:
        ends += f'<text x="{WIDTH - _RIGHT}" y="{HEIGHT - 6}" text-anchor="end">{last}</text>'
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}">'
        f'{_grid(rows, target)}<polyline class="trend" points="{line}"/>{drawn}{ends}</svg>'
    )


def _grid(rows: Sequence[float], target: float | None) -> str:
    lines = [(value, "axis") for value in rows] + ([(target, "target")] if target is not None else [])
    return "".join(
        f'<line class="{kind}" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:.4g}</text>'
        for value, kind in lines
        for y in (_y(value, rows[-1]),)
    )


def _x(number: int, count: int) -> float:
    room = WIDTH - _LEFT - _RIGHT - 12
    return _LEFT + 6 + (room / 2 if count == 1 else room * number / (count - 1))


def _y(value: float, top: float) -> float:
    return _TOP + (HEIGHT - _TOP - _BOTTOM) * (1 - value / top)
