"""Whether a person agreed that code of the workspace runs: no agent can agree."""

from __future__ import annotations

from pathlib import Path

from gateline.mcp.engine import EngineError


def require_consent(root: Path, what: str) -> None:
    """Refuse `what` where nobody agreed. Blocks. Raises EngineError."""
    from gateline.session.tests.consent import Answer, Consents

    consent = Consents().of(root)
    if consent is None or consent.answer is not Answer.ALLOWED:
        raise EngineError(
            f"{what}, and no person has agreed to that here: ask the user "
            "to run `gateline trust` in a terminal"
        )
