"""Coding agents as their vendors publish them, set up for one conversation with a scripted model."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

# No name of gateline's own: with another setting a hook would replace the engine that is warm.
FOLDER = os.environ.get("CODING_AGENTS", "")
PROGRAMS = Path(FOLDER) / "node_modules" / ".bin"
KEY = "no-key"
"""What agents send as the key of their API; nothing checks it."""


class RealAgent(NamedTuple):
    """How an agent is set up and started."""

    name: str
    program: str
    """Below `node_modules/.bin`."""
    settings: Callable[[Path, Path, str], None]
    """Writes the person's settings: home folder, project, where the model listens."""
    variables: Callable[[str], dict[str, str]]
    arguments: Sequence[str]
    """What stands before the person's request."""
    reads: bool = True
    """Whether it has a tool of its own that reads files, and not only a shell."""


def _gemini(home: Path, project: Path, url: str) -> None:
    told = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "privacy": {"usageStatisticsEnabled": False},
        "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
    }
    _write(home / ".gemini" / "settings.json", json.dumps(told))
    # Settings of a project, and hooks with them, count where the person trusts the folder.
    _write(home / ".gemini" / "trustedFolders.json", json.dumps({str(project): "TRUST_FOLDER"}))


def _codex(home: Path, project: Path, url: str) -> None:
    _write(
        home / ".codex" / "config.toml",
        'model_provider = "script"\ncheck_for_update_on_startup = false\n[analytics]\nenabled = false\n'
        f'[model_providers.script]\nname = "script"\nbase_url = "{url}/v1"\nenv_key = "SCRIPT_KEY"\n'
        'wire_api = "responses"\nrequest_max_retries = 0\nstream_max_retries = 0\n'
        # Hooks of a project count where the person trusts it.
        f'[projects."{project}"]\ntrust_level = "trusted"\n',
    )


def _claude(home: Path, project: Path, url: str) -> None:
    _write(home / ".claude.json", json.dumps({"hasCompletedOnboarding": True}))


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


AGENTS = {
    agent.name: agent
    for agent in (
        RealAgent(
            "gemini",
            "gemini",
            _gemini,
            lambda url: {"GEMINI_API_KEY": KEY, "GOOGLE_GEMINI_BASE_URL": url},
            ("--model", "gemini-2.5-flash", "--approval-mode", "yolo", "--prompt"),
        ),
        # Without these two Codex asks a person to trust the hooks and each edit.
        RealAgent(
            "codex",
            "codex",
            _codex,
            lambda url: {"SCRIPT_KEY": KEY},
            (
                *("exec", "--model", "gpt-5.5", "--json", "--dangerously-bypass-hook-trust"),
                "--dangerously-bypass-approvals-and-sandbox",
            ),
            reads=False,
        ),
        RealAgent(
            "claude",
            "claude",
            _claude,
            lambda url: {
                "ANTHROPIC_BASE_URL": url,
                "ANTHROPIC_API_KEY": KEY,
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
                "DISABLE_AUTOUPDATER": "1",
            },
            ("--permission-mode", "acceptEdits", "--print"),
        ),
    )
}


def require(agent: RealAgent) -> None:
    """Skip the test where the agent is not installed."""
    if not FOLDER or not (PROGRAMS / agent.program).exists():
        pytest.skip(f"no {agent.program}: `make test-agents` installs it")


def environment(agent: RealAgent, home: Path, url: str) -> dict[str, str]:
    """What an agent is started with.

    Nothing of this process's environment is handed on but what finds programs: no key, no proxy, and no
    agent that this may run in.
    """
    given = {name: os.environ[name] for name in ("LANG", "LC_ALL", "TMPDIR") if name in os.environ}
    path = os.pathsep.join((str(home / "bin"), os.environ["PATH"]))
    return {**given, "PATH": path, "HOME": str(home), "TERM": "dumb", **agent.variables(url)}


def work(
    agent: RealAgent, home: Path, project: Path, url: str, request: str
) -> subprocess.CompletedProcess[str]:
    """Let an agent work on a request until it ends. Raises TimeoutExpired."""
    agent.settings(home, project, url)
    command = [str(PROGRAMS / agent.program), *agent.arguments, request]
    return subprocess.run(
        command,
        cwd=project,
        env=environment(agent, home, url),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
