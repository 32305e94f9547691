"""The steps of a plan as a loop follows them: what each waits for, which files it is about, who does it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from gateline.refinement.router import TaskStep
from gateline.refinement.verifier.references import is_about_new, new_names
from gateline.refinement.verifier.steps import Step, read_steps
from gateline.refinement.verifier.values import GatePoint

_AGENT = re.compile(r"\bagent:\s*`?([A-Za-z][\w-]*)", re.IGNORECASE)


def task_steps(text: str, agents: Mapping[str, str]) -> tuple[TaskStep, ...]:
    """The steps of a plan, in its order. `agents`: who can be named, by name.

    Steps are independent, unless one says that it waits for another, both are about the same file, or one
    names what another makes. A step without files waits for all before it. Raises ValueError for an agent
    that is none of these.
    """
    found: list[TaskStep] = []
    before: list[Step] = []
    for step in read_steps(text):
        if str(step.number) in {one.id for one in found}:
            raise ValueError(f"two steps have the number {step.number}: give each step its own number")
        found.append(
            TaskStep(
                str(step.number),
                GatePoint.IMPLEMENTATION,
                tuple(str(one) for one in _needs(step, before)),
                _about(step),
                agent=_agent(step, agents),
                paths=step.paths,
            )
        )
        before.append(step)
    return tuple(found)


def names_of(text: str) -> tuple[str, ...]:
    """Who the steps of a plan name as their agents, in its order."""
    named = (_AGENT.search(_about(step)) for step in read_steps(text))
    return tuple(dict.fromkeys(one.group(1) for one in named if one is not None))


def _needs(step: Step, before: Collection[Step]) -> tuple[int, ...]:
    said = step.waits_for
    names = new_names(step.statements)
    built_on = [
        one.number
        for one in before
        if not step.paths or set(step.paths) & set(one.paths) or names & _made(one)
    ]
    return tuple(dict.fromkeys((*said, *built_on)))


def _made(step: Step) -> frozenset[str]:
    """The names and files that a step says are new."""
    return new_names(statement for statement in step.statements if is_about_new(statement))


def _about(step: Step) -> str:
    return "\n".join(statement.text for statement in step.statements)


def _agent(step: Step, agents: Mapping[str, str]) -> str:
    named = _AGENT.search(_about(step))
    if named is None:
        return ""
    name = named.group(1)
    if name not in agents:
        known = ", ".join(sorted(agents)) or "none"
        raise ValueError(
            f"step {step.number} names the unknown agent {name!r} (known: "
            f"{known}): give --agent {name}=COMMAND"
        )
    return agents[name]
