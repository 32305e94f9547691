"""Reads the corpora: each file holds a small project, and changes of it.

    A sentence about the project.

    === base
    -- src/shop.py --                   a file of the project
    === cheat test-removed: a sentence  a change, its family, and what it does
    -- src/shop.py --                   the file as it is now; or, after `@@`, what is edited in it
    @@
    -a line of the base
    +a line in its place
     a line that tells the place
    -- old.py -> new.py --              a renamed file, edited or not
    -- gone.py -- gone                  a deleted file

Files that a change does not name are as in the base.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

_SECTION = re.compile(r"^=== (?P<head>.+)\n", re.MULTILINE)
_HEAD = re.compile(r"(?P<kind>\w+) (?P<family>[\w-]+): (?P<about>.+)")
_FILE = re.compile(r"^-- (?P<path>\S+)(?: -> (?P<to>\S+))? --(?P<gone> gone)?\n", re.MULTILINE)
_EDIT = re.compile(r"^@@.*\n", re.MULTILINE)


class CorpusError(Exception):
    """A corpus cannot be read; the message names the file and the place."""


@dataclass(frozen=True)
class Case:
    """One change of a project, with what it is an example of."""

    name: str
    """The file's name and the number of the change in it: `prices-3`."""
    kind: str
    """`cheat`, `twin` or `change`."""
    family: str
    about: str
    base: Mapping[str, str]
    """Texts by path."""
    now: Mapping[str, str]


def read_corpus(folder: Path) -> list[Case]:
    """All cases of a folder, in order. Raises CorpusError."""
    return [case for file in sorted(folder.glob("*.txt")) for case in _read(file)]


def _read(file: Path) -> Iterator[Case]:
    _, *parts = _SECTION.split(file.read_text(encoding="utf-8"))
    base: dict[str, str] = {}
    for number, (head, body) in enumerate(zip(parts[::2], parts[1::2], strict=True)):
        where = f"{file.name}: {head}"
        now = _changed(base, body, where)
        if head == "base":
            base = now
            continue
        said = _HEAD.fullmatch(head)
        if said is None or now == base:
            raise CorpusError(f"{where}: expected `kind family: sentence` and a change")
        yield Case(f"{file.stem}-{number}", said["kind"], said["family"], said["about"], base, now)


def _changed(base: Mapping[str, str], body: str, where: str) -> dict[str, str]:
    now = dict(base)
    heads = list(_FILE.finditer(body))
    ends = [head.start() for head in heads[1:]] + [len(body)]
    for head, end in zip(heads, ends, strict=True):
        path, to = head["path"], head["to"] or head["path"]
        text = (body[head.end() : end].rstrip("\n") + "\n").lstrip("\n")
        before = now.pop(path, None)
        if head["gone"]:
            continue
        if text.startswith("@@") or (before is not None and not text.strip()):
            if before is None:
                raise CorpusError(f"{where}: {path} is not in the base")
            text = _edited(before, text, f"{where}: {path}")
        now[to] = text
    return now


def _edited(text: str, edits: str, where: str) -> str:
    text = f"\n{text}"
    for edit in _EDIT.split(edits)[1:]:
        rows = [row or " " for row in edit.rstrip("\n").split("\n")]
        old = "".join(["\n", *(f"{row[1:]}\n" for row in rows if row[0] in " -")])
        new = "".join(["\n", *(f"{row[1:]}\n" for row in rows if row[0] in " +")])
        if (found := text.count(old)) != 1:
            raise CorpusError(f"{where}: these lines stand there {found} times, not once:{old}")
        text = text.replace(old, new)
    return text[1:]
