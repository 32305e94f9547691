"""Whether a person agreed that an editor runs the tests of a workspace.

Tests are the project's code: an editor runs none before somebody said so, once, for this workspace and this
very command. The answers are kept in the user's own folder, never in the project, where a clone would bring
them along.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from gateline.atomic_file import replace_file
from gateline.model import digest_of
from gateline.store.folders import user_state

log = logging.getLogger(__name__)


class Answer(StrEnum):
    """What a person said."""

    ALLOWED = "allowed"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Consent:
    """What was said of which command, and when."""

    answer: Answer
    command: tuple[str, ...]
    given: str
    """The date and time, as ISO 8601."""
    agents: tuple[str, ...] = ()
    """Commands that an agent may have refinement loops start, as a person agreed to them."""


class Consents:
    """The answers of one user, a file for each workspace."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or user_state() / "consent"

    def of(self, root: Path) -> Consent | None:
        """What was said of a workspace; None: nothing yet, or nothing that can be read."""
        file = self._file(root)
        try:
            content = json.loads(file.read_text(encoding="utf-8"))
            return Consent(
                Answer(content["answer"]),
                tuple(map(str, content["command"])),
                str(content["given"]),
                tuple(map(str, content.get("agents", ()))),
            )
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, LookupError) as error:
            log.warning("%s cannot be read, so the question will be asked again: %s", file, error)
            return None

    def allows(self, root: Path, command: Sequence[str]) -> bool:
        """Whether just this command was agreed to."""
        consent = self.of(root)
        return consent is not None and consent.answer is Answer.ALLOWED and consent.command == tuple(command)

    def forbids(self, root: Path) -> bool:
        """Whether the question must not be asked again."""
        consent = self.of(root)
        return consent is not None and consent.answer is Answer.NEVER

    def remember(self, root: Path, command: Sequence[str], answer: Answer, when: datetime) -> None:
        """Write down an answer; the last one counts. Raises OSError."""
        known = self.of(root)
        agents = known.agents if known is not None and answer is known.answer is Answer.ALLOWED else ()
        self._write(root, Consent(answer, tuple(command), when.isoformat(timespec="seconds"), agents))

    def allow_agent(self, root: Path, agent: str) -> None:
        """Write down that an agent's command may be started where tests may run.

        Raises OSError, and ValueError where nobody agreed that tests run.
        """
        known = self.of(root)
        if known is None or known.answer is not Answer.ALLOWED:
            raise ValueError("running tests here has no consent: run `gateline trust`")
        self._write(root, replace(known, agents=tuple(dict.fromkeys((*known.agents, agent)))))

    def _write(self, root: Path, consent: Consent) -> None:
        content = {
            "workspace": str(root),
            "answer": consent.answer.value,
            "command": list(consent.command),
            "given": consent.given,
            "agents": list(consent.agents),
        }
        file = self._file(root)
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, f"{json.dumps(content, indent=1)}\n".encode())

    def forget(self, root: Path) -> None:
        """Take an answer back: the question will be asked again. Raises OSError."""
        self._file(root).unlink(missing_ok=True)

    def _file(self, root: Path) -> Path:
        return self._folder / f"{digest_of(str(root.resolve()))}.json"
