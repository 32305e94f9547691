"""Cases as text: a sentence, then files with the findings that are expected in them.

Each file stands below a line with its name:

    -- shop.py --             a file of the change
    -- base/shop.py --        the same in the base, when the change edits it
    -- elsewhere/other.py --  a file that the change leaves alone
    -- @settings --           what analyzers are told, in TOML
    -- @functions --          whatever else is expected; the runner makes it

A marker stands under the line it is about, and is taken out before the text is analysed:

    run(command, shell=True)
    #            ^^^^^^^^^^ GTL301: part of the message

The carets are exactly the characters of the finding, a bar instead of them is an empty span, and
`^ to +2:8` ends two lines further down, before column 8. `old` or `suppressed` may precede the code.
The `#` is for the eye. In texts, pictures of control characters (`␍`, `␌`, `␀`) stand for the characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

_FILE = re.compile(r"^-- (.+) --\n", re.MULTILINE)
_MARKER = re.compile(
    r"(?P<lead>[ \t]*#?[ \t]*)(?P<width>\^+|\|)(?: to \+(?P<down>\d+):(?P<end>\d+))?"
    r"(?: (?P<state>old|suppressed))? (?P<code>GTL\d{3})(?:: (?P<message>.*))?"
)
_PICTURES = {number + 0x2400: number for number in range(32)}


@dataclass(frozen=True, order=True)
class Marker:
    """A finding, as far as a case tells it. The column's end is on line `line + down`."""

    line: int
    column: int
    down: int
    end: int
    code: str
    state: str = ""
    message: str = ""

    def fits(self, found: Marker) -> bool:
        """Whether `found`, with its whole message, is what this one expects."""
        return replace(self, message="") == replace(found, message="") and self.message in found.message

    def shown(self, line: str) -> str:
        """The marker's own line, for under `line`."""
        lead = "".join("\t" if c == "\t" else " " for c in line[: self.column].ljust(self.column))
        lead = f"#{lead[1:]}" if lead.startswith(" ") else lead
        width = self.end - self.column if not self.down else 1
        shape = "^" * width or "|"
        place = f" to +{self.down}:{self.end}" if self.down else ""
        state = f" {self.state}" if self.state else ""
        message = f": {self.message}" if self.message else ""
        return f"{lead}{shape}{place}{state} {self.code}{message}\n"


@dataclass(frozen=True)
class File:
    """A file of a case, with its markers taken out."""

    name: str
    shown: str
    """The text as the case has it, with pictures for control characters."""
    markers: tuple[Marker, ...] = ()

    @property
    def text(self) -> str:
        """The text that is analysed."""
        return self.shown.translate(_PICTURES)

    def with_found(self, found: Iterable[Marker]) -> File:
        """The same file with what was found; where an expected marker fits, in its words."""
        left = list(self.markers)
        told = []
        for marker in sorted(found):
            fitting = next((m for m in left if m.fits(marker)), None)
            if fitting is not None:
                left.remove(fitting)
            told.append(fitting or marker)
        return replace(self, markers=tuple(told))

    def written(self) -> str:
        """The file as a case holds it."""
        rows = []
        for number, line in enumerate([*self.shown.splitlines(), ""]):
            rows.append(f"{line}\n")
            rows += [m.shown(line) for m in sorted(self.markers) if m.line == number]
        if rows[-1] == "\n":
            rows.pop()
        return f"-- {self.name} --\n{''.join(rows)}"


@dataclass(frozen=True)
class Case:
    """One case: what it is about, its files, and what else is expected."""

    about: str
    files: tuple[File, ...] = ()
    expected: dict[str, str] = field(default_factory=dict)
    """By name without its `@`; `settings` is an input."""

    @property
    def change(self) -> tuple[File, ...]:
        """The files of the change, as they are now."""
        return tuple(f for f in self.files if not f.name.startswith(("base/", "elsewhere/")))

    def under(self, folder: str) -> dict[str, str]:
        """The texts of `base` or `elsewhere`, by path."""
        return {
            file.name.removeprefix(f"{folder}/"): file.text
            for file in self.files
            if file.name.startswith(f"{folder}/")
        }

    def written(self) -> str:
        """The case as a file holds it."""
        others = (f"-- @{name} --\n{body}" for name, body in self.expected.items())
        return "".join([self.about, *(file.written() for file in self.files), *others])


def read(text: str) -> Case:
    """The case that a file holds."""
    about, *parts = _FILE.split(text)
    bodies = dict(zip(parts[::2], parts[1::2], strict=True))
    files = tuple(_file(name, body) for name, body in bodies.items() if not name.startswith("@"))
    expected = {name[1:]: body for name, body in bodies.items() if name.startswith("@")}
    return Case(about, files, expected)


def _file(name: str, body: str) -> File:
    lines: list[str] = []
    markers = []
    for row in body.splitlines():
        if found := _MARKER.fullmatch(row):
            markers.append(_marker(found, max(len(lines) - 1, 0)))
        else:
            lines.append(row)
    return File(name, "".join(f"{line}\n" for line in lines), tuple(markers))


def _marker(found: re.Match[str], line: int) -> Marker:
    column = len(found["lead"])
    width = len(found["width"]) if found["width"] != "|" else 0
    end = int(found["end"]) if found["down"] else column + width
    return Marker(
        line,
        column,
        int(found["down"] or 0),
        end,
        found["code"],
        found["state"] or "",
        found["message"] or "",
    )
