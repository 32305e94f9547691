"""Puts the server and everything it needs into `bundled/`, for several versions of Python at once.

    python3 scripts/bundle.py                      all versions that pip finds wheels for
    python3 scripts/bundle.py --python 3.11 3.12   these only, and all of them

A distribution that is the same for all versions is stored once, in `common/`; compiled modules of
different versions lie side by side there, since their names carry the version. One that differs goes
to `cp311/` and so on. Wheels are chosen for the machine this runs on.
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
            sys.exit(f"bundle.py: no wheels for any of {', '.join(KNOWN)} on this machine; read pip's messages above")
        shutil.rmtree(out, ignore_errors=True)
        merge(targets, out)
        manifest = {"versions": list(targets), "gateline": wheel.name.split("-")[1]}
        (out / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
    print(f"{out}: {', '.join(targets)}, {sum(f.stat().st_size for f in out.rglob('*') if f.is_file()) / 1e6:.0f} MB")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--python", nargs="+", choices=KNOWN, metavar="X.Y", help="versions of Python, all required")
    parser.add_argument("--source", type=Path, default=HERE.parent, help="gateline's project, or a wheel of it")
    parser.add_argument("--out", type=Path, default=HERE / "bundled", help="the folder to write; what is in it goes")
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
    print(f"bundle.py: left out Python {version}: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
    return False


def merge(targets: dict[str, Path], out: Path) -> None:
    """Store what is the same once, and the rest by version."""
    found = {version: {d.name: d for d in _distributions(target)} for version, target in targets.items()}
    for name in sorted({name for distributions in found.values() for name in distributions}):
        versions = {version: distributions[name] for version, distributions in found.items() if name in distributions}
        same = len(versions) == len(targets) and _agree(list(versions.values()))
        for version, distribution in versions.items():
            _copy(distribution, out / ("common" if same else f"cp{version.replace('.', '')}"))


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


if __name__ == "__main__":
    main()
