"""What tests do stays with them: the worktree, the network, the next run."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from runner_project import MakeRunner

from gateline.services.tests.far.sandbox import Sandbox, probe

OTHER = Path("/usr/bin/python3")
"""An interpreter that everybody may start: that of the tests may be in a folder that is closed to others."""

pytestmark = pytest.mark.timeout(60)


@pytest.fixture
def layered(tmp_path: Path) -> Sandbox:
    """What this machine allows; tests of it are skipped where it allows nothing."""
    (tmp_path / "root").mkdir()
    (tmp_path / "private").mkdir()
    found = probe(str(tmp_path / "root"), str(tmp_path / "private"), network=False)
    if not (found.files and found.network):
        pytest.skip("this system has no namespaces for tests")
    return found


async def test_what_tests_write_vanishes_and_is_not_seen_by_the_next_run(
    make: MakeRunner, layered: Sandbox
) -> None:
    project = make(
        {
            "pkg/__init__.py": "",
            "pkg/work.py": "def f(): return 1\n",
            "data.txt": "saved\n",
            "test_it.py": """
                import os, pathlib, shutil, tempfile

                HERE = pathlib.Path(__file__).parent

                def test_write(tmp_path):
                    assert HERE.joinpath("data.txt").read_text() == "saved\\n"
                    assert not HERE.joinpath("new.txt").exists()
                    HERE.joinpath("data.txt").write_text("changed")
                    HERE.joinpath("new.txt").write_text("x")
                    shutil.rmtree(HERE / "pkg")
                    tmp_path.joinpath("scratch").write_text("x")
                    tempfile.mkdtemp()
                    os.chdir(HERE)
                    pathlib.Path("relative.txt").write_text("x")
            """,
        }
    )
    for _ in range(2):
        assert await project.endings() == {"test_it.py::test_write": "passed"}
        # The fixture looks once more; here nothing may be between two runs.
        assert project.state() == project.before


async def test_programs_that_tests_start_see_the_unsaved_texts(make: MakeRunner, layered: Sandbox) -> None:
    project = make(
        {
            "tool.py": "print('saved')\n",
            "test_it.py": """
                import pathlib, subprocess, sys

                def test_it():
                    done = subprocess.run([sys.executable, "tool.py"], capture_output=True, text=True)
                    assert done.stdout == "unsaved\\n"
                    assert pathlib.Path("tool.py").read_text() == "print('unsaved')\\n"
            """,
        }
    )
    overlay = {"tool.py": "print('unsaved')\n"}
    assert await project.endings(overlay=overlay) == {"test_it.py::test_it": "passed"}
    assert await project.endings() == {"test_it.py::test_it": "failed"}


async def test_a_file_that_is_replaced_on_disk_is_read_anew_by_the_next_run(make: MakeRunner) -> None:
    project = make(
        {
            "data.txt": "1",
            "test_it.py": """
                import pathlib

                def test_it():
                    assert pathlib.Path("data.txt").read_text() == "2"
            """,
        }
    )
    assert await project.endings() == {"test_it.py::test_it": "failed"}
    # As editors save: another file takes its name.
    project.write({"other.txt": "2"})
    os.replace(project.root / "other.txt", project.root / "data.txt")
    project.before = project.state()
    assert await project.endings() == {"test_it.py::test_it": "passed"}


async def test_a_run_leaves_nothing_in_the_next(make: MakeRunner) -> None:
    project = make(
        {
            "state.py": "SEEN = []\n",
            "test_it.py": """
                import os, threading, time
                from state import SEEN

                def test_one():
                    assert SEEN == [] and "LEAK" not in os.environ and threading.active_count() == 1
                    SEEN.append(1)
                    os.environ["LEAK"] = "1"
                    threading.Thread(target=time.sleep, args=(100,), daemon=True).start()
                    os.chdir("/")
            """,
        }
    )
    for _ in range(3):
        assert await project.endings() == {"test_it.py::test_one": "passed"}


NETWORK = """
    import socket, subprocess, sys, threading
    import pytest

    def test_outside():
        socket.create_connection(("192.0.2.1", 80), timeout=2)

    def test_name():
        socket.getaddrinfo("example.invalid", 80)

    def test_datagram():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
            s.connect(("192.0.2.1", 53))

    def test_own_server():
        with socket.create_server(("127.0.0.1", 0)) as server:
            with socket.create_connection(server.getsockname(), timeout=2) as client:
                accepted, _ = server.accept()
                client.sendall(b"hello")
                assert accepted.recv(5) == b"hello"
                accepted.close()

    def test_else():
        assert 1 == 2
"""


async def test_the_network_is_closed_but_for_what_a_test_serves_itself(make: MakeRunner) -> None:
    project = make({"test_it.py": NETWORK})
    results = {name.split("::")[1]: result for name, result in (await project.run()).items()}
    assert results["test_own_server"].ending == "passed"
    assert not results["test_else"].failure.network  # type: ignore[union-attr]
    for name in ("test_outside", "test_name", "test_datagram"):
        failure = results[name].failure
        assert failure is not None and failure.network, name


async def test_a_server_of_this_machine_is_not_reached(make: MakeRunner, layered: Sandbox) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        text = (
            f"import socket\ndef test_it():\n    socket.create_connection(('127.0.0.1', {port}), timeout=2)\n"
        )
        closed, opened = make({"test_it.py": text}), make({"test_it.py": text}, network=True)
        (result,) = (await closed.run()).values()
        assert result.failure is not None
        assert (result.failure.problem.type, result.failure.network) == ("ConnectionRefusedError", True)
        assert await opened.endings() == {"test_it.py::test_it": "passed"}


@pytest.fixture
def unprivileged() -> Iterator[tuple[str, ...]]:
    """The words that start a program as somebody without rights."""
    if os.geteuid() != 0 or not (shutil.which("setpriv") and OTHER.exists()):
        pytest.skip("needs root, to become somebody else")
    yield ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")


def test_somebody_without_rights_is_closed_in_as_well_and_has_none_inside(
    unprivileged: tuple[str, ...], layered: Sandbox
) -> None:
    """In a user namespace a process has all rights over its own files; tests must not have them."""
    far = Path(sys.modules[Sandbox.__module__].__file__ or "").parent
    code = f"""
import os, sys, tempfile, types
package = types.ModuleType("far"); package.__path__ = [{str(far)!r}]; sys.modules["far"] = package
from far import sandbox
base = tempfile.mkdtemp()
root, private = base + "/root", base + "/private"
os.mkdir(root); os.mkdir(private); os.chdir(root)
open("closed", "w").close(); os.chmod("closed", 0)
box = sandbox.probe(root, private, network=False)
assert box == (True, True, True), box
child = os.fork()
if child == 0:
    box.enter(); box.lay(root, private, {{}}); box.lift(root, private, ())
    box.own(); box.lay(root, private, {{root + "/laid": b"text"}}); box.drop()
    assert os.getuid() == 65534 and open("laid").read() == "text"
    open("written", "w").close()
    try:
        open("closed"); os._exit(1)
    except PermissionError:
        os._exit(0)
assert os.waitpid(child, 0)[1] == 0
print(sorted(os.listdir(root)))
"""
    done = subprocess.run(
        [*unprivileged, str(OTHER), "-c", code], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("['closed']\n", "")


async def test_without_namespaces_python_itself_refuses_the_network(
    make: MakeRunner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The far side cannot be told to do without: the system call is taken from it."""
    hook = tmp_path / "hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(
        "import ctypes, os\n"
        "class Refusing(ctypes.CDLL):\n"
        "    def __getattr__(self, name):\n"
        "        if name == 'unshare':\n"
        "            return lambda *arguments: -1\n"
        "        return super().__getattr__(name)\n"
        "ctypes.CDLL = Refusing\n"
    )
    environment = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(hook)}
    project = make(
        {
            "test_it.py": NETWORK
            + """
    def test_write(tmp_path):
        tmp_path.joinpath("scratch").write_text("x")
"""
        },
        environment=environment,
    )
    results = {name.split("::")[1]: result for name, result in (await project.run()).items()}
    assert project.runner.facts is not None
    assert (project.runner.facts.files, project.runner.facts.network) == (False, False)
    assert results["test_own_server"].ending == "passed"
    assert results["test_write"].ending == "passed"
    for name in ("test_outside", "test_name", "test_datagram"):
        failure = results[name].failure
        assert failure is not None and failure.network, name
        assert "gateline blocks network access in tests" in failure.problem.message
