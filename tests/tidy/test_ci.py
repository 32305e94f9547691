"""`.ci/run`: what cannot be installed is skipped by name, everything else that fails fails."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NEOVIM = "tests/editors/neovim/install.sh"
PACKAGES = "vscode-extension/scripts/install.sh"
BROWSER = "vscode-extension/test-ui/install.sh"
ALL = ["test", "test-deep", "test-neovim", "test-vscode-unit", "test-vscode"]


def run(folder: Path, exits: dict[str, int]) -> tuple[int, list[str], list[str]]:
    """The exit code, the targets that were made, and what was skipped. `exits`: of scripts and targets."""
    (folder / ".ci").mkdir()
    shutil.copy(ROOT / ".ci/run", folder / ".ci/run")
    for script in (NEOVIM, PACKAGES, BROWSER):
        write(folder / script, f"exit {exits.get(script, 0)}\n")
    cases = "".join(f"{target}) exit {code} ;;\n" for target, code in exits.items() if target in ALL)
    write(folder / "bin/make", f'echo "$1" >> made\ncase $1 in\n{cases}esac\n')
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [folder / ".ci/run"],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    skipped = [line for line in done.stderr.splitlines() if "SKIPPED" in line]
    return done.returncode, (folder / "made").read_text().split(), skipped


def write(file: Path, body: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{body}")
    file.chmod(0o755)


def test_everything_is_run(tmp_path: Path) -> None:
    assert run(tmp_path, {}) == (0, ALL, [])


@pytest.mark.parametrize(
    ("script", "made", "named"),
    [
        (NEOVIM, ["test", "test-deep", "test-vscode-unit", "test-vscode"], "Neovim"),
        (PACKAGES, ["test", "test-deep", "test-neovim"], "the extension for VS Code"),
        (BROWSER, ["test", "test-deep", "test-neovim", "test-vscode-unit"], "VS Code in Chromium"),
    ],
)
def test_what_cannot_be_installed_is_skipped_by_name(
    script: str, made: list[str], named: str, tmp_path: Path
) -> None:
    code, targets, skipped = run(tmp_path, {script: 69})
    assert (code, targets) == (0, made)
    assert any(named in line for line in skipped)
    assert len(skipped) == 2 * len(set(skipped)), "each when it happens, and again at the end"


@pytest.mark.parametrize("broken", [*ALL, NEOVIM, PACKAGES, BROWSER])
def test_everything_else_that_fails_fails(broken: str, tmp_path: Path) -> None:
    code, _, skipped = run(tmp_path, {broken: 3})
    assert (code, skipped) == (3, [])
