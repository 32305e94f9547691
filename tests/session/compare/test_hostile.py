"""25 and more hostile candidates beside an honest one: nothing escapes, nothing survives, a ranking comes."""

from __future__ import annotations

import json
import os
import socket
import sys
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner

from gateline.cli.compare import compare
from gateline.ranking.values import Isolation
from gateline.services.isolation.enclosure import works
from support.hostile_candidates import HOSTILE
from support.repositories import Repository

ANSWER = "def answer(number):\n    return number + 1\n"
TEST = """\
from answer import answer


def test_answer():
    assert answer(1) == 2


def test_negative():
    assert answer(-1) == 0


def test_zero():
    assert answer(0) == 1
"""
SETTINGS = """\
[tool.gateline.types]
enabled = false
[tool.gateline.tests]
timeout = 5
total-timeout = 30
"""
_EACH = 14


def _groups() -> list[tuple[str, ...]]:
    names = sorted(HOSTILE)
    return [tuple(names[at : at + _EACH]) for at in range(0, len(names), _EACH)]


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("names", _groups(), ids=lambda names: names[0])
@pytest.mark.parametrize("level", [Isolation.BUBBLEWRAP, Isolation.LANDLOCK])
def test_nothing_escapes(level, names, repository: Repository, tmp_path: Path, monkeypatch):
    if not works(level):
        pytest.skip(f"the level {level} does not work here")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("GATELINE_SECRET", "the secret")
    monkeypatch.chdir(repository.folder)
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "secret").write_text("the secret")
    mark = f"hostile-{os.getpid()}"
    stub = "def answer(number):\n    raise NotImplementedError\n"
    repository.commit("base", **{"pyproject.toml": SETTINGS, "answer.py": stub, "test_answer.py": TEST})
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.01)
        port = str(server.getsockname()[1])
        facts = {"secret": str(tmp_path / "secret"), "outside": str(outside), "port": port, "mark": mark}
        for name in names:
            repository.git("checkout", "-q", "-b", name, "main")
            code = HOSTILE[name]
            for fact, value in facts.items():
                code = code.replace("{" + fact + "}", value)
            repository.commit(name, **{"answer.py": f"{code}\n{stub}"})
        repository.git("checkout", "-q", "-b", "honest", "main")
        repository.commit("honest", **{"answer.py": ANSWER})
        repository.git("checkout", "-q", "main")
        arguments = [
            "honest",
            *names,
            "--python",
            sys.executable,
            "--isolation",
            level.value,
            "--output",
            "json",
        ]
        done = CliRunner().invoke(compare, arguments)
        with pytest.raises(TimeoutError):
            server.accept()
    assert done.stdout, (done.output, done.exception)
    ranking = json.loads(done.stdout)["ranking"]
    assert ranking["rows"][0]["name"] == "honest", done.output
    assert len(ranking["rows"]) == len(names) + 1
    assert list(outside.iterdir()) == []
    assert not (Path.home() / f"evil-{mark}").exists()
    assert not (Path(sys.prefix) / f"evil-{mark}.pth").exists()
    commands = (" ".join(one.info["cmdline"] or ()) for one in psutil.process_iter(["cmdline"]))
    assert [command for command in commands if mark in command] == []
    assert repository.git("status", "--short") == ""
