"""The parts of a specification: what for, how it is known to be reached, what is new, what is left open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from gateline.refinement.verifier.documents import Kind, Section, Statement, sections, sentences
from gateline.refinement.verifier.references import is_about_new
from gateline.refinement.verifier.vocabulary import words


class Role(StrEnum):
    """What a section is for."""

    GOAL = "goal"
    CRITERIA = "criteria"
    NEW = "new"
    SCENARIO = "scenario"
    ASIDE = "aside"
    NONE = ""


_TITLES: tuple[tuple[Role, tuple[str, ...]], ...] = (
    (Role.ASIDE, ("non goal", "out of scope", "not in scope", "note", "reference", "alternative", "history")),
    (Role.SCENARIO, ("scenario", "example")),
    (
        Role.CRITERIA,
        (
            *(
                "acceptance",
                "criteria",
                "criterion",
                "requirement",
                "done when",
                "definition of done",
                "expected",
            ),
            *("what must hold", "must", "it holds when", "success", "behaviour", "behavior", "checks"),
        ),
    ),
    (
        Role.GOAL,
        (
            *("goal", "aim", "purpose", "why", "motivation", "problem", "summary", "background", "objective"),
            *(
                "context",
                "what happens",
                "overview",
                "intent",
                "user story",
                "description",
                "actual",
                "current",
            ),
        ),
    ),
    (Role.NEW, ("new", "addition", "deliver", "build", "to build", "scope", "to do", "tasks")),
)
_STORY = ("as a", "as an", "as the")
_TITLE = 2
"""A document's title with more words says what it is about, and not which part it is."""
_ENOUGH = 4
"""Words that a goal has at least."""


@dataclass(frozen=True, slots=True)
class Part:
    """A section with its role."""

    role: Role
    section: Section


@dataclass(frozen=True, slots=True)
class Specification:
    """A specification, read."""

    goals: tuple[Statement, ...]
    """What says what is to be reached, or what is wrong today."""
    criteria: tuple[Statement, ...]
    """What can be looked at to know that it is reached."""
    all: tuple[Statement, ...]
    new: tuple[Statement, ...]
    """Those that say that something is to be made."""


def read_specification(text: str) -> Specification:
    """Find goal and criteria by headings and labels, and where there are none by what stands there."""
    parts = _parts(sections(text))
    every = tuple(statement for part in parts for statement in part.section.statements)
    new = [s for part in parts if part.role is Role.NEW for s in part.section.statements]
    new += [statement for statement in every if is_about_new(statement)]
    return Specification(tuple(_goals(parts)), tuple(_criteria(parts)), every, tuple(new))


def is_blank(statement: Statement) -> bool:
    """Whether nothing is said: dots, dashes, a placeholder of a template."""
    return not any(c.isalnum() for c in statement.text)


def _parts(found: tuple[Section, ...]) -> list[Part]:
    """Sections with their roles; one below another has that one's, unless its title gives it its own."""
    parts: list[Part] = []
    for section in found:
        role = _role(section.title, is_whole=section.level == 1)
        if role is Role.NONE and parts and section.level > 1:
            above = [p for p in parts if p.section.level < section.level and p.role is not Role.NONE]
            role = above[-1].role if above and _encloses(above[-1], parts, section) else Role.NONE
        parts.append(Part(role, section))
    return parts


def _encloses(above: Part, parts: list[Part], section: Section) -> bool:
    """Whether no heading of the level of `above` or higher stands between it and a section."""
    between = parts[parts.index(above) + 1 :]
    return all(part.section.level > above.section.level for part in between) and bool(section.title)


def _role(title: str, *, is_whole: bool) -> Role:
    """What a title says that its section is for; that of a whole document only where it says nothing else."""
    said = words(title)
    told = f" {' '.join(said)} "
    if is_whole and len(said) > _TITLE:
        return Role.NONE
    for role, marks in _TITLES:
        if any(told.startswith(f" {mark}") or f" {mark} " in told for mark in marks):
            return role
    return Role.NONE


def _goals(parts: list[Part]) -> Iterator[Statement]:
    """Statements below a goal's heading, user stories, and the paragraphs of an introduction."""
    for place, part in enumerate(parts):
        if part.role in (Role.CRITERIA, Role.SCENARIO, Role.ASIDE):
            continue
        intro = all(p.role is Role.NONE for p in parts[: place + 1])
        for statement in part.section.statements:
            count = len(words(statement.text))
            says = part.role is Role.GOAL and count > 1
            opens = intro and statement.kind is Kind.PARAGRAPH and count >= _ENOUGH
            if says or opens or statement.text.lower().replace("*", "").startswith(_STORY):
                yield statement


def _criteria(parts: list[Part]) -> Iterator[Statement]:
    wanted = [part for part in parts if part.role in (Role.CRITERIA, Role.SCENARIO)]
    for part in wanted:
        listed = [s for s in part.section.statements if s.kind in (Kind.ITEM, Kind.ROW) and s.depth <= 1]
        if listed:
            yield from (s for s in listed if not is_blank(s))
        elif part.role is Role.SCENARIO:
            yield from _scenario(part.section)
        else:
            yield from _sentences(part.section)
    if not wanted:
        yield from _obligations(parts)


def _scenario(section: Section) -> Iterator[Statement]:
    """What follows Then: the rest says under which circumstances."""
    for statement in section.statements:
        lines = [s for s in _lines(statement) if not is_blank(s)]
        then = [n for n, line in enumerate(lines) if line.text.lower().startswith("then")]
        if then:
            yield replace(lines[then[0]], pieces=tuple(p for one in lines[then[0] :] for p in one.pieces))
        elif statement.kind is not Kind.CODE:
            yield from sentences(statement)


def _lines(statement: Statement) -> Iterator[Statement]:
    """The lines of a paragraph."""
    pieces = []
    for piece in statement.pieces:
        first, *others = piece.content.split("\n") if "\n" in piece.content else (piece.content,)
        pieces.append(replace(piece, content=first))
        for other in others:
            yield replace(statement, pieces=tuple(pieces))
            pieces = [replace(piece, content=other)]
    yield replace(statement, pieces=tuple(pieces))


def _sentences(section: Section) -> Iterator[Statement]:
    for statement in section.statements:
        if statement.kind is not Kind.CODE:
            yield from (s for s in sentences(statement) if not is_blank(s) and not s.text.endswith(":"))


def _obligations(parts: list[Part]) -> Iterator[Statement]:
    """Without a heading for criteria: the sentences and items that say what must be."""
    for part in parts:
        for statement in part.section.statements:
            for one in sentences(statement):
                if {"must", "shall"} & set(words(one.prose)):
                    yield one
