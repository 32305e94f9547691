"""From a problem to what the families make of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gateline.model import Diagnosis, Knowledge, Origin, Problem, Repairer

RAISED = frozenset({"Exception"})
"""The code of a family that wants to see whatever a run raised, also what only its project raises."""


def classify(
    problem: Problem, knowledge: Knowledge, repairers: Iterable[Repairer]
) -> tuple[tuple[Repairer, Diagnosis], ...]:
    """Every family's diagnosis: of the error itself first, then of what caused it."""
    offered = tuple(repairers)
    return tuple(
        (repairer, diagnosis)
        for link in chain(problem)
        for repairer in offered
        if _wants(repairer, link)
        if (diagnosis := repairer.diagnose(link, knowledge)) is not None
    )


def chain(problem: Problem) -> Iterator[Problem]:
    """A problem and its causes. The last exception is what fails; an earlier one is often why."""
    link: Problem | None = problem
    while link is not None:
        yield link
        link = link.cause


def _wants(repairer: Repairer, problem: Problem) -> bool:
    return problem.type in repairer.codes or (problem.origin is Origin.RUN and repairer.codes >= RAISED)
