"""A conversation as text: what an agent told its model, and what that did, without what differs by run."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable
from pathlib import Path

from scripted_model import Call, Moved, Read, Told, Write


def transcript(rows: Iterable[Told | Moved], project: Path) -> list[str]:
    """The lines."""
    lines: list[str] = []
    for row in rows:
        if isinstance(row, Told):
            lines += _block(f"{row.who}:", row.text)
        else:
            lines += _block("model:", _done(row))
    return [line.replace(str(project), "SHOP") for line in lines]


def assert_golden(name: str, heard: list[str], *, update: bool) -> None:
    """Compare with the file of transcripts of that name, or write it."""
    golden = Path(__file__).parent / "transcripts" / f"{name}.txt"
    if update:
        golden.write_text("\n".join([*heard, ""]))
    rows = difflib.unified_diff(golden.read_text().splitlines(), heard, "golden", "heard", lineterm="")
    assert not (shown := "\n".join(rows)), shown


def _done(row: Moved) -> str:
    if isinstance(row.move, Read):
        return f"reads {row.move.path}"
    if isinstance(row.move, Call):
        return f"calls {row.move.tool} {json.dumps(row.move.arguments)}"
    if isinstance(row.move, Write):
        return f"writes {row.move.path}\n{_difference(row.before, row.move.text)}"
    return row.move.text


def _block(who: str, text: str) -> list[str]:
    return [who, *(f"  {line}".rstrip() for line in text.strip("\n").splitlines()), ""]


def _difference(before: str, after: str) -> str:
    rows = difflib.unified_diff(before.splitlines(), after.splitlines(), n=1, lineterm="")
    return "\n".join(row for row in list(rows)[2:] if row.strip())
