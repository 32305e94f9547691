"""`gateline audit`: what was decided here, on what evidence, and whether the record is whole."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click

from gateline.cli import terminal
from gateline.cli.ending import FAILED, Undecided
from gateline.model.evaluation import Outcome
from gateline.session.workspace.roots import find_root
from gateline.store.audit import AuditTrail, Entry
from gateline.store.database import Database, StoreError
from gateline.store.folders import DATABASE, state_of
from gateline.worklog.decided import CHOICE, COMPARISON
from gateline.worklog.rendering import timestamp

_EXAMPLES = """\
\b
Examples:
  gateline audit                                the newest decisions, with their evidence
  gateline audit --since 7d --decision accept   what was accepted this week
  gateline audit --verify                       whether anything was changed or removed
  gateline audit --limit 0 --output json        everything, for programs
"""
_SPANS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


class _DamagedError(click.ClickException):
    """Nothing can be read of what was recorded."""

    exit_code = FAILED


class _Moment(click.ParamType[datetime]):
    """A date, a time, or how long ago: `2026-03-01`, `2026-03-01T12:00`, `36h`."""

    name = "when"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        if isinstance(value, datetime):
            return value
        number, unit = value[:-1], value[-1:]
        try:
            if number.isdigit() and unit in _SPANS:
                return datetime.now(UTC) - timedelta(**{_SPANS[unit]: int(number)})
            return datetime.fromisoformat(value).astimezone(UTC)
        except (ValueError, OverflowError):
            self.fail(f"{value!r} is neither a time, as 2026-03-01 or 2026-03-01T12:00, nor 90m, 36h, 7d, 2w")


@click.command(epilog=_EXAMPLES)
@click.option("--verify", is_flag=True, help="Only verify that no entry was changed or removed.")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    metavar="N",
    help="Show the newest N decisions; 0 shows all.",
)
@click.option(
    "--since",
    type=_Moment(),
    metavar="WHEN",
    help="Show decisions since a date or time, or within 90m, 36h, 7d or 2w.",
)
@click.option(
    "--decision",
    "decisions",
    multiple=True,
    type=click.Choice([outcome.value for outcome in Outcome]),
    help="Show only this decision. Can be repeated.",
)
@click.option("--output", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def audit(verify: bool, limit: int, since: datetime | None, decisions: tuple[str, ...], form: str) -> None:
    """Show the recorded decisions with their evidence, newest first.

    Every decision of this workspace is recorded in your own state folder, by the command line and by editors,
    with a task or without. Each entry has a digest of the one before it: --verify exits with 1 and names the
    first entry that was changed or removed.
    """
    with _trail() as trail:
        if verify:
            _verified(trail, form)
            return
        found = _found(trail, limit, since, decisions)
    if form == "json":
        rows = [_plain(entry) for entry in found]
        terminal.emit(json.dumps(rows, indent=2) + "\n", machine=True)
        return
    terminal.emit("\n".join(map(_told, found)) or "no decision is recorded here\n")


@contextmanager
def _trail() -> Iterator[AuditTrail | None]:
    """The audit trail of the workspace; None where nothing was recorded: looking makes no store."""
    file = state_of(find_root(Path.cwd())) / DATABASE
    if not file.exists():
        yield None
        return
    try:
        database = Database(file)
        try:
            if database.set_aside is not None:
                raise _DamagedError(
                    f"{file} was damaged and was moved to {database.set_aside}; a new trail was started"
                )
            yield AuditTrail(database)
        finally:
            database.close()
    except StoreError as error:
        raise Undecided(str(error)) from error


def _found(
    trail: AuditTrail | None, limit: int, since: datetime | None, decisions: tuple[str, ...]
) -> list[Entry]:
    if trail is None:
        return []
    filtered = since is not None or decisions
    entries = trail.entries(newest=-1 if filtered or not limit else limit)
    kept = [
        entry
        for entry in reversed(entries)
        if (since is None or entry.at >= since)
        and (not decisions or entry.content.get("outcome") in decisions)
    ]
    return kept[: limit or None]


def _verified(trail: AuditTrail | None, form: str) -> None:
    """Say whether the trail is whole; one that is not ends the command with 1."""
    count, first, newest, broken = 0, None, None, None
    if trail is not None and (extent := trail.extent()).count:
        count, first, newest = extent.count, extent.first, extent.newest
        broken = trail.broken()
    if form == "json":
        at, why = (broken.number, broken.why) if broken else (None, "")
        said = {"entries": count, "first": first, "newest": newest, "broken": at, "why": why}
        terminal.emit(json.dumps(said, indent=2) + "\n", machine=True)
    elif broken is not None:
        terminal.emit(f"broken at record {broken.number}: {broken.why}\n")
    elif count:
        terminal.emit(f"{count} decision{'s' * (count != 1)}, {first} to {newest}: all unchanged\n")
    else:
        terminal.emit("no decision is recorded here\n")
    if broken is not None:
        raise SystemExit(FAILED)


def _plain(entry: Entry) -> dict[str, object]:
    return {
        "number": entry.number,
        "at": timestamp(entry.at),
        **entry.content,
        "digest": entry.digest,
    }


def _told(entry: Entry) -> str:
    """One decision in a few lines."""
    found = entry.content
    lines = [f"{entry.number}  {timestamp(entry.at)}  {_decision(found)}", f"  {_place(found)}"]
    if found.get("scope") == COMPARISON:
        lines = [f"{entry.number}  {timestamp(entry.at)}  {_winner(found)}", f"  {_place(found)}"]
        lines += [f"  {row}" for row in _compared(found)]
    elif found.get("scope") == CHOICE:
        others = ", ".join(one["name"] for one in found["candidates"] if one["name"] != found["chosen"])
        said = f"compare: a person applied {found['chosen']} (tree {found['tree'][:12]}), not {others}"
        if not found["chosen"]:
            said = f"compare: a person rejected all of {others}"
        lines = [f"{entry.number}  {timestamp(entry.at)}  {said}", f"  {_place(found)}"]
    elif "again" in found:
        lines.append(f"  again, as {found['again']}")
    else:
        lines += [f"  {row}" for row in _evidence(found)]
    return "\n".join(map(terminal.harmless, lines)) + "\n"


def _decision(found: Mapping[str, Any]) -> str:
    score, evidence = found.get("score"), found.get("evidence") or 0.0
    said = "no score" if score is None else f"score {score:g}"
    return f"{found.get('level', '?')}: {found.get('outcome', '?')}, {said}, evidence {evidence:.0%}"


def _winner(found: Mapping[str, Any]) -> str:
    sure = f"confidence {found.get('calibrated') or 0.0:.2f} (formula {found.get('formula') or 0.0:.2f})"
    said = f"take {found['winner']}" if found.get("winner") else "no clear winner"
    return f"compare: {said}, {sure}"


def _compared(found: Mapping[str, Any]) -> Iterator[str]:
    """What was compared, and how."""
    how = f"strategy {found.get('strategy')}, isolation {found.get('isolation')}"
    yield f"against {found.get('base', '')[:12]}, {how}"
    for one in found.get("candidates") or ():
        blocked = f", blocked by {', '.join(one['blocked'])}" if one.get("blocked") else ""
        yield f"{one['place']}. {one['name']} (tree {one['tree'][:12]}, score {one['score']:.2f}{blocked})"
    yield f"· {found.get('why')}"
    if found.get("accepted"):
        yield f"· accepted without a person: {'; '.join(found.get('acceptance') or ())}"


def _place(found: Mapping[str, Any]) -> str:
    """What was judged, where, and for whom."""
    paths = " ".join(found.get("paths") or ())
    rows = [
        f"{found.get('scope', 'change')} {paths}".strip(),
        f"on {found['branch']}" if found.get("branch") else "",
        f"by {found['by']}" if found.get("by") else "",
        f"task {found['task']}" if found.get("task") else "",
        f"content {found['content'][:12]}" if found.get("content") else "",
    ]
    return ", ".join(filter(None, rows))


def _evidence(found: Mapping[str, Any]) -> Iterator[str]:
    if found.get("base_label"):
        yield f"against {found.get('base', '')[:12]} ({found['base_label']})"
    parts = found.get("parts") or {}
    values = [f"{name} {part['value']:g}" for name, part in parts.items() if "value" in part]
    if values:
        yield f"measured: {', '.join(values)}"
    missing = [
        f"{name} ({part.get('reason') or part['state']})" for name, part in parts.items() if _lacks(part)
    ]
    if missing:
        yield f"not measured: {', '.join(missing)}"
    tests = found.get("tests")
    if tests and tests["run"]:
        yield f"tests: {tests['run']} of {tests['total']} run" + (
            f", {tests['failing']} fail" if tests["failing"] else ""
        )
    for reason in found.get("reasons") or ():
        yield f"· {reason}"


def _lacks(part: Mapping[str, Any]) -> bool:
    """Whether a measurement that was due is missing."""
    return "value" not in part and part["state"] in ("no data", "stale", "failed")
