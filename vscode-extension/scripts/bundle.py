"""Puts the server and everything it needs into `bundled/`, for several versions of Python at once.

    python3 scripts/bundle.py                      all versions that pip finds wheels for
    python3 scripts/bundle.py --python 3.11 3.12   these only, and all of them

A distribution that is the same for all versions is stored once, in `common/`; compiled modules of
different versions lie side by side there, since their names carry the version. One that differs goes
to `cp311/` and so on. Wheels are chosen for the machine this runs on.

What a server imports when it starts is compiled beforehand, for each version whose interpreter is on
PATH here: the first start after an installation is the one a person waits for.
"""

from __future__ import annotations

import argparse
import csv
import filecmp
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
KNOWN = ("3.11", "3.12", "3.13", "3.14")
# What differs from wheel to wheel of one version, and is read by nobody but pip.
_BOOKKEEPING = {"RECORD", "WHEEL", "INSTALLER", "REQUESTED", "direct_url.json"}


# All that is imported until the first finding. `mypy` is compiled to machine code already.
_STARTED = (
    "gateline.__main__",
    "gateline.lsp.start",
    "gateline.lsp.light",
    "gateline.lsp.server",
    "gateline.lsp.sessions",
    "gateline.protocol.evaluation",
    "gateline.services.worker",
    "gateline.services.types.far_mypy",
)
# Unchecked: unpacking gives every file a new time, which would make a checked one stale.
_COMPILE = """
import importlib, py_compile, sys
folders, names = sys.argv[1].split(":"), sys.argv[2].split(":")
sys.path[:0] = folders
for name in names:
    importlib.import_module(name)
mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
for module in list(sys.modules.values()):
    file = getattr(module, "__file__", None) or ""
    if file.endswith(".py") and file.startswith(tuple(folders)):
        py_compile.compile(file, doraise=True, invalidation_mode=mode)
"""


@dataclass(frozen=True)
class Installed:
    """One distribution in one target folder."""

    name: str
    root: Path
    files: tuple[str, ...]


def main() -> None:
    """Make the bundle."""
    options = _options()
    out: Path = options.out
    with tempfile.TemporaryDirectory(prefix="gateline-bundle-") as scratch:
        wheel = _wheel(options.source, Path(scratch))
        targets = {}
        for version in options.python or KNOWN:
            target = Path(scratch, version)
            if _install(wheel, version, target, required=bool(options.python)):
                targets[version] = target
        if not targets:
            sys.exit("bundle.py: this machine has wheels for no version of Python; pip said above why")
        shutil.rmtree(out, ignore_errors=True)
        merge(targets, out)
        compiled = [version for version in targets if _compile(version, out)]
        manifest = {"versions": list(targets), "gateline": wheel.name.split("-")[1]}
        (out / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
    size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    _say(f"{out}: {', '.join(targets)}, compiled for {', '.join(compiled) or 'none'}, {size / 1e6:.0f} MB")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--python", nargs="+", choices=KNOWN, metavar="X.Y", help="versions of Python, all required")
    add("--source", type=Path, default=HERE.parent, help="gateline's project, or a wheel of it")
    add("--out", type=Path, default=HERE / "bundled", help="the folder to write; what is in it goes")
    return parser.parse_args()


def _pip(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *map(str, arguments)]
    return subprocess.run(command, text=True, stderr=subprocess.PIPE, check=False)


def _wheel(source: Path, scratch: Path) -> Path:
    if source.suffix == ".whl":
        return source
    done = _pip("wheel", "--no-deps", "--wheel-dir", scratch / "wheel", source)
    if done.returncode:
        sys.exit(f"bundle.py: no wheel of {source}:\n{done.stderr}")
    return next((scratch / "wheel").glob("gateline-*.whl"))


def _install(wheel: Path, version: str, target: Path, *, required: bool) -> bool:
    """Whether all dependencies had wheels for this version."""
    wanted = ("--only-binary=:all:", "--python-version", version, "--implementation", "cp", "--no-compile")
    done = _pip("install", *wanted, "--target", target, wheel)
    if done.returncode == 0:
        return True
    if required:
        sys.exit(f"bundle.py: not for Python {version}:\n{done.stderr}")
    _say(f"left out Python {version}: {done.stderr.strip().splitlines()[-1]}")
    return False


def merge(targets: dict[str, Path], out: Path) -> None:
    """Store what is the same once, and the rest by version."""
    found = {version: {d.name: d for d in _distributions(target)} for version, target in targets.items()}
    for name in sorted({name for installed in found.values() for name in installed}):
        versions = {version: installed[name] for version, installed in found.items() if name in installed}
        same = len(versions) == len(targets) and _agree(list(versions.values()))
        for version, distribution in versions.items():
            _copy(distribution, out / ("common" if same else _own_folder(version)))


def _distributions(target: Path) -> Iterator[Installed]:
    for info in sorted(target.glob("*.dist-info")):
        with (info / "RECORD").open(newline="") as record:
            named = [row[0] for row in csv.reader(record)]
        # Programs (`../../bin/…`) are of no use here.
        files = tuple(name for name in named if not name.startswith("..") and (target / name).is_file())
        yield Installed(info.name.partition("-")[0].lower(), target, files)


def _agree(distributions: Sequence[Installed]) -> bool:
    """Whether files of the same name are the same; one that only some have is no contradiction."""
    first: dict[str, Path] = {}
    for distribution in distributions:
        for name in distribution.files:
            if Path(name).name in _BOOKKEEPING:
                continue
            file = distribution.root / name
            if not filecmp.cmp(first.setdefault(name, file), file, shallow=False):
                return False
    return len({_info(d) for d in distributions}) == 1


def _info(distribution: Installed) -> str:
    """The folder with its metadata, which carries the version."""
    return next(name.partition("/")[0] for name in distribution.files if ".dist-info/" in name)


def _copy(distribution: Installed, folder: Path) -> None:
    for name in distribution.files:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(distribution.root / name, target)


def _compile(version: str, out: Path) -> bool:
    """Whether there was an interpreter to compile with; without one the first start is slower."""
    interpreter = _interpreter(version)
    if interpreter is None:
        return False
    folders = [str(out.resolve() / _own_folder(version)), str(out.resolve() / "common")]
    arguments = ["-I", "-B", "-c", _COMPILE, ":".join(folders), ":".join(_STARTED)]
    subprocess.run([interpreter, *arguments], check=True)
    return True


def _interpreter(version: str) -> str | None:
    told = 'import sys; print("%d.%d" % sys.version_info[:2])'
    for candidate in (sys.executable, shutil.which(f"python{version}")):
        if candidate is None:
            continue
        done = subprocess.run([candidate, "-I", "-c", told], capture_output=True, text=True, check=False)
        if done.returncode == 0 and done.stdout.strip() == version:
            return candidate
    return None


def _say(line: str) -> None:
    sys.stdout.write(f"bundle.py: {line}\n")


def _own_folder(version: str) -> str:
    return f"cp{version.replace('.', '')}"


if __name__ == "__main__":
    main()
