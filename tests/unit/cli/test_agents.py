"""Commands around coding agents: what they show, ask and write."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gateline.cli.commands import main
from gateline.session.tests.consent import Answer, Consents


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "shop"
    root.mkdir()
    (root / "pyproject.toml").write_text("[tool.gateline]\n")
    monkeypatch.chdir(root)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return root


def run(*arguments: str, text: str = "") -> Result:
    return CliRunner().invoke(main, arguments, input=text)


def test_the_difference_is_shown_before_anything_is_written(shop: Path) -> None:
    said = run("hooks", "install", "claude", text="n\n")
    assert '+            "command": "gateline hook --agent claude --event Stop"' in said.output
    assert "nothing was written" in said.output and not (shop / ".claude").exists()


def test_without_an_answer_nothing_is_written_and_the_exit_status_says_so(shop: Path) -> None:
    said = run("hooks", "install", "claude")
    assert said.exit_code == 2
    assert (
        "nothing was written, as the question was not answered; run the command in a terminal, or give --yes"
        in said.output
    )
    assert not (shop / ".claude").exists()


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini", "cursor", "copilot"])
def test_install_status_uninstall(shop: Path, agent: str) -> None:
    assert run("hooks", "install", agent, "--yes").exit_code == 0
    assert "nothing to change" in run("hooks", "install", agent).output
    assert f"{agent:8} project  installed in" in run("hooks", "status").output
    assert run("hooks", "uninstall", agent, "--yes").exit_code == 0
    assert "nothing to change" in run("hooks", "uninstall", agent).output
    assert [file for file in shop.rglob("*") if file.is_file()] == [shop / "pyproject.toml"]


def test_the_users_own_settings(shop: Path, tmp_path: Path) -> None:
    own = tmp_path / "home" / ".claude" / "settings.json"
    own.parent.mkdir(parents=True)
    own.write_text('{"model": "opus"}\n')
    own.chmod(0o600)
    assert run("hooks", "install", "claude", "--user", "--yes").exit_code == 0
    assert json.loads(own.read_text())["model"] == "opus"
    assert own.stat().st_mode & 0o777 == 0o600
    assert "claude   user     installed in" in run("hooks", "status", "claude").output


def test_settings_with_comments_are_left_as_they_are(shop: Path) -> None:
    file = shop / ".gemini" / "settings.json"
    file.parent.mkdir()
    file.write_text('{\n  // mine\n  "a": 1\n}\n')
    said = run("hooks", "install", "gemini", "--yes")
    assert said.exit_code == 2 and "by hand" in said.output and "--event AfterAgent" in said.output
    assert "// mine" in file.read_text()


def test_an_agent_cannot_agree(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = run("trust", text="y\n")
    assert said.exit_code == 2 and "in a terminal" in said.output and "-m pytest" in said.output
    monkeypatch.setenv("CLAUDECODE", "1")
    assert "an agent runs this" in run("trust", text="y\n").output
    assert Consents().of(shop) is None


def test_an_answer_is_shown_and_taken_back(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateline.cli.agents.trust._require_person", lambda: None)
    assert "consent given" in run("trust", text="y\n").output
    consent = Consents().of(shop)
    assert consent is not None and consent.answer is Answer.ALLOWED
    assert "consent given on" in run("trust").output
    assert "consent revoked" in run("trust", "--revoke").output
    assert Consents().of(shop) is None


def test_agents_may_start_what_a_person_agreed_to(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = run("trust", "--agent", "my-agent  --fast", text="y\n")
    assert refused.exit_code == 2 and "run `gateline trust` first" in refused.output
    Consents().remember(shop, ("pytest",), Answer.ALLOWED, datetime.now(UTC))
    refused = run("trust", "--agent", "my-agent  --fast", text="y\n")
    assert refused.exit_code == 2 and "only a person can consent" in refused.output
    assert "begins with a variable" in run("trust", "--agent", "V=x my-agent").output
    assert (
        "--agent and --revoke are mutually exclusive"
        in run("trust", "--agent", "my-agent", "--revoke").output
    )
    monkeypatch.setattr("gateline.cli.agents.trust._require_person", lambda: None)
    assert "nothing was changed" in run("trust", "--agent", "my-agent", text="n\n").output
    said = run("trust", "--agent", "my-agent  --fast", text="y\n")
    assert "would run: my-agent --fast" in said.output and "consent given" in said.output
    assert "already has consent" in run("trust", "--agent", "my-agent --fast").output
    consent = Consents().of(shop)
    assert consent is not None and consent.agents == ("my-agent --fast",)


def test_init_offers_three_lines_for_agents(shop: Path) -> None:
    said = run("init", "--agents", text="n\n")
    assert "gateline check" in said.output and not (shop / "AGENTS.md").exists()
    assert run("init", "--agents", "--yes").exit_code == 0
    first = (shop / "AGENTS.md").read_text()
    assert len([line for line in first.splitlines() if line.startswith("- ")]) == 3
    assert "already has the instructions for agents" in run("init", "--agents", "--yes").output
    assert (shop / "AGENTS.md").read_text() == first
    (shop / "AGENTS.md").write_text("# Ours" + os.linesep)
    run("init", "--agents", "--yes")
    assert (shop / "AGENTS.md").read_text().startswith("# Ours\n\n")
