"""Refinement loops of a workspace as they are kept: their states, contents, logs and locks."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from gateline.refinement.observing import is_taken
from gateline.refinement.plan_steps import names_of, task_steps
from gateline.refinement.router import TaskStep
from gateline.refinement.state import AUTODEBUG, REVIEW, LoopState, Rules, Way, loaded_steps
from gateline.session.errors import UndecidedError, UsageError
from gateline.session.refinement.agents import command_of
from gateline.session.refinement.autodebug import STRATEGIES
from gateline.session.refinement.gate_points import planned, text_of
from gateline.session.refinement.lessons import RoundLessons
from gateline.session.refinement.log import Log, Replayed, encoded
from gateline.session.refinement.requests import Asked
from gateline.session.refinement.stored import FOLDER, alone
from gateline.session.tasks.savepoints import savepoints_here
from gateline.session.workspace.base import EMPTY_TREE
from gateline.session.workspace.workspace import Workspace
from gateline.store.candidates.scratch import changed_paths, forget, keep, tree_with
from gateline.store.database import Database, StoreError
from gateline.store.folders import DATABASE, state_of
from gateline.store.loops import Loops
from gateline.store.savepoints.taking import Savepoints
from gateline.store.savepoints.values import SavepointError

KEPT = 20
"""So many loops of a workspace are remembered."""
_BUILT_IN = frozenset({AUTODEBUG, REVIEW})
_LABEL = re.compile(r"([A-Za-z_][\w-]*)=")
_COMMAND_STRATEGIES = ("direct", "smaller-steps")


@dataclass(frozen=True)
class Storage:
    """What a loop needs of the workspace: its savepoints, and where loops are kept."""

    workspace: Workspace
    savepoints: Savepoints
    loops: Loops
    lessons: RoundLessons
    folder: Path
    """Of logs and locks."""

    def begun(self, asked: Asked) -> LoopState:
        """A new loop over the content of now. Blocks."""
        base = self.workspace.base()
        if base.commit == EMPTY_TREE:
            raise UndecidedError("there is no commit to compare with; commit first")
        if asked.plan is not None:
            _require_sufficient(self.workspace, asked.plan, asked.specification)
        agents = agents_of(asked)
        ways = _ways(tuple(dict.fromkeys(agents.values())), planned=asked.plan is not None)
        steps = _steps(asked.plan, agents) if asked.plan is not None else ()
        at = datetime.now(UTC)
        name = f"{at:%Y%m%dT%H%M%S}-{secrets.token_hex(3)}"
        taken = self.savepoints.take(f"before refine: {asked.goal}"[:200], at, asked.texts)
        rules = replace(asked.rules, rounds=1) if {way.agent for way in ways} == {REVIEW} else asked.rules
        state = LoopState(name, asked.goal, ways, base.commit, taken.tree, rules, begun=at.isoformat())
        if asked.plan is not None:
            state = replace(state, steps=steps, plan=os.path.relpath(asked.plan, self.workspace.root))
        self._forget_old()
        keep(self.savepoints.shadow, f"{name}/start", taken.tree)
        self.loops.begin(state)
        known = {
            "id": name,
            "goal": asked.goal,
            "base": base.commit,
            "tree": taken.tree,
            "rules": asdict(rules),
            "steps": [asdict(step) for step in steps],
            "plan": state.plan,
        }
        files = self.contents(self.tree_of(base.commit), taken.tree)
        ways_told = [[way.agent, way.strategy] for way in ways]
        self.log(name).add("begin", at=state.begun, ways=ways_told, files=encoded(files), **known)
        return state

    def replayed(self, log: Replayed) -> LoopState:
        """A loop like that of a log, over what that began with. Blocks. Raises UsageError."""
        begun, shadow = log.begun, self.savepoints.shadow
        try:
            before = self.tree_of(begun["base"])
        except SavepointError:
            raise UsageError(
                f"the log was recorded at commit {begun['base'][:12]}, which this repository does not have"
            ) from None
        at = datetime.now(UTC)
        name = f"{at:%Y%m%dT%H%M%S}-{secrets.token_hex(3)}"
        self.savepoints.take(f"before refine: replay of {begun['id']}", at)
        tree = tree_with(shadow, before, log.files)
        ways = tuple(Way(*way) for way in begun["ways"])
        rules = Rules(**begun["rules"])
        state = LoopState(name, begun["goal"], ways, begun["base"], tree, rules, begun=at.isoformat())
        steps = loaded_steps(begun.get("steps", []))
        state = replace(state, steps=steps, plan=str(begun.get("plan", "")))
        keep(shadow, f"{name}/start", tree)
        self.loops.begin(state)
        return state

    def resumed(self, asked: Asked) -> LoopState:
        """The loop that is to go on. Blocks. Raises UsageError."""
        try:
            state = self.loops.find(asked.resume)
        except StoreError as error:
            raise UsageError(str(error)) from error
        return state

    def tree_of(self, commit: str) -> str:
        """The tree of a commit. Blocks."""
        return self.savepoints.shadow.line("rev-parse", "--verify", f"{commit}^{{tree}}")

    def contents(self, before: str, after: str) -> dict[str, bytes | None]:
        """The files in which `after` differs, as they are there. Blocks."""
        paths = changed_paths(self.savepoints.shadow, before, after)
        if not paths:
            return {}
        held = self.savepoints.shadow.files_of(after, paths)
        found = self.savepoints.shadow.contents(list(dict.fromkeys(held[p][1] for p in paths if p in held)))
        return {path: found.get(held[path][1]) if path in held else None for path in paths}

    def log(self, loop: str) -> Log:
        """Where the hand-overs of a loop are written."""
        return Log(self.folder / f"{loop}.jsonl")

    def alone(self, loop: str) -> AbstractContextManager[None]:
        """Nobody else runs this loop meanwhile. Raises UsageError."""
        return alone(self.folder, loop)

    def success(self) -> dict[str, tuple[int, int]]:
        """How many rounds of each agent were taken, and how many it had, in loops that have ended. Blocks."""
        found: dict[str, tuple[int, int]] = {}
        for state in self.loops.ended():
            for done in (one for one in state.rounds if one.merge is None):
                right, made = found.get(done.way.agent, (0, 0))
                found[done.way.agent] = right + is_taken(done, state), made + 1
        return found

    def _forget_old(self) -> None:
        for state in [one for one in self.loops.all() if one.ended is not None][KEPT - 1 :]:
            self.loops.drop(state.id)
            forget(self.savepoints.shadow, state.id)
            for suffix in ("jsonl", "lock"):
                (self.folder / f"{state.id}.{suffix}").unlink(missing_ok=True)


@contextmanager
def opened(workspace: Workspace) -> Iterator[Storage]:
    """The loops of a workspace. Blocks. Raises StoreError."""
    folder = state_of(workspace.root)
    database = Database(folder / DATABASE)
    try:
        batching = workspace.loaded.settings.worklog.batching
        lessons = RoundLessons(database, workspace.root, workspace.collector.project_files, batching)
        savepoints = savepoints_here(workspace.root)
        yield Storage(workspace, savepoints, Loops(database), lessons, folder / FOLDER)
    finally:
        database.close()


def named(agents: Sequence[str], names: Collection[str] | None) -> dict[str, str]:
    """Who works, by the name that a step of the plan has for it in `NAME=AGENT`, else by the agent itself.

    `names`: those that the plan has; None: there is no plan. Raises UsageError where what stands before
    a `=` is none of these: it may be a variable, which no shell reads.
    """
    found: dict[str, str] = {}
    for one in agents:
        label = _LABEL.match(one)
        if label is None:
            found[one] = one
            continue
        name = label.group(1)
        if name not in (names or ()):
            raise UsageError(_no_name(one, name, names))
        if name in found:
            raise UsageError(f"--agent {one!r}: another agent has the name {name!r}; give each its own")
        found[name] = one[label.end() :]
    return found


def _no_name(agent: str, name: str, names: Collection[str] | None) -> str:
    """Why what stands before the `=` of an agent is no name."""
    if names is None:
        why = "names are for the steps of a plan, and there is none (--plan)"
    else:
        why = f"no step of the plan says `agent: {name}` (they say: {', '.join(names) or 'nobody'})"
    return f"--agent {agent!r} begins with `{name}=`: {why}; a variable is set by `env {name}=... COMMAND`"


def agents_of(asked: Asked) -> dict[str, str]:
    """Who works, by the names that the plan has for them. Blocks. Raises UsageError."""
    return named(asked.agents, None if asked.plan is None else names_of(text_of(asked.plan)))


def commands_of(agents: Iterable[str]) -> tuple[str, ...]:
    """The commands among agents, as a person agrees to them. Raises UsageError."""
    return tuple(command_of(one).name for one in agents if one not in _BUILT_IN)


def _require_sufficient(workspace: Workspace, plan: Path, specification: Path | None) -> None:
    """Refuse a plan that is not sufficient. Blocks. Raises UsageError."""
    found = planned(workspace, plan, specification)
    if not found.sufficient:
        told = "\n".join(map(str, found.reasons))
        raise UsageError(f"the plan {plan} is not sufficient:\n{told}")


def _steps(plan: Path, agents: Mapping[str, str]) -> tuple[TaskStep, ...]:
    """The steps of a plan. Blocks. Raises UsageError."""
    names = {name: command_of(one).name if one not in _BUILT_IN else one for name, one in agents.items()}
    try:
        return task_steps(text_of(plan), {AUTODEBUG: AUTODEBUG, **names})
    except ValueError as error:
        raise UsageError(f"the plan {plan} cannot be followed: {error}") from None


def _ways(agents: Sequence[str], *, planned: bool) -> tuple[Way, ...]:
    """In which order who is asked, and how; errors of a plan are gateline's own repairs' business, too.

    Raises UsageError.
    """
    if planned and AUTODEBUG not in agents:
        agents = (*agents, AUTODEBUG)
    found: list[Way] = []
    for name in agents:
        if name == AUTODEBUG:
            found += [Way(name, strategy) for strategy in STRATEGIES]
        elif name == REVIEW:
            found.append(Way(name))
        else:
            found += [Way(command_of(name).name, strategy) for strategy in _COMMAND_STRATEGIES]
    return tuple(dict.fromkeys(found))
