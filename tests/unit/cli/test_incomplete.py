"""An installation of which something is missing: undecided, in one sentence, at each command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import gateline_dev.faults

HOOK = Path(gateline_dev.faults.__file__).with_name("hook")


@pytest.mark.parametrize("module", ["click", "ast_serialize"])
def test_a_missing_package_is_named(module: str, tmp_path: Path) -> None:
    rules = f'[{{"module": "{module}", "do": "missing"}}]'
    done = subprocess.run(
        [sys.executable, "-m", "gateline", "check", "--all"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(HOOK), "PLANNED_FAULTS": rules},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    (line,) = done.stderr.strip().splitlines()
    assert module in line and "Install it again" in line
