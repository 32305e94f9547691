"""A refinement loop for a terminal and as JSON."""

from __future__ import annotations

import json as notation
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from gateline.cli.output.applied import told
from gateline.cli.terminal import harmless
from gateline.refinement.feedback import told_of
from gateline.refinement.policy import qualities, smoothed
from gateline.refinement.state import LoopState, Step, plain
from gateline.session.refinement.applying import Committed
from gateline.session.refinement.loop import Refined
from gateline.store.candidates.applying import Applied

_NAMED = 10
"""Failing tests that are named."""


def text(found: Refined, applied: Applied | None, committed: Committed | None) -> str:
    """For a person: the answer, the rounds, what is left, and the patch or where it went."""
    state = found.state
    assert state.ended is not None
    lines = [_answer(found, state.ended), f"  {state.ended.reason}", ""]
    lines += [told_of(done, state) for done in state.rounds]
    lines += [f"limitation: {trouble}" for trouble in state.troubles]
    lines += ["", *_left(found), *_written(found, applied, committed)]
    answer = "\n".join(harmless(line) for line in lines).strip() + "\n"
    if applied is not None or committed is not None or not found.patch:
        return answer
    return f"{answer}\n{found.patch.decode(errors='replace')}"


def json(found: Refined, applied: Applied | None, committed: Committed | None) -> str:
    """For programs: the whole state, the smoothed quality of each round, and the result."""
    state = found.state
    told: dict[str, Any] = {
        "version": 1,
        "accepted": found.accepted,
        "seconds": round(found.seconds, 1),
        "qualities": [round(one, 4) for one in qualities(state)],
        "ema": [round(one, 4) for one in smoothed(qualities(state), state.rules.alpha)],
        "changed": list(found.changed),
        "patch": found.patch.decode(errors="replace"),
        "log": str(found.log),
        "state": plain(state),
        "applied": None if applied is None else asdict(applied),
        "committed": None if committed is None else asdict(committed),
    }
    return notation.dumps(told, indent=2, ensure_ascii=False) + "\n"


FORMATS: Mapping[str, Callable[[Refined, Applied | None, Committed | None], str]] = MappingProxyType(
    {"text": text, "json": json}
)


def listed(states: Sequence[LoopState], form: str) -> str:
    """The loops of a workspace, a line each."""
    if form == "json":
        return notation.dumps([plain(state) for state in states], indent=2, ensure_ascii=False) + "\n"
    if not states:
        return 'no loops here; gateline refine "GOAL" begins one\n'
    return "".join(f"{harmless(_row(state))}\n" for state in states)


def _row(state: LoopState) -> str:
    ended = state.ended.kind if state.ended is not None else f"interrupted, --resume {state.id}"
    return f"{state.id}  {len(state.rounds)} rounds  {ended}  {state.goal}"


def _answer(found: Refined, step: Step) -> str:
    rounds = f"{len(found.state.rounds)} round{'s' * (len(found.state.rounds) != 1)}"
    what = "accepted" if found.accepted else f"not accepted ({step.kind})"
    count = len(found.changed)
    files = f", {count} file{'s' * (count != 1)} changed" if count else ", nothing changed"
    return f"{what} after {rounds}, {found.seconds:.0f} s{files}  [{found.state.id}]"


def _left(found: Refined) -> Iterator[str]:
    """What is wrong with the result, as far as it was not accepted."""
    state = found.state
    verdicts = [done.verdict for done in state.rounds if done.tree == found.tree]
    verdict = verdicts[-1] if verdicts else state.start
    if verdict is None or found.accepted:
        return
    for one in verdict.open[:_NAMED]:
        yield f"still fails: {one.test}: {one.error}{f' at {one.place}' if one.place else ''}"
    if len(verdict.open) > _NAMED:
        yield f"and {len(verdict.open) - _NAMED} more"
    yield from (f"not acceptable: {one}" for one in (*verdict.floors, *verdict.integrity))
    yield from (f"problem: {done.trouble}" for done in state.rounds if done.trouble)


def _written(found: Refined, applied: Applied | None, committed: Committed | None) -> Iterator[str]:
    if applied is None and committed is None and found.changed:
        again = f"gateline refine --resume {found.state.id}"
        yield f"nothing is written; {again} --apply writes it, or --branch NAME"
    if applied is not None:
        yield from told(applied)
    if committed is not None:
        yield f"branch {committed.branch}: {committed.commit[:12]}"
