"""Where each key of a TOML text stands, which `tomllib` does not tell."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field

from gateline.model.span import Position

Key = tuple[str | int, ...]
"""The way to a value: names of tables, and indexes into lists."""

_TOKEN = re.compile(
    r"""(?P<text>\"{3}(?:[^\\]|\\.)*?\"{3,5}|'{3}.*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')
    |(?P<comment>\#[^\n]*)
    |(?P<mark>[\[\]{}=,.\n])
    |(?P<bare>[^\s\[\]{}=,.\#"']+)""",
    re.VERBOSE | re.DOTALL,
)


def places(text: str) -> dict[Key, Position]:
    """The place of every key and list item in `text`, which `tomllib` must have read without an error."""
    tokens = [
        _Token(match[0], match.start()) for match in _TOKEN.finditer(text) if match.lastgroup != "comment"
    ]
    scan = _Scan(tokens)
    scan.document()
    return {key: _position(text, offset) for key, offset in scan.found.items()}


def _position(text: str, offset: int) -> Position:
    return Position(text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset) - 1)


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    offset: int

    @property
    def name(self) -> str:
        """The name that this token spells, quoted or bare."""
        if self.text[0] not in "\"'":
            return self.text
        return str(tomllib.loads(f"name = {self.text}")["name"])


@dataclass(slots=True)
class _Scan:
    """One pass over the tokens; each method reads one piece of TOML's grammar."""

    tokens: list[_Token]
    next: int = 0
    found: dict[Key, int] = field(default_factory=dict)
    items: dict[Key, int] = field(default_factory=dict)
    """The index of the last table of each `[[list]]`."""

    def peek(self) -> str:
        return self.tokens[self.next].text if self.next < len(self.tokens) else ""

    def take(self) -> _Token:
        self.next += 1
        return self.tokens[self.next - 1]

    def skip(self, marks: str) -> None:
        while self.peek() and self.peek() in marks:
            self.next += 1

    def document(self) -> None:
        table: Key = ()
        self.skip("\n")
        while self.peek():
            if self.peek() == "[":
                table = self.header()
            else:
                self.pair(table)
            self.skip("\n")

    def header(self) -> Key:
        opening = self.next
        self.skip("[")
        opens_item = self.next - opening == 2
        names = self.names()
        if opens_item:
            self.begin_item(names)
        self.skip("]")
        return self.place((), names)

    def begin_item(self, names: list[_Token]) -> None:
        key = (*self.resolve((), names[:-1]), names[-1].name)
        self.items[key] = self.items.get(key, -1) + 1

    def names(self) -> list[_Token]:
        names = [self.take()]
        while self.peek() == ".":
            self.take()
            names.append(self.take())
        return names

    def resolve(self, table: Key, names: list[_Token]) -> Key:
        key = table
        for token in names:
            key = (*key, token.name)
            if key in self.items:
                key = (*key, self.items[key])
        return key

    def place(self, table: Key, names: list[_Token]) -> Key:
        """The full key, after remembering where each of its parts stands."""
        for end, token in enumerate(names, 1):
            key = self.resolve(table, names[:end])
            self.found.setdefault(key, token.offset)
            if isinstance(key[-1], int):
                self.found.setdefault(key[:-1], token.offset)
        return self.resolve(table, names)

    def pair(self, table: Key) -> None:
        key = self.place(table, self.names())
        self.skip("=")
        self.value(key)

    def value(self, key: Key) -> None:
        match self.peek():
            case "[":
                self.list(key)
            case "{":
                self.inline_table(key)
            case _:
                self.scalar()

    def scalar(self) -> None:
        # A fraction and a date are several tokens.
        while self.peek() and self.peek() not in ",]}\n":
            self.take()

    def list(self, key: Key) -> None:
        self.take()
        self.skip("\n")
        index = 0
        while self.peek() != "]":
            self.found.setdefault((*key, index), self.tokens[self.next].offset)
            self.value((*key, index))
            self.skip("\n,")
            index += 1
        self.take()

    def inline_table(self, key: Key) -> None:
        self.take()
        self.skip("\n")
        while self.peek() != "}":
            self.pair(key)
            self.skip("\n,")
        self.take()
