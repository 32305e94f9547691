"""The same tests through the product's runner, as an editor asks for them."""

from __future__ import annotations

from collections.abc import Sequence

from gateline.services.tests.overlay import Overlay
from gateline.services.tests.runner import TestRunner
from gateline.testing.result import Result
from gateline_dev.runner.cold import Endings


async def run(
    runner: TestRunner, ids: Sequence[str] | None, overlay: Overlay | None = None
) -> tuple[Endings, str]:
    """How each test ended, and why not all ran. Coverage follows them, and somebody listens."""
    answer = await runner.run(ids, overlay or {}, lambda result: None)
    found: Endings = {}
    for result in answer.results:
        found.setdefault(result.id, []).append(_told(result))
    unsaid = [*map("left: {}".format, answer.left), *map("unknown: {}".format, answer.unknown)]
    return found, "; ".join(filter(None, (answer.reason, *unsaid)))


def _told(result: Result) -> str:
    kind = result.failure.problem.type if result.failure is not None else ""
    return f"{result.ending.value} {kind}".rstrip()
