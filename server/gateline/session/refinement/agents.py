"""Who works in a round: a built-in agent, or a command. All are asked by the same contract."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from pydantic import ValidationError

from gateline.refinement.contract import AgentInput, AgentOutput
from gateline.resident.connection import dismiss
from gateline.services.agent_acp import Files, converse
from gateline.services.agent_command import AgentError, AgentLimits, ask
from gateline.session.errors import UsageError
from gateline.session.refinement.verifying import Findings

_VARIABLE = re.compile(r"[A-Za-z_]\w*=")
ACP = "acp:"
"""Before the command of an agent that speaks the Agent Client Protocol."""
_RULES = (
    "Work in this folder only. The result is judged with all tests; weakened or removed tests, silenced "
    "checks and changed gate settings are never accepted."
)
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Desk:
    """Where an agent works: the scratch workspace, and what was found of what it holds."""

    root: Path
    findings: Findings
    tell: Tell


class Agent(Protocol):
    """Works in a scratch work tree, and says what it did."""

    async def work(self, asked: AgentInput, desk: Desk) -> AgentOutput:
        """Work on what is asked. Raises AgentError."""
        ...


class Review:
    """Changes nothing: the check alone speaks."""

    async def work(self, asked: AgentInput, desk: Desk) -> AgentOutput:
        """Say what the check found."""
        verdict = desk.findings.verdict
        return AgentOutput(
            agent_id=asked.agent_id,
            task_id=asked.task_id,
            success=verdict.is_clean,
            reasoning="; ".join(verdict.reasons) or verdict.outcome,
            confidence=1.0,
            next_actions=verdict.reasons,
        )


@dataclass(frozen=True, slots=True)
class Command:
    """A command, started anew for each round."""

    words: tuple[str, ...]
    limits: AgentLimits = field(default_factory=AgentLimits)

    @property
    def name(self) -> str:
        """As `command_of` takes it."""
        return shlex.join(self.words)

    async def work(self, asked: AgentInput, desk: Desk) -> AgentOutput:
        """Ask the command; files that it answers with are written."""
        desk.tell(f"{self.words[0]} is at work")
        question = asked.model_dump(mode="json")
        answer = await ask(self.words, question, desk.root, self.limits, {"GATELINE_TASK": asked.task_id})
        output = answered(asked, answer)
        await asyncio.to_thread(write_files, desk.root, output.output_data.get("files"))
        return output


@dataclass(frozen=True, slots=True)
class AcpAgent:
    """A command that speaks the Agent Client Protocol, started anew for each round."""

    words: tuple[str, ...]
    limits: AgentLimits = field(default_factory=AgentLimits)

    @property
    def name(self) -> str:
        """As `command_of` takes it."""
        return ACP + shlex.join(self.words)

    async def work(self, asked: AgentInput, desk: Desk) -> AgentOutput:
        """One turn: what is to be done goes as its prompt, what it asks of files is answered here."""
        desk.tell(f"{self.words[0]} is at work")
        files = Files(partial(_read, desk.root), partial(_write, desk.root))
        try:
            turn = await converse(self.words, prompt_of(asked), desk.root, self.limits, files)
        finally:
            # Its MCP server may have started one, of a work tree that goes.
            await asyncio.to_thread(dismiss, str(desk.root))
        return AgentOutput(
            agent_id=asked.agent_id,
            task_id=asked.task_id,
            success=turn.stop == "end_turn",
            reasoning=" ".join(filter(None, [turn.said.strip(), *turn.refused, _stopped(turn.stop)])),
            metadata={"stop_reason": turn.stop, "refused": turn.refused},
        )


def _stopped(reason: str) -> str:
    return "" if reason == "end_turn" else f"It stopped with {reason}."


def _read(root: Path, name: str) -> str:
    file = _inside(root, name)
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise AgentError(f"{name} cannot be read: {error}") from None


def _write(root: Path, name: str, text: str) -> None:
    path = Path(os.path.normpath(root / name))
    write_files(root, {str(path.relative_to(root)) if path.is_relative_to(root) else name: text})


def prompt_of(asked: AgentInput) -> str:
    """What an agent that takes text is told: the goal, what fails, and what was found of earlier rounds."""
    state = asked.context.refinement_state
    failing = [
        f"- {one['test']}: {one['error']} {one['place']}".rstrip() for one in asked.input_data["failing"]
    ]
    found = [f"- {one}" for one in asked.context.cumulative_feedback]
    learned = [f"- {one}" for one in asked.context.lessons]
    parts = [
        f"Goal: {asked.input_data['goal']}",
        _step(asked.input_data.get("step")),
        f"This is round {state.round} of at most {state.rounds}. {_RULES}",
        "\n".join(["Failing tests:", *failing]) if failing else "",
        "\n".join(["What was found so far:", *found]) if found else "",
        "\n".join(["What was learned here before:", *learned]) if learned else "",
        f"Go about it this way: {state.strategy}." if state.strategy else "",
    ]
    return "\n\n".join(filter(None, parts))


def _step(step: Mapping[str, Any] | None) -> str:
    """What of a plan is to be done now; empty without one."""
    if step is None:
        return ""
    return f"Do step {step['id']} of the plan now, and nothing of the others:\n{step['about']}"


def command_of(text: str) -> Command | AcpAgent:
    """The agent that a person named as a command; `acp:` before it says what it speaks. Raises UsageError."""
    speaks_acp = text.startswith(ACP)
    try:
        words = tuple(shlex.split(text.removeprefix(ACP).removeprefix("cmd ")))
    except ValueError as error:
        raise UsageError(f"--agent {text!r} is not a valid command: {error}") from None
    if not words:
        raise UsageError("--agent '' names nothing; give autodebug, review, or a command")
    if _VARIABLE.match(words[0]):
        raise UsageError(
            f"--agent {text!r} begins with a variable, and no shell reads it: begin with `env {words[0]}`"
        )
    return AcpAgent(words) if speaks_acp else Command(words)


def answered(asked: AgentInput, answer: Mapping[str, Any]) -> AgentOutput:
    """What an agent answered, by the contract. Raises AgentError."""
    try:
        output = AgentOutput.model_validate(answer)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise AgentError(f"the agent's answer violates the contract: {where}: {first['msg']}") from None
    if output.task_id != asked.task_id:
        raise AgentError(f"the agent answered for task {output.task_id!r}, not for {asked.task_id!r}")
    return output


def write_files(root: Path, files: object) -> None:
    """Write the texts that an agent answered with (None: delete). Blocks. Raises AgentError."""
    if files is None:
        return
    if not isinstance(files, Mapping):
        raise AgentError("output_data.files must be an object of texts by path")
    for name, text in files.items():
        file = _inside(root, name)
        if not (text is None or isinstance(text, str)):
            raise AgentError(f"output_data.files[{name!r}] must be a string or null")
        try:
            if text is None:
                file.unlink(missing_ok=True)
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(text.encode("utf-8", "surrogatepass"))
        except OSError as error:
            raise AgentError(f"{name} cannot be written: {error.strerror}") from None


def _inside(root: Path, name: str) -> Path:
    """A file below the root, through no link. Raises AgentError."""
    file = Path(os.path.normpath(root / name))
    top = root.resolve()
    if not file.is_relative_to(root) or file == root or not file.parent.resolve().is_relative_to(top):
        raise AgentError(f"the agent tried to write {name!r}, which is outside of its work tree")
    if file.relative_to(root).parts[0] == ".git" or file.is_symlink():
        raise AgentError(f"the agent tried to write {name!r}, which is not a regular file of its work tree")
    return file
