"""The whole page, from what is recorded. All that comes from the workspace is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from html import escape
from string import Template

from gateline.cli.output.page.chart import ACCEPT, trend
from gateline.cli.output.page.style import CSS
from gateline.cli.output.page.tasks import plots
from gateline.evals.run import EXPECTED
from gateline.model.codes import CODES
from gateline.session.observability.history import NEWEST, History

_SHOWN = 12
"""Rows of a table."""
_NONE = "not measured"
_PAGE = Template("""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>gateline: $name</title>
<style>
$css</style>
</head>
<body>
<header><h1>$name</h1><p class="dim">gateline report of $at. $about</p></header>
<main>
$parts
</main>
</body>
</html>
""")
Cell = tuple[str, str]
"""A class, and what is shown; HTML."""


def page(name: str, found: History, at: datetime) -> str:
    """The page about a workspace of this name, written at a time."""
    about = "Nothing was judged here yet: run <code>gateline check</code>."
    if found.since is not None:
        few = f", of the newest {NEWEST} records" if found.cut else ""
        about = f"{found.decisions} decisions since {found.since:%Y-%m-%d}{few}."
    parts = (
        _figures(found),
        _trend(found),
        _broken(found),
        _steps(found),
        _repairs(found),
        _tasks(found),
        _evals(found),
    )
    return _PAGE.substitute(
        name=escape(name), css=CSS, at=f"{at:%Y-%m-%d %H:%M %Z}", about=about, parts="\n".join(parts)
    )


def _figures(found: History) -> str:
    score = f"{found.points[-1].score:.1f}" if found.points else ""
    saved = duration(found.saved.seconds) if found.saved.answers else ""
    success = f"{found.searched[0]} of {found.searched[1]}" if found.searched[1] else ""
    rows = (
        ("newest final score", score),
        ("contents refused by a gate", str(found.failed) if found.decisions else ""),
        ("time saved by the cache", saved),
        ("searches with a repair found", success),
    )
    cells = (
        f'<div class="figure"><b{_none(value)}>{value or _NONE}</b>{label}</div>' for label, value in rows
    )
    notes = ""
    if found.saved.untimed:
        untimed = f"{found.saved.untimed} more answers from the cache"
        notes = f'<p class="dim">{untimed}: {_NONE}, as the first run was not timed.</p>'
    if found.saved.older:
        older = f"{found.saved.older} more answers from the cache"
        notes += f'<p class="dim">{older}: first judged before the newest {NEWEST} records.</p>'
    return f'<div class="figures">{"".join(cells)}</div>{notes}'


def _none(value: str) -> str:
    return "" if value else ' class="none"'


def _trend(found: History) -> str:
    if not found.points:
        return _section("Scores at the final checkpoint", _nothing("no final checkpoint has a score"))
    rows = [
        (
            ("", f"{one.at:%Y-%m-%d %H:%M}"),
            ("n", f"{one.score:.1f}"),
            ("", escape(one.outcome)),
            ("name", escape(one.branch)),
        )
        for one in reversed(found.points[-_SHOWN:])
    ]
    table = _table((("", "when"), ("n", "score"), ("", "decision"), ("name", "branch")), rows)
    legend = (
        '<p class="dim">Green: accepted; amber: accepted with conditions; red: refused. '
        f"By default {ACCEPT:g} is accepted.</p>"
    )
    body = f"{trend(found.points)}{legend}<details><summary>The newest as numbers</summary>{table}</details>"
    return _section("Scores at the final checkpoint", body)


def _broken(found: History) -> str:
    title = "Reasons why gates failed"
    if not found.broken:
        why = "no decision failed" if found.decisions else "nothing was judged"
        return _section(title, _nothing(why))
    most = found.broken[0].decisions
    rows = [
        (
            ("", escape(one.code)),
            ("name wide", _summary(one.code)),
            ("n", str(one.decisions)),
            ("n", str(one.findings)),
            ("wide", _bar(one.decisions / most)),
        )
        for one in found.broken[:_SHOWN]
    ]
    heads = (("", "code"), ("wide", "finding"), ("n", "decisions"), ("n", "findings"), ("wide", ""))
    return _section(title, _table(heads, rows) + _more(len(found.broken)))


def _summary(code: str) -> str:
    known = CODES.get(code)
    return escape(known.name if known else "")


def _steps(found: History) -> str:
    title = "Slowest steps"
    if not found.steps:
        return _section(title, _nothing("no check was timed"))
    most = found.steps[0].mean or 1.0
    rows = [
        (
            ("", escape(one.step)),
            ("n", duration(one.mean)),
            ("n", str(one.checks)),
            ("wide", _bar(one.mean / most)),
        )
        for one in found.steps[:_SHOWN]
    ]
    heads = (("", "step"), ("n", "mean"), ("n", "checks"), ("wide", ""))
    note = '<p class="dim">Times of <code>gateline check</code>; steps run in parallel.</p>'
    return _section(title, _table(heads, rows) + note)


def _repairs(found: History) -> str:
    title = "Applied repairs"
    if not found.repairs:
        return _section(title, _nothing("no repair was offered in an editor"))
    rows = [
        (
            ("name", f"<code>{escape(one.pattern)}</code>"),
            ("n", str(one.offered)),
            ("n", str(one.accepted)),
            ("n", str(one.undone)),
        )
        for one in found.repairs[:_SHOWN]
    ]
    heads = (("", "pattern"), ("n", "offered"), ("n", "taken"), ("n", "taken back"))
    note = '<p class="dim">The total of all of your workspaces.</p>'
    return _section(title, _table(heads, rows) + _more(len(found.repairs)) + note)


def _tasks(found: History) -> str:
    title, figures = "Tasks and refinement loops", found.tasks.derived
    if not figures.tasks:
        return _section(title, _nothing("none has ended"))
    shown = (
        ("ended", str(figures.tasks)),
        ("completed", _share(figures.completion)),
        ("accepted at the first look", _share(figures.first_time)),
        ("errors resolved of those met", _share(figures.debug_success)),
        ("rounds of a loop, mean", _NONE if figures.rounds is None else f"{figures.rounds:.1f}"),
        ("duration, median", _NONE if figures.seconds is None else duration(figures.seconds)),
    )
    table = _table((("", "figure"), ("n", "")), [(("", a), ("n", b)) for a, b in shown])
    return _section(title, table + plots(found.tasks))


def _evals(found: History) -> str:
    remembered = f"<p>Lessons that are remembered: {found.lessons}.</p>"
    if not found.evals:
        return _section("Evals and lessons", _nothing("no suite ran") + remembered)
    rows = [
        (
            ("name", escape(one.suite)),
            ("n", f"{one.score:.1%}"),
            ("n", f"{EXPECTED[one.kind].target:.0%}"),
            ("n", str(one.cases)),
        )
        for one in found.evals
    ]
    heads = (("", "suite"), ("n", "score"), ("n", "target"), ("n", "cases"))
    return _section("Evals and lessons", _table(heads, rows) + remembered)


def duration(seconds: float) -> str:
    """A time for people: `0.42 s`, `12 s`, `3 min 5 s`, `2 h 10 min`."""
    if seconds < 10:
        return f"{seconds:.2f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def _share(value: float | None) -> str:
    return _NONE if value is None else f"{value:.0%}"


def _section(title: str, body: str) -> str:
    return f"<section><h2>{title}</h2>{body}</section>"


def _nothing(why: str) -> str:
    return f'<p class="dim">{_NONE.capitalize()}: {why}.</p>'


def _more(count: int) -> str:
    return f'<p class="dim">{count - _SHOWN} more.</p>' if count > _SHOWN else ""


def _bar(share: float) -> str:
    return f'<span class="bar"><i style="width: {100 * share:.0f}%"></i></span>'


def _table(heads: Sequence[Cell], rows: Iterable[Sequence[Cell]]) -> str:
    head = "".join(f'<th class="{kind}">{text}</th>' for kind, text in heads)
    body = "".join(f"<tr>{_cells(row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cells(row: Sequence[Cell]) -> str:
    return "".join(f'<td class="{kind}">{text}</td>' for kind, text in row)
