"""Whether a person agreed that code of the workspace, or another agent, runs: no agent can agree."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path

from gateline.mcp.engine import EngineError


def require_consent(root: Path, what: str) -> None:
    """Refuse `what` where nobody agreed. Blocks. Raises EngineError."""
    from gateline.session.tests.consent import Answer, Consents

    consent = Consents().of(root)
    if consent is None or consent.answer is not Answer.ALLOWED:
        raise EngineError(
            f"{what}, which needs a person's consent here: ask the user to run `gateline trust` in a terminal"
        )


def require_agents(root: Path, commands: Iterable[str]) -> None:
    """Refuse commands of agents that nobody agreed to. Blocks. Raises EngineError."""
    from gateline.session.tests.consent import Consents

    consent = Consents().of(root)
    agreed = consent.agents if consent is not None else ()
    for one in commands:
        if one not in agreed:
            raise EngineError(
                f"the agent {one!r} is a command that needs a person's consent here: ask the user to run "
                f"`gateline trust --agent {shlex.quote(one)}` in a terminal, or leave it to autodebug"
            )
