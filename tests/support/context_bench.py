"""A workspace with its context service, as servers have it, and an embedder that does as it is told."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from gateline.context.values import Answer, Question
from gateline.services.child import Child
from gateline.session.context.requests import Standing
from gateline.session.context.service import ContextService
from gateline.session.live.documents import Documents
from gateline.session.live.scheduler import Scheduler
from gateline.session.workspace.workspace import open_workspace

TOPICS = ("price", "order", "parcel", "invoice", "stock", "label", "refund", "basket", "coupon", "account")
ACTIONS = ("load", "store", "merge", "check", "print", "count", "split", "send", "watch", "close")
CODE = "\n\n".join(
    f'def {action}_{topic}(given):\n    """{action.title()} the {topic}."""\n    return given'
    for topic in TOPICS
    for action in ACTIONS
)
SCRIPT = Path(__file__).parents[1] / "session" / "context" / "scripted_embedder.py"


@dataclass
class Bench:
    """A workspace, and services on it as servers would have them."""

    root: Path
    log: Path
    services: list[ContextService] = field(default_factory=list)

    async def opened(
        self, settings: str, *, seconds: float = 0.0, dies: bool = False, trusted: bool = True
    ) -> ContextService:
        (self.root / "gateline.toml").write_text(f"[context]\n{settings}\n")
        program = [
            sys.executable,
            "-P",
            str(SCRIPT),
            str(self.log),
            str(seconds),
            "dies" if dies else "lives",
        ]
        service = ContextService(Documents(), Scheduler(), embedder=Child("embedder", program=program))
        self.services.append(service)
        await service.opened(open_workspace(self.root, os.environ), trusted=trusted)
        return service

    @property
    def embedded(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []


async def until(said: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not said():
            await asyncio.sleep(0.02)


async def asked(service: ContextService, words: str = "print the invoice") -> Answer:
    """An answer of the whole index: at the start two seconds may not do on a machine that others use, too."""
    while True:
        answer = await service.search(Question(words), 2000, 1.0)
        if "index" not in answer.degraded:
            return answer


async def standing(service: ContextService) -> Standing:
    found = await service.status()
    assert found is not None
    return found


async def ready(service: ContextService) -> None:
    await asked(service)
    await until(lambda: service.embedding.state.state == "ready")


MODEL = 'model = "../model"'
