"""Reads waivers, and applies them: each is wrong alone, and one that is wrong accepts nothing.

[[waiver]]
code = "GTL301"
path = "src/shop/cart.py"
symbol = "total"             # or finding = "0123456789ab"; without, anywhere in the file
reason = "the command is a constant"
expires = 2027-01-31         # without, it holds until it is removed
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any, NamedTuple

from gateline.model.codes import CODES
from gateline.model.finding import Dimension, Finding, Novelty
from gateline.model.waiver import Accepted, Waiver

_KEYS = ("code", "path", "symbol", "finding", "reason", "expires")
_REQUIRED = ("code", "path", "reason")
_SHARES = (Dimension.COVERAGE, Dimension.DUPLICATION)
_IDENTITY = re.compile(r"[0-9a-f]{12}")


class Waivers(NamedTuple):
    """Those that hold, and what is wrong with the others."""

    holding: tuple[Waiver, ...] = ()
    problems: tuple[str, ...] = ()


NONE = Waivers()
"""Nothing is accepted."""


def read(text: str, origin: str, today: date) -> Waivers:
    """The waivers of a file; each problem names it, the entry and what to do."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return Waivers(problems=(f"{origin}: is not TOML ({error}); fix it: until then it accepts nothing",))
    rows = table.get("waiver", [])
    strange = sorted(set(table) - {"waiver"})
    if strange or not isinstance(rows, list):
        named = strange[0] if strange else "waiver"
        said = f"{origin}: `{named}` is not known; write each waiver below a line `[[waiver]]`"
        return Waivers(problems=(said,))
    holding, problems = [], []
    for number, row in enumerate(rows, 1):
        wrong = _problem(row, today)
        if wrong:
            problems.append(f"{origin}: entry {number}: {wrong}; it accepts nothing")
        else:
            holding.append(_waiver(row, origin))
    return Waivers(tuple(holding), tuple(problems))


def problem_of(code: str) -> str:
    """Why findings of `code` cannot be accepted; empty when they can."""
    known = CODES.get(code)
    if known is None:
        return f"`{code}` is not a gateline code; `gateline rule` lists them"
    if code == "GTL101":
        return "a syntax error cannot be accepted: nothing else can be judged in its text"
    if known.dimension is Dimension.GATELINE or known.dimension in _SHARES:
        return (
            f"`{code}` cannot be waived, as its findings are not judged "
            f"one by one; see `gateline rule {code}`"
        )
    return ""


def apply(
    waivers: Iterable[Waiver], findings: Iterable[Finding]
) -> tuple[tuple[Finding, ...], tuple[Accepted, ...]]:
    """The findings that are left, and those that are accepted: only what is new needs to be."""
    left, accepted = [], []
    rows = tuple(waivers)
    for finding in findings:
        new = finding.novelty is Novelty.NEW
        waiver = next((row for row in rows if row.covers(finding)), None) if new else None
        if waiver is None:
            left.append(finding)
        else:
            accepted.append(Accepted(finding, waiver.reason, waiver.source, waiver.expires))
    return tuple(left), tuple(accepted)


def idle(waivers: Iterable[Waiver], accepted: Iterable[Accepted]) -> Iterator[str]:
    """Which of those that were asked for accept nothing."""
    found = [row.finding for row in accepted]
    for waiver in waivers:
        if waiver.asked and not any(map(waiver.covers, found)):
            yield f"{waiver.source}: {waiver.subject}: no new finding matches, so nothing is accepted"


def _problem(row: object, today: date) -> str:
    """What is wrong with an entry, and what to do; empty when nothing is."""
    if not isinstance(row, Mapping):
        return "it is not a table; write its keys below a line `[[waiver]]`"
    strange = next((key for key in row if key not in _KEYS), None)
    if strange is not None:
        return f"`{strange}` is not a key of a waiver; the keys are {', '.join(_KEYS)}"
    missing = next((key for key in _REQUIRED if not str(row.get(key, "")).strip()), None)
    if missing is not None:
        return f'it has no {missing}; add `{missing} = "…"`'
    wrong = next((k for k, v in row.items() if k != "expires" and not isinstance(v, str)), None)
    if wrong is not None:
        return f"`{wrong}` is not a string; write it in quotes"
    return problem_of(row["code"]) or _identity_problem(row) or _date_problem(row.get("expires"), today)


def _identity_problem(row: Mapping[str, Any]) -> str:
    given = row.get("finding", "")
    if given and not _IDENTITY.fullmatch(given):
        return (
            f"`{given}` is not the ID of a finding; an ID has 12 hexadecimal digits, as a report shows them"
        )
    return ""


def _date_problem(given: object, today: date) -> str:
    if given is None:
        return ""
    day = _day(given)
    if day is None:
        return f"`expires = {given}` is not a date; write it as 2027-01-31"
    return f"it expired on {day}; renew or remove it" if day < today else ""


def _day(given: object) -> date | None:
    if isinstance(given, str):
        try:
            return date.fromisoformat(given)
        except ValueError:
            return None
    return given if type(given) is date else None


def _waiver(row: Mapping[str, Any], origin: str) -> Waiver:
    day = _day(row.get("expires"))
    return Waiver(
        code=row["code"],
        path=row["path"],
        reason=row["reason"].strip(),
        source=origin,
        symbol=row.get("symbol", ""),
        finding=row.get("finding", ""),
        expires="" if day is None else day.isoformat(),
    )
