"""The second gate point: a plan that can be carried out, and reaches what the specification asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import PurePosixPath

from gateline.refinement.verifier import naming
from gateline.refinement.verifier.codebase import Codebase
from gateline.refinement.verifier.coverage import uncovered
from gateline.refinement.verifier.documents import Mark, Statement, sections
from gateline.refinement.verifier.references import is_about_new, new_names, paths
from gateline.refinement.verifier.roles import Specification, read_specification
from gateline.refinement.verifier.specification import open_points
from gateline.refinement.verifier.steps import Step, read_steps
from gateline.refinement.verifier.values import Check, GatePoint, Reason, Verification, verification
from gateline.refinement.verifier.vocabulary import GUARDS, TESTS, WEAKENS, words

_CLAUSE = ".,;:"
_LONGEST = 60
"""Letters of a criterion that are shown."""


@dataclass(frozen=True, slots=True)
class Looked:
    """A plan beside its specification and the code."""

    steps: tuple[Step, ...]
    all: tuple[Statement, ...]
    specification: Specification
    """Empty where none was given."""
    is_specified: bool
    code: Codebase
    new: frozenset[str]

    @property
    def statements(self) -> tuple[Statement, ...]:
        """What the steps say."""
        return tuple(statement for step in self.steps for statement in step.statements)


def verify_plan(text: str, code: Codebase, specification: str | None = None) -> Verification:
    """Whether a plan is sufficient for a specification; without one nothing is said of criteria."""
    spec = read_specification(specification or "")
    every = tuple(statement for section in sections(text) for statement in section.statements)
    made = [statement for statement in every if is_about_new(statement)]
    new = new_names([*made, *spec.new])
    looked = Looked(read_steps(text), every, spec, specification is not None, code, new)
    return verification(GatePoint.PLAN, CHECKS, looked)


def _steps(looked: Looked) -> Iterator[str]:
    if not looked.steps:
        yield "no steps: give them as a numbered list, or below headings as “Step 1”"


def _files(looked: Looked) -> Iterator[tuple[str, int]]:
    if looked.steps and not any(step.paths for step in looked.steps):
        yield "no step names a file: say what is changed where", looked.steps[0].line
    made = frozenset(path for step in looked.steps for path in step.makes)
    new = made | frozenset(path for statement in looked.specification.new for path in paths(statement))
    yield from naming.unknown_paths(looked.statements, looked.code, new)


def _names(looked: Looked) -> Iterator[tuple[str, int]]:
    yield from naming.unknown_names(looked.statements, looked.code, looked.new)


def _covers(looked: Looked) -> Iterator[Reason | tuple[str, int]]:
    if not looked.specification.criteria:
        told = "the specification has no acceptance criteria that a step could cover: add them there"
        yield Reason("plan.covers", told, unmeasured=True)
    if looked.steps:
        for number, criterion in uncovered(looked.specification.criteria, looked.statements):
            shown = criterion.text if len(criterion.text) <= _LONGEST else f"{criterion.text[:_LONGEST]}…"
            yield f"no step covers criterion {number}, “{shown}”: add one, or name the criterion in it", 0


def _order(looked: Looked) -> Iterator[tuple[str, int]]:
    steps = {step.number: step for step in looked.steps}
    for step in looked.steps:
        for number in step.waits_for:
            if number not in steps:
                yield f"step {step.number} waits for step {number}, which there is not", step.line
    if circle := _circle({n: step.waits_for for n, step in steps.items()}):
        told = " → ".join(map(str, circle))
        yield f"steps wait for each other ({told}): one of them must come first", steps[circle[0]].line
        return
    yield from _used_too_early(looked)


def _circle(waits: Mapping[int, tuple[int, ...]]) -> tuple[int, ...]:
    """The numbers of steps that wait for each other, the first one twice; empty when none do."""
    known = {number: [one for one in wanted if one in waits] for number, wanted in waits.items()}
    try:
        TopologicalSorter(known).prepare()
    except CycleError as error:
        return tuple(error.args[1])
    return ()


def _used_too_early(looked: Looked) -> Iterator[tuple[str, int]]:
    """Files that a step uses before a later one makes them, or after an earlier one took them away."""
    gone: dict[str, int] = {}
    for place, step in enumerate(looked.steps):
        for path in step.paths:
            later = [s.number for s in looked.steps[place + 1 :] if path in s.makes]
            if (
                later
                and path not in step.makes
                and not looked.code.has_file(path)
                and not set(later) & set(step.waits_for)
            ):
                yield f"step {step.number} uses `{path}`, which step {later[0]} makes: swap them", step.line
            if path in gone and path not in step.makes:
                yield f"step {step.number} uses `{path}`, which step {gone[path]} removes", step.line
        gone |= dict.fromkeys(step.removes, step.number)


def _verified(looked: Looked) -> Iterator[str]:
    said = (word for statement in looked.statements for word in words(statement.text))
    if looked.steps and not any(word.startswith(TESTS) for word in said):
        yield "no step shows that it works: add a test, or say how it is verified"


def _protected(looked: Looked) -> Iterator[tuple[str, int]]:
    asked = {clause for s in looked.specification.all for clause in _weakenings(s)}
    for statement in looked.statements:
        for clause in _weakenings(statement):
            if clause not in asked:
                told = f"“{clause}” weakens what judges the work: leave tests and settings as they are"
                yield f"{told}, or have the specification ask for it", statement.line


def _weakenings(statement: Statement) -> Iterator[str]:
    """The clauses that take away, skip or lower a test, a check or a threshold."""
    for clause in _clauses(statement):
        said = set(words(clause))
        judges = said & GUARDS or any(_is_test(word) for word in clause.replace("`", " ").split())
        if said & WEAKENS and judges:
            yield clause


def _clauses(statement: Statement) -> Iterator[str]:
    """The parts of a statement between stops; code is kept whole."""
    current = ""
    for piece in statement.pieces:
        if piece.mark is Mark.CODE:
            current += f"`{piece.content}`"
            continue
        for letter in piece.content if piece.mark is not Mark.LINK else "":
            if letter in _CLAUSE:
                yield current.strip()
                current = ""
            else:
                current += letter
    if current.strip():
        yield current.strip()


def _is_test(word: str) -> bool:
    """Whether a word names a test or a file of tests."""
    path = PurePosixPath(word.strip(".,;:()"))
    return path.name.startswith("test_") or path.stem.endswith("_test") or "tests" in path.parts[:-1]


def _settled(looked: Looked) -> Iterator[tuple[str, int]]:
    yield from open_points(looked.all)


CHECKS: tuple[Check[Looked], ...] = (
    Check("plan.steps", "steps: items of a list, or headings as “Step 1”", _steps),
    Check("plan.files", "files in steps: in the project, or said to be new; one at least", _files),
    Check(
        "plan.names",
        "names in code spans: in the project, said to be new here or in the specification",
        _names,
    ),
    Check(
        "plan.covers",
        "each criterion: its names and half of its words, or its number, in a step",
        _covers,
        lambda looked: looked.is_specified,
    ),
    Check("plan.order", "steps that wait for others, files used before they are made: no circle", _order),
    Check("plan.verified", "a step that tests or verifies", _verified),
    Check("plan.settled", "marks as TBD, and questions", _settled),
    Check("plan.protected", "steps that delete, skip or weaken tests, checks, thresholds", _protected),
)
