"""Cuts Python text into functions, methods, class skeletons and the head of the module.

A function inside a function is part of it. Nothing has to parse.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from pathlib import PurePosixPath

from gateline.context.chunking.plain import CLOSING, plain
from gateline.context.values import Chunk, Import, Kind

# A line begins with its predecessor's end: looking for that character is far quicker than for `^`.
_START = re.compile(r"\n([ \t]*+)(?:(@)|(?:async[ \t]+)?(def|class)[ \t]+(\w++))")
_BRACKET = re.compile(r"[()\[\]{}:]")
_LONGEST_HEAD = 8_000
"""Characters: a head that is not over by then has lost a bracket."""
_DOC = re.compile(
    r"(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*[rRuU]?"
    r'("""(?:[^"\\]|\\.|"(?!""))*"""|\'\'\'(?:[^\'\\]|\\.|\'(?!\'\'))*\'\'\'|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\')'
    r"[ \t]*(?=[;#\n]|\Z)",
    re.DOTALL,
)
_CALL = re.compile(r"([A-Za-z_\x80-\uffff][A-Za-z_0-9\x80-\uffff]*+)\(")
_WORDS = "if elif while for in not and or return yield assert with lambda await print super except del"
_NO_CALL = frozenset(_WORDS.split())
_IMPORT = re.compile(
    r"\n[ \t]*+(?:from[ \t]+([.\w]++)[ \t]+import[ \t]+(\([^)]*\)?|[^\n;]+)|import[ \t]+([^\n;]+))"
)
_NAME = re.compile(r"[^\W\d]\w*")


@dataclass(slots=True)
class _Part:
    """A definition: where it starts and ends, where its head ends, and what lies in it."""

    kind: Kind
    name: str
    indent: int
    start: int
    head: int
    """Where `def` or `class` stands."""
    body: int
    """Behind the colon of the head."""
    end: int
    inner: list[_Part] = field(default_factory=list)


class _Text:
    """A text behind one line's end, the same as code alone, and where its lines begin."""

    def __init__(self, text: str) -> None:
        ends = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
        self.text = "\n" + ends.replace("\f", " ")
        self.code = plain(self.text)
        sizes = map((1).__add__, map(len, self.text.split("\n")))
        self._starts = list(accumulate(sizes, initial=0))

    def line(self, offset: int) -> int:
        return bisect_right(self._starts, offset) - 2

    def last_line(self, start: int, end: int) -> int:
        """The last line of a piece on which something stands."""
        return self.line(start + max(len(self.code[start:end].rstrip()) - 1, 0))


def cut(path: str, text: str) -> tuple[list[Chunk], tuple[Import, ...]]:
    """The chunks of a Python text, in order, and what it imports."""
    source = _Text(text)
    parts = _parts(source)
    chunks = [_module(path, source, parts)]
    chunks += [_chunk(source, part) for part in _all(parts)]
    return [chunk for chunk in chunks if chunk is not None], tuple(_imports(source.code))


def _parts(source: _Text) -> list[_Part]:
    """The definitions outside of functions, those of classes inside them."""
    top: list[_Part] = []
    around: list[_Part] = []
    decorated: tuple[int, int] | None = None
    hidden = 0
    for match in _START.finditer(source.code):
        place = match.start(1)
        if place < hidden:
            continue
        indent = len(match[1].expandtabs())
        if match[2]:
            decorated = decorated if decorated and decorated[0] == indent else (indent, place)
            continue
        start = decorated[1] if decorated and decorated[0] == indent else place
        decorated = None
        while around and around[-1].end <= place:
            around.pop()
        part = _part(source, match, indent, start, around[-1] if around else None)
        (around[-1].inner if around else top).append(part)
        if part.kind is Kind.CLASS:
            around.append(part)
        else:
            hidden = part.end
    return top


def _part(source: _Text, match: re.Match[str], indent: int, start: int, owner: _Part | None) -> _Part:
    body = _end_of_head(source.code, match.end())
    end = _end_of_body(source.code, body, indent)
    if owner is not None:
        end = min(end, owner.end)
    kind = Kind.CLASS if match[3] == "class" else Kind.METHOD if owner else Kind.FUNCTION
    name = f"{owner.name}.{match[4]}" if owner else match[4]
    return _Part(kind, name, indent, start, match.end(1), body, end)


def _end_of_head(code: str, start: int) -> int:
    """Behind the colon that ends a head; of an unfinished one, where its line ends."""
    depth = 0
    for match in _BRACKET.finditer(code, start, start + _LONGEST_HEAD):
        found = match[0]
        if found == ":":
            if not depth:
                return match.end()
        else:
            depth += 1 if found in "([{" else -1
    end = code.find("\n", start)
    return len(code) if end < 0 else end


@lru_cache(maxsize=64)
def _outside(indent: int) -> re.Pattern[str]:
    """The beginning of a line that stands no deeper than a head, and does not only close what is open."""
    return re.compile(rf"\n(?:[ ]{{0,{indent}}}|\t{{0,{indent // 8}}})[^\s)\]}}{CLOSING}]")


def _end_of_body(code: str, start: int, indent: int) -> int:
    line = code.find("\n", start)
    if line < 0:
        return len(code)
    match = _outside(indent).search(code, line)
    return match.start() + 1 if match else len(code)


def _all(parts: Sequence[_Part]) -> Iterator[_Part]:
    for part in parts:
        yield part
        yield from _all(part.inner)


def _chunk(source: _Text, part: _Part) -> Chunk:
    first, last = source.line(part.start), source.last_line(part.start, part.end)
    if part.kind is not Kind.CLASS:
        # The head of an unfinished one may reach over its end.
        text = source.text[part.start : max(part.body, part.end)]
        places = (part.head - part.start, part.body - part.start, part.end - part.start)
        told = _function(text, source.code[part.body : part.end], *places)
        return Chunk(part.kind, part.name, first, last, *told)
    docstring, behind = _docstring(source.text, part.body, part.end)
    head = source.text[part.head : part.body]
    rest = source.text[part.start : part.body] + _skeleton(source, part, behind)
    bases = tuple(_bases(source.code[part.head : part.body]))
    return Chunk(part.kind, part.name, first, last, _tidy(head), docstring, rest, (), bases)


@lru_cache(maxsize=1_000)
def _function(text: str, code: str, head: int, body: int, end: int) -> tuple[str, str, str, tuple[str, ...]]:
    """The signature, the docstring, the rest and the calls of a function; `code` is its body as code alone.

    Remembered: of a file that is typed in most functions stay as they are.
    """
    docstring, behind = _docstring(text, body, end)
    return _tidy(text[head:body]), docstring, text[:body] + text[behind:end], _calls(code)


def _docstring(text: str, start: int, end: int) -> tuple[str, int]:
    """The docstring that begins there, without its quotes, and where the body goes on."""
    match = _DOC.match(text, start, end)
    if match is None:
        return "", start
    quoted = match[1]
    width = 3 if quoted[:3] in ('"""', "'''") and len(quoted) >= 6 else 1
    return quoted[width:-width].strip(), match.end()


def _skeleton(source: _Text, part: _Part, start: int) -> str:
    """What a class holds itself, with the heads of its methods."""
    pieces, at = [], start
    for inner in part.inner:
        pieces += [source.text[at : inner.start], source.text[inner.head : inner.body], "\n"]
        at = max(at, inner.end)
    return "".join([*pieces, source.text[at : part.end]])


def _module(path: str, source: _Text, parts: Sequence[_Part]) -> Chunk | None:
    """What stands outside of all definitions; its lines are those before the first of them."""
    docstring, at = _docstring(source.text, 1, len(source.text))
    pieces, end = [], parts[0].start if parts else len(source.text)
    called = []
    for part in parts:
        pieces.append(source.text[at : part.start])
        called.append(source.code[at : part.start])
        at = max(at, part.end)
    pieces.append(source.text[at:])
    called.append(source.code[at:])
    body = "".join(pieces)
    if not body.strip() and not docstring:
        return None
    first = source.line(len(source.text) - len(source.text.lstrip()))
    last = max(first, source.last_line(0, end)) if end else first
    return Chunk(Kind.MODULE, _dotted(path), first, last, "", docstring, body, _calls("\n".join(called)))


def _dotted(path: str) -> str:
    parts = PurePosixPath(path).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def _tidy(head: str) -> str:
    return " ".join(head.split()).removesuffix(":")


def _calls(code: str) -> tuple[str, ...]:
    return tuple(name for name in dict.fromkeys(_CALL.findall(code)) if name not in _NO_CALL)


def _bases(head: str) -> Iterator[str]:
    """The last parts of the names of the bases; arguments with a name are none."""
    _, _, listed = head.partition("(")
    for base in re.split(r"[,()]", re.sub(r"\[[^\]]*\]", "", listed)):
        if "=" not in base and (names := _NAME.findall(base)):
            yield names[-1]


def _imports(code: str) -> Iterator[Import]:
    for match in _IMPORT.finditer(code):
        if match[3] is not None:
            yield from (Import(module, "", alias or module) for module, alias in _listed(match[3]))
        else:
            names = "*" if match[2].strip() == "*" else match[2].strip("() \t\n")
            yield from (Import(match[1], name, alias or name) for name, alias in _listed(names))


def _listed(names: str) -> Iterator[tuple[str, str]]:
    """The names of a list, each with what it is called from then on, if that was said."""
    for item in names.replace("\\", " ").split(","):
        words = item.split()
        if words and (words[0] == "*" or words[0].replace(".", "").isidentifier()):
            yield words[0], words[2] if len(words) == 3 and words[1] == "as" else ""
