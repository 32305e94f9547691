"""How a command ends: exit codes, and mistakes told in one sentence."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, TypeVar

import click

from gateline.model.evaluation import Evaluation, Outcome, Status
from gateline.session.errors import UndecidedError, UsageError

PASSED, FAILED, USAGE, UNDECIDED = 0, 1, 2, 3

T = TypeVar("T")


class Mistake(click.ClickException):
    """A mistake of the person: exit code 2."""

    exit_code = USAGE


class Undecided(click.ClickException):
    """Nothing could be decided: exit code 3."""

    exit_code = UNDECIDED


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run the work; what stops it is told without a traceback. Raises Mistake and Undecided."""
    # A verdict that was made before waits for neither.
    import asyncio

    from gateline.services.child import ChildError, last_line

    try:
        return asyncio.run(work)
    except UsageError as error:
        raise Mistake(str(error)) from error
    except UndecidedError as error:
        raise Undecided(str(error)) from error
    except ChildError as error:
        raise Undecided(f"{last_line(error)}; run it again, and see `gateline doctor`") from error


def exit_code(evaluation: Evaluation) -> int:
    """What a decision means to a shell."""
    if evaluation.decision.outcome is Outcome.UNDECIDED:
        return UNDECIDED
    return FAILED if evaluation.decision.status is Status.FAIL else PASSED
