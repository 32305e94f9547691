"""Applies a unified diff to texts in memory; nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from gateline.session.errors import UsageError

if TYPE_CHECKING:
    from unidiff.patch import Hunk, PatchedFile

_NOTHING = "/dev/null"
_ENDS = "\r\n"
ReadText = Callable[[str], str | None]
"""The text at a path; None where there is none."""


def patched(patch: str, read: ReadText) -> dict[str, str | None]:
    """The texts that a patch makes, by path; None of a file that it deletes.

    Raises UsageError where it is no unified diff, or a hunk does not fit its file.
    """
    # Imported late: of all that is asked of a session, hardly anything is a patch.
    from unidiff.errors import UnidiffParseError
    from unidiff.patch import PatchSet

    try:
        # Only ends of lines that files have: a form feed inside a line does not end it.
        files = list(PatchSet(patch.splitlines(keepends=True) if "\r" in patch else patch))
    except UnidiffParseError as error:
        raise UsageError(f"patch: not a unified diff: {error}") from error
    if not files:
        raise UsageError(
            "patch: not a unified diff: it has no lines `--- a/FILE`, `+++ b/FILE` and `@@ … @@`"
        )
    made: dict[str, str | None] = {}

    def now(path: str) -> str | None:
        return made[path] if path in made else read(path)

    for file in files:
        made.update(_file(file, now))
    return made


def _file(file: PatchedFile, read: ReadText) -> dict[str, str | None]:
    source, target = _name(file.source_file), _name(file.target_file)
    if file.is_binary_file:
        raise UsageError(f"patch: {target or source} is binary; give a patch of text files")
    before = read(source) if source else ""
    if before is None:
        raise UsageError(f"patch: {source} does not exist, or is not a text file")
    gone: dict[str, str | None] = {source: None} if source and source != target else {}
    if not target:
        return gone
    return {**gone, target: _applied(target, before, list(file))}


def _name(name: str) -> str:
    """A path without git's `a/` and `b/`; empty for a file that is not there."""
    if name == _NOTHING:
        return ""
    return name[2:] if name[:2] in ("a/", "b/") else name


def _applied(path: str, text: str, hunks: Sequence[Hunk]) -> str:
    lines = text.splitlines(keepends=True)
    end = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    made: list[str] = []
    done = 0
    for hunk in hunks:
        before = [line.value.rstrip(_ENDS) for line in hunk if line.line_type in " -"]
        start = _place(path, lines, before, hunk, done)
        made += lines[done:start]
        done = start
        last = ""
        for line in hunk:
            if line.line_type == "+":
                made.append(line.value.rstrip(_ENDS) + end)
            elif line.line_type == "\\" and last == "+":
                made[-1] = made[-1].rstrip(_ENDS)
            elif line.line_type in " -":
                made += [lines[done]] if line.line_type == " " else []
                done += 1
            last = line.line_type
    return "".join([*made, *lines[done:]])


def _place(path: str, lines: Sequence[str], before: Sequence[str], hunk: Hunk, done: int) -> int:
    """The line on which a hunk's own lines stand: where it says, else the nearest place where they do."""
    said = max(hunk.source_start - 1, 0) if before else hunk.source_start
    if not before:
        if not done <= said <= len(lines):
            raise UsageError(f"patch: {path} has {len(lines)} lines, so it has no line {hunk.source_start}")
        return said
    texts = [line.rstrip(_ENDS) for line in lines]
    size = len(before)
    found = [at for at in range(done, len(lines) - size + 1) if texts[at : at + size] == before]
    if not found:
        stands = texts[said] if said < len(texts) else "the end of the file"
        raise UsageError(
            f"patch: the hunk at line {hunk.source_start} does not match {path}: it expects {before[0]!r}, "
            f"but the file has {stands!r}; read the file again"
        )
    return min(found, key=lambda at: abs(at - said))
