"""The ways in which somebody has gateline repair an error: what shows it is piped in, tests may be run."""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from gateline_dev.autodebug.workspace import Workspace
from gateline_dev.bench.editor import Json
from gateline_dev.sessions.client import Client, NoAnswerError
from gateline_dev.sessions.far import FarLine

_PROOF = re.compile(r"(?:can be|was) repaired: .* \[(V\d)")
_FIX = (sys.executable, "-m", "gateline", "fix")


@dataclass(frozen=True)
class Repaired:
    """What gateline did about the error of a workspace; the files are changed already."""

    seconds: float
    """From the question to the answer."""
    told: str
    """What it said."""

    @property
    def proof(self) -> str:
        """How far the repairs were verified: `V1` to `V3`, the least of them; empty without any."""
        return min(_PROOF.findall(self.told), default="")


Door = Callable[[Workspace], Repaired]


def shown(workspace: Workspace) -> Repaired:
    """`gateline fix` on what the command printed; what is shown first is applied, as by who believes it."""
    answer = _fixed(workspace)
    workspace.apply(answer.told)
    return answer


def written(workspace: Workspace) -> Repaired:
    """`gateline fix --write`: only clear winners are made."""
    return _fixed(workspace, "--write")


def _fixed(workspace: Workspace, *options: str) -> Repaired:
    seen = workspace.seen()
    began = time.perf_counter()
    answer = workspace.run([*_FIX, "--tests", *options, "--traceback", "-"], seen)
    return Repaired(time.perf_counter() - began, answer.stdout)


def asked(workspace: Workspace) -> Repaired:
    """`gateline/autodebug` in a session that is warm, in which the person agreed that tests are run."""
    return asyncio.run(_asked(workspace, workspace.seen()))


async def _asked(workspace: Workspace, seen: str) -> Repaired:
    with tempfile.TemporaryDirectory(prefix="gateline-state-") as state:
        line = await FarLine.start(workspace.root, {**workspace.environment, "XDG_STATE_HOME": state})
        client = Client(line, workspace.root, trusted=True)
        try:
            await client.begin()
            client.tell("textDocument/didOpen", {"textDocument": _document(workspace)})
            await client.ask("workspace/executeCommand", {"command": "gateline.tests.allow"})
            await client.rest()
            began = time.perf_counter()
            answer = await client.ask("gateline/autodebug", {"traceback": seen})
        except NoAnswerError as error:
            return Repaired(0.0, str(error))
        finally:
            await client.end()
    for row in answer["texts"] if answer["success"] else ():
        (workspace.root / row["path"]).write_text(row["text"], encoding="utf-8", newline="")
    told = (
        f"can be repaired: {answer['title']} [{answer['proof']}]" if answer["success"] else answer["document"]
    )
    return Repaired(time.perf_counter() - began, told)


def _document(workspace: Workspace) -> Json:
    file = workspace.root / workspace.told["target"]
    text = file.read_bytes().decode("utf-8", "replace")
    return {"uri": file.as_uri(), "languageId": "python", "version": 1, "text": text}


DOORS: Mapping[str, Door] = MappingProxyType({"shown": shown, "written": written, "asked": asked})
