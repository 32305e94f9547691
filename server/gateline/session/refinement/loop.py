"""Runs a refinement loop: rounds in a scratch work tree, each stored before the next one begins.

What happens next is the policy's business; here it is carried out. A process that is killed leaves a loop
that `resume` goes on with at the round it was in: a round counts when it is stored, and is stored once.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import portalocker

from gateline.git import GitError
from gateline.refinement.contract import AgentContext, AgentInput, AgentOutput, RefinementState
from gateline.refinement.feedback import feedback, numbers, told_of
from gateline.refinement.policy import best_of, checkpoint_of, next_step
from gateline.refinement.state import Kind, LoopState, Round, Rules, Step, Verdict, Way
from gateline.services.agent_command import AgentError
from gateline.services.threaded import threaded
from gateline.session.check import readable_workspace
from gateline.session.errors import UndecidedError, UsageError
from gateline.session.memory.fixes import fixed, fixes_of
from gateline.session.refinement.agents import AUTODEBUG, REVIEW, Agent, Desk, Review, command_of
from gateline.session.refinement.autodebug import STRATEGIES, Autodebug
from gateline.session.refinement.lessons import RoundLessons, inside
from gateline.session.refinement.log import Log, Replayed, encoded, read_log
from gateline.session.refinement.verifying import Findings, Verifying, verifying
from gateline.session.tasks.metrics import keep_metrics
from gateline.session.tasks.savepoints import savepoints_here
from gateline.session.workspace.base import EMPTY_TREE
from gateline.session.workspace.workspace import Workspace
from gateline.store.candidates.scratch import Scratch, changed_paths, forget, keep, scratch, tree_with
from gateline.store.candidates.trees import Base, CandidateError
from gateline.store.database import Database, StoreError
from gateline.store.folders import DATABASE, state_of
from gateline.store.loops import Loops
from gateline.store.savepoints.taking import Savepoints
from gateline.store.savepoints.values import SavepointError

KEPT = 20
"""So many loops of a workspace are remembered."""
_COMMAND_STRATEGIES = ("direct", "smaller-steps")
Tell = Callable[[str], None]
OnRound = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be refined, by whom, and how long."""

    goal: str = ""
    agents: tuple[str, ...] = (AUTODEBUG,)
    rules: Rules = field(default_factory=Rules)
    resume: str = ""
    """The identifier of a loop to go on with, or its beginning; empty: a new one."""
    python: str = ""
    """The interpreter of the project; empty: as settings and environment say."""
    replay: Path | None = None
    """A log whose rounds are judged again, without asking its agents."""


@dataclass(frozen=True, slots=True)
class Refined:
    """A loop that has ended, and its result."""

    root: Path
    top: Path
    """Of the repository: paths of the patch are relative to it."""
    state: LoopState
    tree: str
    """The best content that was found."""
    changed: tuple[str, ...]
    """The paths in which that differs from the start."""
    patch: bytes
    log: Path
    seconds: float

    @property
    def accepted(self) -> bool:
        """Whether the result was accepted."""
        return self.state.ended is not None and self.state.ended.kind is Kind.ACCEPT


async def refine(
    start: Path,
    asked: Asked,
    environ: Mapping[str, str] | None = None,
    tell: Tell = lambda step: None,
    on_round: OnRound = lambda line: None,
) -> Refined:
    """Run a loop for the workspace around `start` to its end. Its tests run: the person agreed to that.

    `tell` hears each step, `on_round` one line for each round. Nothing of the user's is changed.

    Raises:
        UsageError: an agent, the loop or the settings cannot be used.
        UndecidedError: git cannot be used, or the store cannot.
        ChildError: a process that judges could not.

    """
    python = {"python": asked.python} if asked.python else {}
    workspace = await asyncio.to_thread(readable_workspace, start, environ or os.environ, python)
    if workspace.git is None:
        raise UndecidedError(f"{workspace.root} is not in a git repository; run `git init` and commit first")
    try:
        with _opened(workspace) as desk:
            replayed = await asyncio.to_thread(read_log, asked.replay) if asked.replay else None
            if replayed is not None:
                state = await asyncio.to_thread(desk.replayed, replayed)
            else:
                state = await asyncio.to_thread(desk.resumed if asked.resume else desk.begun, asked)
            with desk.alone(state.id):
                return await _Refining(desk, state, tell, on_round, replayed).refined()
    except (SavepointError, GitError, StoreError, CandidateError, OSError) as error:
        raise UndecidedError(f"the loop cannot go on: {error}") from error


@dataclass(frozen=True)
class _Desk:
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
            raise UndecidedError("nothing is committed yet, so nothing tells what is new; commit first")
        ways = _ways(asked.agents)
        at = datetime.now(UTC)
        name = f"{at:%Y%m%dT%H%M%S}-{secrets.token_hex(3)}"
        taken = self.savepoints.take(f"before refine: {asked.goal}"[:200], at)
        rules = replace(asked.rules, rounds=1) if {way.agent for way in ways} == {REVIEW} else asked.rules
        state = LoopState(name, asked.goal, ways, base.commit, taken.tree, rules, begun=at.isoformat())
        self._forget_old()
        keep(self.savepoints.shadow, f"{name}/start", taken.tree)
        self.loops.begin(state)
        known = {
            "id": name,
            "goal": asked.goal,
            "base": base.commit,
            "tree": taken.tree,
            "rules": asdict(rules),
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
            raise UsageError(f"the log is of commit {begun['base'][:12]}, which is not here") from None
        at = datetime.now(UTC)
        name = f"{at:%Y%m%dT%H%M%S}-{secrets.token_hex(3)}"
        self.savepoints.take(f"before refine: replay of {begun['id']}", at)
        tree = tree_with(shadow, before, log.files)
        ways = tuple(Way(*way) for way in begun["ways"])
        rules = Rules(**begun["rules"])
        state = LoopState(name, begun["goal"], ways, begun["base"], tree, rules, begun=at.isoformat())
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

    @contextmanager
    def alone(self, loop: str) -> Iterator[None]:
        """Nobody else runs this loop meanwhile. Raises UsageError."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = portalocker.Lock(self.folder / f"{loop}.lock", "a", timeout=0, fail_when_locked=True)
        try:
            lock.acquire()
        except portalocker.LockException:
            raise UsageError(f"loop {loop} is under way in another process") from None
        try:
            yield
        finally:
            lock.release()

    def _forget_old(self) -> None:
        for state in [one for one in self.loops.all() if one.ended is not None][KEPT - 1 :]:
            self.loops.drop(state.id)
            forget(self.savepoints.shadow, state.id)
            for suffix in ("jsonl", "lock"):
                (self.folder / f"{state.id}.{suffix}").unlink(missing_ok=True)


@contextmanager
def _opened(workspace: Workspace) -> Iterator[_Desk]:
    folder = state_of(workspace.root)
    database = Database(folder / DATABASE)
    try:
        batching = workspace.loaded.settings.worklog.batching
        lessons = RoundLessons(database, workspace.root, workspace.collector.project_files, batching)
        savepoints = savepoints_here(workspace.root)
        yield _Desk(workspace, savepoints, Loops(database), lessons, folder / "refinement")
    finally:
        database.close()


def loops_of(root: Path) -> list[LoopState]:
    """All loops of the workspace at `root`, newest first. Blocks. Raises StoreError."""
    database = Database(state_of(root) / DATABASE)
    try:
        return Loops(database).all()
    finally:
        database.close()


def _ways(agents: Sequence[str]) -> tuple[Way, ...]:
    """In which order who is asked, and how. Raises UsageError."""
    found: list[Way] = []
    for name in agents:
        if name == AUTODEBUG:
            found += [Way(name, strategy) for strategy in STRATEGIES]
        elif name == REVIEW:
            found.append(Way(name))
        else:
            found += [Way(command_of(name).name, strategy) for strategy in _COMMAND_STRATEGIES]
    return tuple(dict.fromkeys(found))


@dataclass
class _Refining:
    """One loop that runs."""

    desk: _Desk
    state: LoopState
    tell: Tell
    on_round: OnRound
    replayed: Replayed | None = None
    """A log that stands in for its agents."""
    agents: dict[str, Agent] = field(default_factory=dict)

    async def refined(self) -> Refined:
        """Run it to its end; one that has ended is told of again."""
        began = time.monotonic()
        if self.state.ended is None:
            await self._rounds()
            await asyncio.to_thread(keep_metrics, self.desk.workspace.root)
        state = self.state
        assert state.ended is not None
        root, top = self.desk.workspace.root, self.desk.savepoints.root
        shadow = self.desk.savepoints.shadow
        tree = state.ended.tree or best_of(state)[0]
        changed = await asyncio.to_thread(changed_paths, shadow, state.tree, tree)
        if trouble := await asyncio.to_thread(fixed, root, state.id, fixes_of(state, changed)):
            self.tell(trouble)
        patch = await asyncio.to_thread(
            shadow.run, "diff-tree", "-p", "--binary", "--no-renames", state.tree, tree
        )
        log = self.desk.log(state.id).file
        return Refined(root, top, state, tree, changed, patch, log, time.monotonic() - began)

    async def _rounds(self) -> None:
        desk, state = self.desk, self.state
        shadow = desk.savepoints.shadow
        base = Base(state.base, await asyncio.to_thread(desk.tree_of, state.base))
        inside = desk.workspace.root.relative_to(desk.savepoints.root)
        self.tell("preparing a work tree of its own")
        async with threaded(scratch(desk.workspace.root, shadow, next_step(state).tree, base)) as place:
            root = place.files / inside
            python = desk.workspace.interpreter.path
            judge = await asyncio.to_thread(verifying, root, state.base, python, desk.workspace.root)
            warming = [asyncio.create_task(one) for one in self._warmed(judge)]
            try:
                await self._until_the_end(_Place(place, root, judge))
            finally:
                for task in warming:
                    task.cancel()
                await asyncio.gather(*warming, return_exceptions=True)
                stopping = [agent.stop() for agent in self.agents.values() if isinstance(agent, Autodebug)]
                await asyncio.gather(judge.stop(), *stopping)

    def _warmed(self, judge: Verifying) -> Iterator[Coroutine[Any, Any, None]]:
        """What is started while the tests of the start run."""
        if self.replayed is None and any(way.agent == AUTODEBUG for way in self.state.ways):
            self.agents[AUTODEBUG] = made = Autodebug(judge)
            yield made.warm()
        yield judge.warm()

    async def _until_the_end(self, place: _Place) -> None:
        while not (step := self._next()).is_end:
            if step.kind is Kind.VERIFY:
                found = await place.judge.findings(self.state, step.tree, "", self.tell)
                await self._stored(replace(self.state, start=found.verdict))
            else:
                await self._round(step, place)
        await self._stored(replace(self.state, ended=step))
        self._log("end", kind_of_end=str(step.kind), reason=step.reason, tree=step.tree)

    def _next(self) -> Step:
        """What the policy says; where a log has no more rounds, its end."""
        step = next_step(self.state)
        log, done = self.replayed, len(self.state.rounds)
        if log is None or step.kind is not Kind.RUN or done < len(log.rounds):
            return step
        return Step(Kind.CANCELLED, f"the log ends after {done} rounds", tree=best_of(self.state)[0])

    async def _stored(self, state: LoopState) -> None:
        await asyncio.to_thread(self.desk.loops.update, state)
        self.state = state

    async def _round(self, step: Step, place: _Place) -> None:
        assert step.way is not None
        number = len(self.state.rounds) + 1
        began = time.monotonic()
        await self._reset(step.tree, place)
        found = await place.judge.findings(self.state, step.tree, "", self.tell)
        lessons = await asyncio.to_thread(self._lessons, step, found.verdict)
        asked = self._asked(step, number, place, found, lessons)
        self._log("input", round=number, tree=step.tree, input=asked.model_dump(mode="json"))
        output, trouble = await self._worked(step.way, asked, place, found)
        if trouble:
            # What a crash, or a time limit, left half-written is nobody's proposal.
            await self._reset(step.tree, place)
        shadow = self.desk.savepoints.shadow
        tree = await asyncio.to_thread(self._kept, number, place)
        changed = await asyncio.to_thread(changed_paths, shadow, step.tree, tree)
        files = await asyncio.to_thread(self.desk.contents, step.tree, tree)
        told = output.model_dump(mode="json") if output is not None else None
        self._log("output", round=number, tree=tree, files=encoded(files), output=told, trouble=trouble)
        await self._written(changed, place)
        checkpoint = checkpoint_of(number, self.state.rules.rounds)
        verdict = (await place.judge.findings(self.state, tree, checkpoint, self.tell)).verdict
        done = Round(
            number,
            step.way,
            step.tree,
            tree,
            verdict,
            changed,
            success=output.success if output is not None else False,
            confidence=output.confidence if output is not None else 0.0,
            reasoning=output.reasoning[:4000] if output is not None else "",
            trouble=trouble,
            seconds=round(time.monotonic() - began, 1),
            tokens=output.tokens if output is not None else 0,
            cost=output.cost if output is not None else 0.0,
        )
        await asyncio.to_thread(self.desk.loops.add, self.state.id, done)
        self.state = replace(self.state, rounds=(*self.state.rounds, done))
        self.on_round(told_of(done, self.state))

    def _kept(self, number: int, place: _Place) -> str:
        """The tree that a round left, under a name of its own. Blocks."""
        # Whoever drops savepoints prunes what has no name yet.
        with self.desk.savepoints.locked():
            tree = place.scratch.take(self.state.tree)
            keep(self.desk.savepoints.shadow, f"{self.state.id}/{number:02}", tree)
        return tree

    async def _worked(
        self, way: Way, asked: AgentInput, place: _Place, found: Findings
    ) -> tuple[AgentOutput | None, str]:
        """What the agent answers; else what it did instead."""
        if self.replayed is not None:
            return await asyncio.to_thread(self._as_logged, len(self.state.rounds), place)
        agent = self._agent(way.agent, place.judge)
        self.tell(f"round {asked.context.refinement_state.round}: {way.agent} {way.strategy}".rstrip())
        try:
            return await agent.work(asked, Desk(place.root, found, self.tell)), ""
        except AgentError as error:
            return None, str(error)

    def _as_logged(self, at: int, place: _Place) -> tuple[AgentOutput | None, str]:
        """Write what an agent wrote according to the log. Blocks."""
        assert self.replayed is not None
        row, files = self.replayed.rounds[at]
        for path, data in files.items():
            file = place.scratch.files / path
            # Resolved: a link in the tree may lead anywhere.
            if not file.resolve().is_relative_to(place.scratch.files.resolve()):
                raise UsageError(f"the log writes {path!r}, which is outside of the work tree")
            if data is None:
                file.unlink(missing_ok=True)
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)
        output = None if row["output"] is None else AgentOutput.model_validate(row["output"])
        return output, str(row["trouble"])

    def _agent(self, name: str, judge: Verifying) -> Agent:
        if name not in self.agents:
            made: Agent = Review() if name == REVIEW else command_of(name)
            self.agents[name] = Autodebug(judge) if name == AUTODEBUG else made
        return self.agents[name]

    def _lessons(self, step: Step, verdict: Verdict) -> tuple[str, ...]:
        """What was learned before of what a round works on. Blocks."""
        assert step.way is not None
        if self.replayed is not None:
            return ()
        desk = self.desk
        changed = changed_paths(desk.savepoints.shadow, desk.tree_of(self.state.base), step.tree)
        besides = ("repairs",) if step.way.agent == AUTODEBUG else ()
        paths = inside(changed, desk.workspace.root, desk.savepoints.root)
        return desk.lessons.before_round(verdict, paths, besides)

    def _asked(
        self, step: Step, number: int, place: _Place, found: Findings, lessons: tuple[str, ...]
    ) -> AgentInput:
        assert step.way is not None
        quality, ema = numbers(self.state)
        failing = [{"test": one.test, "error": one.error, "place": one.place} for one in found.verdict.open]
        outputs = tuple(
            {"round": done.number, "success": done.success, "reasoning": done.reasoning}
            for done in self.state.rounds
        )
        return AgentInput(
            agent_id=step.way.agent,
            task_id=self.state.id,
            input_data={"goal": self.state.goal, "workspace": str(place.root), "failing": failing},
            context=AgentContext(
                previous_outputs=outputs,
                cumulative_feedback=feedback(self.state),
                lessons=lessons,
                refinement_state=RefinementState(
                    round=number,
                    rounds=self.state.rules.rounds,
                    quality=quality,
                    ema=ema,
                    strategy=step.way.strategy,
                    advice=self.state.latest.advice if self.state.latest is not None else (),
                ),
            ),
        )

    async def _reset(self, tree: str, place: _Place) -> None:
        paths = await asyncio.to_thread(place.scratch.reset, tree, self.state.tree)
        await self._written(paths, place)

    async def _written(self, paths: Sequence[str], place: _Place) -> None:
        """Tell whoever remembers files that these, from the top of the repository, were written."""
        inside = [os.path.relpath(place.scratch.files / path, place.root) for path in paths]
        if inside:
            await place.judge.written(inside)
            for agent in self.agents.values():
                if isinstance(agent, Autodebug):
                    agent.written(inside)

    def _log(self, kind: str, **said: object) -> None:
        self.desk.log(self.state.id).add(kind, at=datetime.now(UTC).isoformat(), **said)


@dataclass(frozen=True)
class _Place:
    """Where a loop works."""

    scratch: Scratch
    root: Path
    """Of the workspace in it."""
    judge: Verifying
