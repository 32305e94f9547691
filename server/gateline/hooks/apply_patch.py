"""Reads the patches of `apply_patch`, in the form that Codex and Copilot have models write."""

from __future__ import annotations

from gateline.hooks.occasion import Edit, Patch, Write

_ADD, _DELETE, _UPDATE, _MOVE = "*** Add File: ", "*** Delete File: ", "*** Update File: ", "*** Move to: "
_END = "*** End of File"

Hunk = tuple[list[str], list[str]]


def read_patch(patch: str) -> tuple[Edit, ...]:
    """The edits of a patch; what is none of its forms is left out, as the tool will refuse it."""
    edits: list[Edit] = []
    lines = patch.splitlines()
    at = 0
    while at < len(lines):
        line = lines[at]
        body = _body(lines, at + 1)
        if line.startswith(_ADD):
            text = "".join(f"{row[1:]}\n" for row in body if row.startswith("+"))
            edits.append(Write(line[len(_ADD) :].strip(), text))
        elif line.startswith(_DELETE):
            edits.append(Write(line[len(_DELETE) :].strip(), None))
        elif line.startswith(_UPDATE):
            edits.append(_update(line[len(_UPDATE) :].strip(), body))
        at += 1 + len(body)
    return tuple(edits)


def _body(lines: list[str], start: int) -> list[str]:
    """The lines up to the next file."""
    end = start
    while end < len(lines) and not lines[end].startswith((_ADD, _DELETE, _UPDATE, "*** End Patch")):
        end += 1
    return lines[start:end]


def _update(path: str, body: list[str]) -> Patch:
    moved = next((row[len(_MOVE) :].strip() for row in body if row.startswith(_MOVE)), "")
    hunks: list[Hunk] = [([], [])]
    for row in body:
        if row.startswith("@@"):
            hunks.append(([], []))
        elif not row.startswith((_MOVE, _END)):
            _take(hunks[-1], row)
    told = tuple((tuple(before), tuple(after)) for before, after in hunks if before or after)
    return Patch(path, told, moved)


def _take(hunk: Hunk, row: str) -> None:
    sign, text = row[:1], row[1:]
    if sign != "+":
        hunk[0].append(text)
    if sign != "-":
        hunk[1].append(text)
