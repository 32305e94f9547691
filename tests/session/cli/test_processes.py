"""The command as a process: watching, pipes that close, and the demo."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO

import pytest
from type_project import Warm

from support.repositories import Repository

pytestmark = pytest.mark.deep

GATELINE = [sys.executable, "-m", "gateline"]
ROOT = Path(__file__).parents[3]


@pytest.fixture
def changed(repository: Repository, warm: Warm) -> Repository:
    warm(repository.folder)
    repository.commit("begin", **{"a.py": "X = 1\n"})
    repository.write("a.py", "X = 2\n")
    return repository


def until(stream: IO[str], wanted: str) -> str:
    """Read lines up to the one with `wanted`; the test's time limit bounds the wait."""
    read = ""
    for line in stream:
        read += line
        if wanted in line:
            return read
    raise AssertionError(f"the stream ended without {wanted!r}:\n{read}")


@pytest.fixture
def watching(changed: Repository) -> Iterator[subprocess.Popen[str]]:
    command = [*GATELINE, "watch", "--color", "never"]
    with subprocess.Popen(
        command,
        cwd=changed.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Shells have what they start in the background ignore Ctrl+C, and it is handed down.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    ) as process:
        yield process
        process.kill()


@pytest.mark.usefixtures("without_types")
def test_watch_judges_again_until_it_is_interrupted(
    changed: Repository, watching: subprocess.Popen[str]
) -> None:
    assert watching.stdout is not None and watching.stderr is not None
    assert "\n\ncontinue" in until(watching.stdout, "continue")
    until(watching.stderr, "watching ")
    changed.write("a.py", "X = (\n")
    assert "a.py:1:" in until(watching.stdout, "fast-fail")
    changed.write("gateline.toml", "[broken\n")
    until(watching.stderr, "gateline.toml:1")
    (changed.folder / "gateline.toml").unlink()
    changed.write("a.py", "X = 3\n")
    until(watching.stdout, "continue")
    watching.send_signal(signal.SIGINT)
    assert watching.wait() == 0
    assert "Traceback" not in watching.stderr.read()


@pytest.mark.usefixtures("without_types")
def test_a_reader_that_goes_away_does_not_change_the_verdict(changed: Repository) -> None:
    changed.write("a.py", 'import os\nos.system("ls " + input())\n')
    with subprocess.Popen(
        [*GATELINE, "check"], cwd=changed.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 1


@pytest.mark.usefixtures("without_types")
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_encoding_of_the_terminal_will_do(changed: Repository, encoding: str) -> None:
    changed.write("ü.py", 'Ü = "日本" + 1\n')
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    for arguments in (("check",), ("check", "--output", "json")):
        done = subprocess.run(
            [*GATELINE, *arguments], cwd=changed.folder, env=environment, capture_output=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, b"")
        done.stdout.decode(encoding if arguments == ("check",) else "utf-8")


def test_the_demo_ends_well_and_leaves_nothing(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path), "NO_COLOR": "1", "DEMO_ENVIRONMENT": sys.prefix}
    done = subprocess.run(
        [sys.executable, ROOT / "demo/run.py"], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    verdicts = [line.split()[0] for line in done.stdout.splitlines() if ", evidence " in line]
    assert verdicts == ["fast-fail", "require-iteration", "require-iteration", "accept"]
    assert "ghp_" not in done.stdout, "a secret is never printed"
    assert list(tmp_path.iterdir()) == []


def test_the_demo_project_passes_its_own_tests_before_and_after(tmp_path: Path) -> None:
    for change in ("", "changes/4-repaired"):
        copy = ["cp", "-R", f"{ROOT / 'demo' / (change or 'project')}/.", str(tmp_path)]
        subprocess.run(copy, check=True)
        command = [
            sys.executable,
            "-B",
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-c",
            "pyproject.toml",
        ]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
