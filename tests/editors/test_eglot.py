"""The settings for Eglot in a real Emacs, with the real server."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

CLIENTS = Path(__file__).parents[2] / "clients"
SESSION = Path(__file__).parent / "eglot" / "session.el"
HAS_EGLOT = "(unless (progn (require 'package) (package-initialize) (require 'eglot nil t)) (kill-emacs 1))"


@pytest.fixture(scope="session")
def emacs() -> str:
    """An Emacs that has Eglot; Debian has them as emacs-nox and elpa-eglot."""
    found = shutil.which("emacs")
    if (
        not found
        or subprocess.run([found, "-q", "--batch", "--eval", HAS_EGLOT], capture_output=True).returncode
    ):
        pytest.skip("no Emacs with Eglot")
    return found


@pytest.mark.timeout(240)
def test_in_emacs(emacs: str, environment: dict[str, str]) -> None:
    done = subprocess.run(
        [emacs, "-q", "--batch", "-l", str(SESSION)],
        env={**environment, "SETTINGS": str(CLIENTS / "eglot" / "gateline-eglot.el"), "LANG": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=230,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "1 passed, 0 failed" in done.stderr
