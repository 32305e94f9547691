"""The steps of a plan: what each touches, makes and takes away, and which ones it waits for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gateline.refinement.verifier.documents import Kind, Section, Statement, sections
from gateline.refinement.verifier.references import is_about_new, paths
from gateline.refinement.verifier.vocabulary import REMOVES, WAITS, singular, words

_BETWEEN = 3
"""So many words may stand between "depends" and "step 2"."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a plan."""

    number: int
    """From 1, as the plan counts them."""
    statements: tuple[Statement, ...]

    @property
    def line(self) -> int:
        """Where it begins, one-based."""
        return self.statements[0].line if self.statements else 0

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that it names."""
        return tuple(dict.fromkeys(path for s in self.statements for path in paths(s)))

    @property
    def makes(self) -> tuple[str, ...]:
        """The files that it says are new."""
        return tuple(dict.fromkeys(p for s in self.statements if is_about_new(s) for p in paths(s)))

    @property
    def removes(self) -> tuple[str, ...]:
        """The files that it takes away."""
        gone = (s for s in self.statements if REMOVES & set(words(s.prose)))
        return tuple(dict.fromkeys(path for s in gone for path in paths(s)))

    @property
    def waits_for(self) -> tuple[int, ...]:
        """The numbers of the steps that it says must be done before."""
        return tuple(dict.fromkeys(n for s in self.statements for n in _waits_for(words(s.prose))))


def read_steps(text: str) -> tuple[Step, ...]:
    """The steps of a plan: headings or labels as `Step 2`, else the items of its lists; maybe none."""
    found = sections(text)
    titled = [section for section in found if _step_number(section.title) is not None]
    if titled:
        return tuple(_titled(section, place) for place, section in enumerate(titled, 1))
    return tuple(_listed(statement for section in found for statement in section.statements))


def _step_number(title: str) -> int | None:
    said = words(title)
    if len(said) > 1 and said[0] in ("step", "phase", "task") and said[1].isdigit():
        return int(said[1])
    return None


def _titled(section: Section, place: int) -> Step:
    """A section as a step; its title says something, too."""
    number = _step_number(section.title)
    statements = [s for s in section.statements if s.text]
    if statements:
        title = Section(section.title, section.level, ())
        return Step(number or place, (*_title_statement(title, statements[0]), *statements))
    return Step(number or place, ())


def _title_statement(section: Section, first: Statement) -> Iterator[Statement]:
    """The words of a step's title after its number, as a statement."""
    for said in sections(" ".join(section.title.split(" ")[2:])):
        yield from (Statement(s.pieces, Kind.PARAGRAPH, first.line) for s in said.statements)


def _listed(statements: Iterable[Statement]) -> Iterator[Step]:
    """The items of the outermost lists, each with what stands below it."""
    number, rows = 0, list[Statement]()
    for statement in statements:
        if statement.depth == 1 and statement.kind is Kind.ITEM:
            if rows:
                yield Step(number, tuple(rows))
            number = statement.number if statement.number is not None else number + 1
            rows = [statement]
        elif rows and statement.depth:
            rows.append(statement)
    if rows:
        yield Step(number, tuple(rows))


def _waits_for(said: Sequence[str]) -> Iterator[int]:
    """The numbers in `depends on step 2`, `after steps 1 and 3`."""
    for place, word in enumerate(said):
        if word not in WAITS:
            continue
        after = said[place + 1 : place + 1 + _BETWEEN]
        begin = next((n for n, one in enumerate(after) if singular(one) == "step"), None)
        if begin is None:
            continue
        for one in said[place + 2 + begin :]:
            if one.isdigit():
                yield int(one)
            elif one not in ("and", "or", "step", "steps"):
                break
