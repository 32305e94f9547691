"""What gateline says on an occasion. It blocks because of a change, never because of its own failure."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from gateline.hooks import wording
from gateline.hooks.guarded import git_own, is_guarded, loses_hooks, path_within
from gateline.hooks.memory import Memories, Memory
from gateline.hooks.occasion import EDITED, EDITING, PROMPTED, STOPPING, Agent, Occasion, Said
from gateline.hooks.proposing import proposed
from gateline.resident.connection import LateError, NotAnsweredError, RefusedError
from gateline.resident.root import is_marked, root_of

Check = Callable[[str, dict[str, Any], float], dict[str, Any]]
"""Asks the session of a root for `gateline/check`, within so many seconds. Raises NotAnsweredError."""
Hand = Callable[[str, int, str], str]
"""Counts so many tokens of an operation in the task of a root; a warning where its bound is near or passed.

Raises NotAnsweredError.
"""

Remind = Callable[[str, dict[str, Any], float], list[str]]
"""Asks the session of a root for lessons before a prompt, within so many seconds. Raises NotAnsweredError."""

QUICK = 4.0
"""Seconds in which an edit is judged, also where nothing is running yet."""
_BRIEF = 2.0
"""Seconds that a prompt waits for what was learned."""
_LATE = "it takes longer than {seconds:g} s ({running}); {then}"
_BUSY = ("the session is starting, or busy with another question",)
_THEN = {
    EDITED: "the next check reports it",
    EDITING: "the check at the stop reports it",
    STOPPING: "run `gateline check` for the result",
}
_REFUSED = frozenset({"reject", "require-iteration", "fast-fail"})
_PROMPT = 100_000
"""Characters of a prompt that are looked through for names of files."""
_LARGEST = 8_000_000
"""Bytes of a file that is read to work out an edit."""


class Limits(NamedTuple):
    """How long, and how often."""

    blocks: int = 2
    """How often one stop is blocked, at most."""
    patience: float = 100.0
    """Seconds for the final gate."""


class Responder:
    """Answers one agent's occasions."""

    def __init__(self, agent: Agent, check: Check, hand: Hand, remind: Remind, limits: Limits) -> None:
        self._agent = agent
        self._remind = remind
        self._check = check
        self._hand = hand
        self._limits = limits

    def respond(self, occasion: Occasion) -> Said:
        """What is said; nothing where all is well, or where there is no project."""
        cwd = os.path.abspath(occasion.cwd)
        root = root_of(os.path.realpath(cwd))
        answers = {
            PROMPTED: self._prompted,
            EDITED: self._edited,
            EDITING: self._editing,
            STOPPING: self._stopping,
        }
        answer = answers.get(occasion.kind)
        if answer is None or not is_marked(root):
            return Said(occasion.kind)
        try:
            return self._counted(answer(occasion, root, cwd), root)
        except NotAnsweredError as error:
            return Said(occasion.kind, notice=self._unanswered(occasion.kind, error))

    def _counted(self, said: Said, root: str) -> Said:
        """The same, counted in the task as what is handed over MCP; what is for the person alone is not."""
        if not said.reason:
            return said
        # Imported late: most hooks have nothing to say.
        from gateline.model.token_count import tokens_of

        try:
            tokens = tokens_of(wording.content(said.reason))
            warning = self._hand(root, tokens, f"hook_{said.kind}")
        except NotAnsweredError:
            return said  # It is told all the same: to be counted is not what it is for.
        return said._replace(reason=wording.bounded(said.reason, warning))

    def _unanswered(self, kind: str, error: NotAnsweredError) -> str:
        """Why nothing was judged, and what comes next."""
        if not isinstance(error, LateError):
            return wording.failed(str(error))
        seconds = self._limits.patience if kind == STOPPING else QUICK
        return wording.failed(_late(kind, _BUSY, seconds))

    def _prompted(self, occasion: Occasion, root: str, cwd: str) -> Said:
        """What was learned of the files at hand. Nobody is told that it came too late: nothing was judged."""
        told = {"prompt": occasion.prompt[:_PROMPT], "asker": self._conversation(occasion)}
        try:
            lessons = self._remind(root, told, _BRIEF)
        except NotAnsweredError:
            lessons = []
        return Said(PROMPTED, wording.of_lessons(lessons) if lessons else "")

    def _edited(self, occasion: Occasion, root: str, cwd: str) -> Said:
        """What is new to this conversation; also of files that it did not write, once it was told."""
        edited = {path for edit in occasion.edits if (path := path_within(root, cwd, edit.path))}
        if occasion.edits and not edited:
            return Said(EDITED)
        memories = self._memories(root, occasion)
        owed = (memories.read() or Memory()).owed
        told = {"level": "early", "asker": self._conversation(occasion), "patience": int(QUICK * 750)}
        try:
            answer = self._check(root, told, QUICK)
        except NotAnsweredError as error:
            memories.write(Memory(0, tuple(sorted({*owed, *edited}))))
            is_without_base = isinstance(error, RefusedError) and error.code == wording.UNDECIDED
            return Said(EDITED, notice="" if is_without_base else self._unanswered(EDITED, error))
        if not answer["fresh"]:
            memories.write(Memory(0, tuple(sorted({*owed, *edited}))))
            return Said(EDITED, notice=wording.failed(_late(EDITED, answer["running"], QUICK)))
        memories.write(Memory())
        ours = None if answer["met"] else {*edited, *owed}
        found = [row for row in _added(answer) if ours is None or row["path"] in ours]
        return Said(EDITED, wording.of_edit(found) if found else "")

    def _editing(self, occasion: Occasion, root: str, cwd: str) -> Said:
        """The integrity findings of an edit of what judges, before it is made."""
        texts = proposed(occasion.edits, lambda path: _read(os.path.join(cwd, path)))
        within = {path_within(root, cwd, path): (path, text) for path, text in texts.items()}
        if refused := self._refused_at_once(within, cwd):
            return Said(EDITING, refused)
        rows = [
            {"path": path, "text": text}
            for path, (_, text) in within.items()
            if path is not None and is_guarded(path)
        ]
        if not rows:
            return Said(EDITING)
        answer = self._check(root, {"level": "early", "texts": rows, "patience": int(QUICK * 750)}, QUICK)
        if answer["evaluation"] is None:
            return Said(EDITING, notice=wording.failed(_late(EDITING, answer["running"], QUICK)))
        found = [
            row for row in _added(answer) if row["dimension"] == "integrity" and row["weight"] != "advice"
        ]
        return Said(EDITING, wording.refusal(found) if found else "")

    def _refused_at_once(self, within: dict[str | None, tuple[str, str | None]], cwd: str) -> str:
        """Why an edit is refused without a look at the change; empty when it is not."""
        for path, (given, text) in within.items():
            if path is not None and git_own(path):
                return wording.of_git(path)
            if _is_settings(self._agent, given, cwd) and loses_hooks(_read(os.path.join(cwd, given)), text):
                return wording.of_hooks(given)
        return ""

    def _stopping(self, occasion: Occasion, root: str, cwd: str) -> Said:
        """The final gate; it is let go when it was blocked often enough, whatever the agent itself counts."""
        patience = self._limits.patience
        answer = self._check(root, {"level": "final", "patience": int(patience * 950)}, patience)
        evaluation, memories = answer["evaluation"], self._memories(root, occasion)
        if evaluation is None or not answer["fresh"]:
            return Said(STOPPING, notice=wording.failed(_late(STOPPING, answer["running"], patience)))
        outcome = evaluation["decision"]["outcome"]
        if not (evaluation["files"] or evaluation["others"]) or outcome not in _REFUSED:
            memories.forget()
            is_open = outcome == "undecided" and (evaluation["files"] or evaluation["others"])
            return Said(STOPPING, notice=wording.undecided(evaluation) if is_open else "")
        blocks = self._blocks(occasion, memories.read())
        if blocks >= self._limits.blocks or not memories.write(Memory(blocks + 1)):
            memories.forget()
            return Said(STOPPING, notice=wording.gave_up(evaluation, blocks))
        return Said(STOPPING, wording.of_gate(evaluation))

    def _blocks(self, occasion: Occasion, memory: Memory | None) -> int:
        """How often this stop was blocked. What cannot be known counts as often enough: nothing may loop."""
        if occasion.is_looping is False:
            return 0
        if occasion.is_looping and memory is None:
            return max(occasion.loops, self._limits.blocks)
        return max(memory.blocks if memory else 0, occasion.loops)

    def _memories(self, root: str, occasion: Occasion) -> Memories:
        return Memories(root, self._conversation(occasion))

    def _conversation(self, occasion: Occasion) -> str:
        return f"{self._agent.name}:{occasion.session}"[:200]


def _added(answer: dict[str, Any]) -> list[dict[str, Any]]:
    added = set(answer["added"])
    return [row for row in answer["evaluation"]["findings"] if row["identity"] in added]


def _late(kind: str, running: Sequence[str], seconds: float) -> str:
    told = ", ".join(running) or "the content changed meanwhile"
    return _LATE.format(seconds=seconds, running=told, then=_THEN[kind])


def _is_settings(agent: Agent, path: str, cwd: str) -> bool:
    """Whether a path names the agent's own settings, of the project or of the user."""
    full = os.path.realpath(os.path.join(cwd, os.path.expanduser(path)))
    project, user = agent.settings
    return full == os.path.realpath(os.path.expanduser(user)) or full.endswith(
        os.sep + os.path.normpath(project)
    )


def _read(file: str) -> str | None:
    try:
        if os.path.getsize(file) > _LARGEST:
            return None
        with open(file, encoding="utf-8", newline="") as stream:
            return stream.read()
    except (OSError, ValueError):
        return None
