"""The server inside the extension for VS Code: what is stored once, and what for each version of Python."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "vscode-extension" / "scripts" / "bundle.py"


@pytest.fixture(scope="module")
def bundle() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bundle", SCRIPT)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    # Its dataclasses look for their module by name.
    sys.modules["bundle"] = module
    spec.loader.exec_module(module)
    return module


def install(target: Path, name: str, version: str, files: dict[str, str]) -> None:
    """What `pip install --target` leaves of one distribution."""
    info = f"{name}-{version}.dist-info"
    files = files | {f"{info}/METADATA": f"Name: {name}\n", f"{info}/WHEEL": f"Tag: {target.name}\n"}
    record = "".join(f"{file},,\n" for file in [*files, f"{info}/RECORD", f"../../bin/{name}"])
    for file, text in (files | {f"{info}/RECORD": record}).items():
        (target / file).parent.mkdir(parents=True, exist_ok=True)
        (target / file).write_text(text)


def merged(bundle: ModuleType, folder: Path) -> set[str]:
    targets = {path.name: path for path in sorted(folder.glob("3.*"))}
    bundle.merge(targets, folder / "out")
    return {
        file.relative_to(folder / "out").as_posix()
        for file in (folder / "out").rglob("*")
        if file.is_file() and ".dist-info" not in file.as_posix()
    }


def test_what_is_the_same_is_stored_once(bundle: ModuleType, tmp_path: Path) -> None:
    for version in ("3.11", "3.12"):
        install(tmp_path / version, "pure", "1.0", {"pure/__init__.py": "x = 1\n", "one_file.py": ""})
    assert merged(bundle, tmp_path) == {"common/pure/__init__.py", "common/one_file.py"}


def test_compiled_modules_of_several_versions_lie_side_by_side(bundle: ModuleType, tmp_path: Path) -> None:
    for version in ("3.11", "3.12"):
        tag = version.replace(".", "")
        files = {"fast/__init__.py": "", f"fast/core.cpython-{tag}-x86_64-linux-gnu.so": tag}
        install(tmp_path / version, "fast", "1.0", files)
    assert merged(bundle, tmp_path) == {
        "common/fast/__init__.py",
        "common/fast/core.cpython-311-x86_64-linux-gnu.so",
        "common/fast/core.cpython-312-x86_64-linux-gnu.so",
    }


def test_another_text_for_another_version_keeps_the_whole_distribution_apart(
    bundle: ModuleType, tmp_path: Path
) -> None:
    for version in ("3.11", "3.12"):
        install(tmp_path / version, "both", "1.0", {"both/__init__.py": "", "both/own.py": version})
    assert merged(bundle, tmp_path) == {
        f"cp{tag}/both/{name}" for tag in (311, 312) for name in ("__init__.py", "own.py")
    }


def test_another_release_for_another_version_is_kept_apart(bundle: ModuleType, tmp_path: Path) -> None:
    install(tmp_path / "3.11", "old", "1.0", {"old.py": ""})
    install(tmp_path / "3.12", "old", "2.0", {"old.py": ""})
    assert merged(bundle, tmp_path) == {"cp311/old.py", "cp312/old.py"}


def test_what_one_version_alone_needs_is_there_for_it_alone(bundle: ModuleType, tmp_path: Path) -> None:
    install(tmp_path / "3.11", "backport", "1.0", {"backport.py": ""})
    install(tmp_path / "3.12", "pure", "1.0", {"pure.py": ""})
    assert merged(bundle, tmp_path) == {"cp311/backport.py", "cp312/pure.py"}


def test_programs_are_left_out_and_metadata_is_kept(bundle: ModuleType, tmp_path: Path) -> None:
    install(tmp_path / "3.11", "pure", "1.0", {"pure.py": ""})
    merged(bundle, tmp_path)
    assert (tmp_path / "out/common/pure-1.0.dist-info/METADATA").is_file()
    assert not list((tmp_path / "out").rglob("bin"))


def test_an_unknown_version_is_named() -> None:
    done = subprocess.run(
        [sys.executable, SCRIPT, "--python", "3.10"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "3.10" in done.stderr
    assert "3.11" in done.stderr
