"""The doors: the command line in each format, `--staged`, and an editor; what each said."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gateline_dev.bench.client import Client, ServerFailedError
from gateline_dev.truth import door
from gateline_dev.truth.workbench import Workbench

FORMATS = ("json", "concise", "github", "junit", "sarif")
_TROUBLE = re.compile(
    r"no data|fail|stale|missing|not (found|run|answer|start|measured|read|be |in force)|did not|could not|"
    r"cannot|crash|ended|died|undecided|no such|no module|within \d|broken|invalid|unknown|without|git |"
    r"shallow|lower",
    re.IGNORECASE,
)
_PATIENCE = 300.0
_MISTAKE = 2
"""The exit code of a verdict by other settings than were meant."""


@dataclass(frozen=True)
class Said:
    """What one door said of one change."""

    outcome: str
    code: int | None
    """The exit code; None where there is none."""
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Lines or sentences by format."""

    @property
    def passes(self) -> bool:
        """Whether a person or CI would go on."""
        return self.code == 0 or (self.code != _MISTAKE and self.outcome in ("accept", "conditional-accept"))


def names(texts: Sequence[str], source: str) -> bool:
    """Whether a sentence names a source and what is wrong with it."""
    word = re.compile(source, re.IGNORECASE)
    return any(word.search(text) and _TROUBLE.search(text) for text in texts)


def command_line(bench: Workbench, arguments: Sequence[str], environment: Mapping[str, str]) -> Said:
    """`gateline check` with all formats at once."""
    files = {name: bench.folder / f"said.{name}" for name in FORMATS}
    outputs = [f"--output={name}={file}" for name, file in files.items()]
    for file in files.values():
        file.unlink(missing_ok=True)
    try:
        done = subprocess.run(
            [door.program(), "check", *arguments, *outputs],
            cwd=bench.root,
            env={**bench.environment, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Said("did not end", -1)
    told = (done.stdout + done.stderr).splitlines()
    texts = {name: [*_read(name, file), *told] for name, file in files.items()}
    outcome = json.loads(files["json"].read_text())["decision"]["outcome"] if files["json"].exists() else ""
    return Said(
        outcome or {2: "mistake", 3: "undecided"}.get(done.returncode, "none"), done.returncode, texts
    )


def _read(name: str, file: Path) -> list[str]:
    if not file.exists():
        return []
    text = file.read_text(encoding="utf-8")
    return list(sentences(json.loads(text))) if name in ("json", "sarif") else text.splitlines()


def sentences(value: Any) -> Iterator[str]:
    """All texts of an answer; the state of a dimension or source as one sentence."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from sentences(item)
    elif isinstance(value, dict):
        name = value.get("dimension") or value.get("name")
        if name and value.get("state"):
            yield f"{name}: {value['state']} {value.get('reason', '')}"
        for item in value.values():
            yield from sentences(item)


def editor(bench: Workbench, environment: Mapping[str, str]) -> tuple[Said, Said]:
    """`gateline/checkpoint/evaluate` at final, and the status that followed."""
    return asyncio.run(_editor(bench, environment))


@dataclass(frozen=True)
class _Launch:
    root: Path
    environment: Mapping[str, str]
    command: list[str] = field(default_factory=lambda: [door.program(), "server", "--stdio"])
    settings: Mapping[str, Any] = field(default_factory=lambda: {"gateline": {"trusted": True}})


class _Listening(Client):
    """A client that keeps the notifications of a session."""

    def _introduction(self) -> dict[str, Any]:
        self.heard: list[dict[str, Any]] = []
        return {**super()._introduction(), "initializationOptions": {"trusted": True}}

    def _dispatch(self, message: dict[str, Any], at: float) -> None:
        if "id" not in message:
            self.heard.append(message)
        super()._dispatch(message, at)

    async def status_of(self, outcome: str | None) -> None:
        """Wait until the status says the decision, some seconds at most: another may be right as well.

        None: why there is none.
        """
        for _ in range(100):
            told = self.told("gateline/status")[-1:]
            if any(_is_said(status, outcome) for status in told):
                return
            await asyncio.sleep(0.1)

    def told(self, method: str) -> list[Any]:
        return [message.get("params") for message in self.heard if message.get("method") == method]


def _is_said(status: Mapping[str, Any], outcome: str | None) -> bool:
    said = status.get("problem") if outcome is None else status.get("decision") == outcome
    return bool(said) and not status.get("running")


async def _editor(bench: Workbench, environment: Mapping[str, str]) -> tuple[Said, Said]:
    launch = _Launch(bench.root, {**bench.environment, **environment})
    client = await _Listening.start(launch)
    assert isinstance(client, _Listening)
    try:
        await client.initialize()
        await client.request(
            "workspace/executeCommand", {"command": "gateline.tests.allow", "arguments": []}, _PATIENCE
        )
        client.open(bench.root / "cart.py", (bench.root / "cart.py").read_text(encoding="utf-8"))
        judged = await client.request(
            "gateline/checkpoint/evaluate", {"scope": "change", "level": "final"}, _PATIENCE
        )
        await client.status_of(judged.result["decision"]["outcome"])
        said = Said(judged.result["decision"]["outcome"], None, {"evaluate": list(sentences(judged.result))})
    except ServerFailedError as error:
        await client.status_of(None)
        shown = client.told("window/showMessage")
        said = Said("undecided", None, {"evaluate": [str(error), *sentences(shown)]})
    finally:
        told = client.told("gateline/status")
        shown = [*client.told("textDocument/publishDiagnostics"), *client.told("window/showMessage")]
        await client.close()
    last = told[-1] if told else {}
    status = Said(str(last.get("decision")), None, {"status": list(sentences([last, shown]))})
    return said, status
