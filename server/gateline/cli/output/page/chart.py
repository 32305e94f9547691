"""The trend of scores as an SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from gateline.model import Policy
from gateline.session.observability.history import Point

WIDTH, HEIGHT = 720, 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 10, 12, 26
ACCEPT = Policy().final_accept
"""From here on a score is accepted, by the default settings."""
_CLASSES = {"accept": "accept", "conditional-accept": "other", "require-iteration": "refuse"}


def trend(points: Sequence[Point]) -> str:
    """Scores in the order in which they were given; one has no line."""
    places = [(_x(n, len(points)), _y(point.score)) for n, point in enumerate(points)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dots = "".join(
        f'<circle class="{_CLASSES.get(one.outcome, "other")}" cx="{x:.1f}" cy="{y:.1f}" r="4">'
        f"<title>{one.at:%Y-%m-%d %H:%M}: {one.score:.1f}, {escape(one.outcome)}</title></circle>"
        for (x, y), one in zip(places, points, strict=True)
    )
    first, last = f"{points[0].at:%Y-%m-%d}", f"{points[-1].at:%Y-%m-%d}"
    ends = f'<text x="{_LEFT}" y="{HEIGHT - 6}">{first}</text>'
    if last != first:
        ends += f'<text x="{WIDTH - _RIGHT}" y="{HEIGHT - 6}" text-anchor="end">{last}</text>'
    label = f"{len(points)} scores, the newest {points[-1].score:.1f}"
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">'
        f'{_grid()}<polyline class="trend" points="{line}"/>{dots}{ends}</svg>'
    )


def _grid() -> str:
    rows = [(value, "axis") for value in (0, 50, 100)] + [(ACCEPT, "target")]
    return "".join(
        f'<line class="{kind}" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{_y(value):.1f}" y2="{_y(value):.1f}"/>'
        f'<text x="{_LEFT - 6}" y="{_y(value) + 4:.1f}" text-anchor="end">{value:g}</text>'
        for value, kind in rows
    )


def _x(number: int, count: int) -> float:
    room = WIDTH - _LEFT - _RIGHT - 12
    return _LEFT + 6 + (room / 2 if count == 1 else room * number / (count - 1))


def _y(score: float) -> float:
    return _TOP + (HEIGHT - _TOP - _BOTTOM) * (1 - score / 100)
