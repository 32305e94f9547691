"""Markdown as people write specifications and plans: sections, statements and the code that they name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

_LABEL_WORDS = 5
"""A label as `Done when:` has so many words at most; a longer one is a sentence."""


class Kind(StrEnum):
    """What a statement stands in."""

    PARAGRAPH = "paragraph"
    ITEM = "item"
    ROW = "row"
    CODE = "code"


class Mark(StrEnum):
    """What a piece of a statement is."""

    TEXT = "text"
    STRONG = "strong"
    CODE = "code"
    LINK = "link"


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of a statement in one form; a link's content is its target."""

    mark: Mark
    content: str


@dataclass(frozen=True, slots=True)
class Statement:
    """One paragraph, list item, row of a table or block of code."""

    pieces: tuple[Piece, ...]
    kind: Kind
    line: int
    """One-based."""
    depth: int = 0
    """How many lists it stands in; 0 outside of any."""
    number: int | None = None
    """Of an item of an ordered list."""
    ordered: bool = False

    @property
    def text(self) -> str:
        """What stands there, with code between backticks."""
        return "".join(f"`{p.content}`" if p.mark is Mark.CODE else p.content for p in self.pieces).strip()

    @property
    def prose(self) -> str:
        """The same without code and targets of links."""
        said = (p.content if p.mark in (Mark.TEXT, Mark.STRONG) else " " for p in self.pieces)
        return "".join(said).strip()

    @property
    def codes(self) -> tuple[str, ...]:
        """The code spans, in their order."""
        return tuple(p.content for p in self.pieces if p.mark is Mark.CODE)

    @property
    def links(self) -> tuple[str, ...]:
        """The targets of links."""
        return tuple(p.content for p in self.pieces if p.mark is Mark.LINK)


@dataclass(frozen=True, slots=True)
class Section:
    """What stands below one heading, or below a label as `**Expected:**`."""

    title: str
    level: int
    """That of the heading; 0 before the first one, 7 of a label."""
    statements: tuple[Statement, ...]


def sections(text: str) -> tuple[Section, ...]:
    """The sections of a document in their order; comments and front matter left out."""
    root = SyntaxTreeNode(MarkdownIt("commonmark").enable("table").parse(_without_front_matter(text)))
    found = [Section("", 0, ())]
    for node in root.children:
        if node.type == "heading":
            found.append(Section(_joined(_inline(node)), int(node.tag[1]), ()))
            continue
        for statement in _statements(node):
            label, rest = labelled(statement)
            if label:
                found.append(Section(label, 7, ()))
            if rest.text:
                found[-1] = replace(found[-1], statements=(*found[-1].statements, rest))
    return tuple(section for section in found if section.title or section.statements)


def labelled(statement: Statement) -> tuple[str, Statement]:
    """The label that a paragraph begins with, as in `Goal: …` and `**Expected:** …`, and what follows it."""
    first, *others = statement.pieces or (Piece(Mark.TEXT, ""),)
    if statement.kind is not Kind.PARAGRAPH:
        return "", statement
    if first.mark is Mark.STRONG:
        after = others[0].content.strip() if others else ""
        if not others or first.content.rstrip().endswith((":", ".")) or after.startswith(":"):
            return first.content.strip(" :."), replace(statement, pieces=_without_colon(others))
        return "", statement
    label, colon, rest = first.content.partition(":")
    if first.mark is Mark.TEXT and colon and 0 < len(label.split()) < _LABEL_WORDS and label[:1].isupper():
        return label.strip(), replace(statement, pieces=(Piece(Mark.TEXT, rest), *others))
    return "", statement


def sentences(statement: Statement) -> Iterator[Statement]:
    """A paragraph's sentences: code is never cut, nor is a number."""
    pieces: list[Piece] = []
    for piece in statement.pieces:
        if piece.mark is not Mark.TEXT:
            pieces.append(piece)
            continue
        *ended, last = _cut(piece.content)
        for part in ended:
            yield replace(statement, pieces=(*pieces, Piece(Mark.TEXT, part)))
            pieces = []
        pieces.append(Piece(Mark.TEXT, last))
    if any(piece.content.strip() for piece in pieces):
        yield replace(statement, pieces=tuple(pieces))


def _cut(text: str) -> list[str]:
    """The parts of a text, each but the last ending a sentence."""
    parts, begin = [], 0
    for index, letter in enumerate(text[:-1]):
        if letter in ".!?" and text[index + 1].isspace():
            parts.append(text[begin : index + 1])
            begin = index + 1
    if text[begin:].rstrip().endswith((".", "!", "?")):
        return [*parts, text[begin:], ""]
    return [*parts, text[begin:]]


def _without_front_matter(text: str) -> str:
    """The text with the lines of YAML front matter emptied, so that lines keep their numbers."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != "---" or "---" not in (line.strip() for line in lines[1:]):
        return text
    end = next(n for n, line in enumerate(lines[1:], 1) if line.strip() == "---")
    return "\n".join([*[""] * (end + 1), *lines[end + 1 :]])


def _statements(node: SyntaxTreeNode, depth: int = 0) -> Iterator[Statement]:
    if node.type in ("bullet_list", "ordered_list"):
        start = int(node.attrs.get("start", 1))
        for place, item in enumerate(node.children):
            number = start + place if node.type == "ordered_list" else None
            yield from _item(item, depth + 1, number)
    elif node.type == "table":
        yield from (_row(row) for body in node.children if body.type == "tbody" for row in body.children)
    elif node.type == "blockquote":
        for child in node.children:
            yield from _statements(child, depth)
    elif node.type in ("fence", "code_block"):
        yield Statement((Piece(Mark.CODE, node.content.strip()),), Kind.CODE, _line(node), depth)
    elif node.type == "paragraph":
        yield Statement(_inline(node), Kind.PARAGRAPH, _line(node), depth)


def _item(item: SyntaxTreeNode, depth: int, number: int | None) -> Iterator[Statement]:
    """The item itself, and what stands below it as statements of their own."""
    for place, child in enumerate(item.children):
        for statement in _statements(child, depth):
            is_own = place == 0 and statement.kind is Kind.PARAGRAPH
            if is_own:
                pieces = _without_box(statement.pieces)
                ordered = number is not None
                yield Statement(pieces, Kind.ITEM, statement.line, depth, number, ordered)
            else:
                yield statement


def _row(row: SyntaxTreeNode) -> Statement:
    cells = [_inline(cell) for cell in row.children]
    pieces = [piece for cell in cells for piece in (*cell, Piece(Mark.TEXT, " | "))]
    return Statement(tuple(pieces[:-1]), Kind.ROW, _line(row))


def _inline(node: SyntaxTreeNode) -> tuple[Piece, ...]:
    return _merged(piece for child in node.children for piece in _pieces(child, Mark.TEXT))


def _pieces(node: SyntaxTreeNode, mark: Mark) -> Iterator[Piece]:
    if node.type == "code_inline":
        yield Piece(Mark.CODE, node.content)
    elif node.type in ("text", "text_special"):
        yield Piece(mark, node.content)
    elif node.type in ("softbreak", "hardbreak"):
        yield Piece(mark, "\n")
    elif node.type != "html_inline":
        inner = Mark.STRONG if node.type == "strong" else mark
        for child in node.children:
            yield from _pieces(child, inner)
        if node.type == "link":
            yield Piece(Mark.LINK, str(node.attrs.get("href", "")))


def _merged(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """The pieces with neighbours of one form joined."""
    merged: list[Piece] = []
    for piece in pieces:
        if merged and merged[-1].mark is piece.mark and piece.mark in (Mark.TEXT, Mark.STRONG):
            merged[-1] = replace(piece, content=merged[-1].content + piece.content)
        elif piece.content:
            merged.append(piece)
    return tuple(merged)


def _without_colon(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    if not pieces or pieces[0].mark is not Mark.TEXT:
        return tuple(pieces)
    return (replace(pieces[0], content=pieces[0].content.lstrip(" :.")), *pieces[1:])


def _without_box(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """An item without the box of a check list."""
    if pieces and pieces[0].mark is Mark.TEXT and pieces[0].content[:3].lower() in ("[ ]", "[x]"):
        return (replace(pieces[0], content=pieces[0].content[3:].lstrip()), *pieces[1:])
    return pieces


def _joined(pieces: Iterable[Piece]) -> str:
    return "".join(piece.content for piece in pieces if piece.mark is not Mark.LINK).strip()


def _line(node: SyntaxTreeNode) -> int:
    return node.map[0] + 1 if node.map else 1
