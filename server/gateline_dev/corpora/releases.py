"""Successive patch releases of real packages, replayed: what is said of changes that maintainers shipped.

`corpora/releases.txt` pins them. pip fetches the source distributions into the user's cache; nothing
of them is kept in the repository, and nothing of them is run except by pip, which asks a package for
its metadata.
"""

from __future__ import annotations

import re
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from gateline.integrity.file_roles import is_configuration, is_document
from gateline_dev.bench.environments import CACHE, UnavailableError, pip
from gateline_dev.corpora.judged import Judge, judge_all
from gateline_dev.corpora.noise import floors, is_blocked, told
from gateline_dev.corpora.reading import Case

_QUIET = {"tests.enabled": False, "types.enabled": False}
"""What the packages depend on is not installed: neither their tests nor their types can be checked."""
_LARGEST = 1_000_000


@dataclass(frozen=True)
class Release:
    """A source distribution, pinned."""

    name: str
    version: str
    sha256: str

    @property
    def minor(self) -> tuple[str, ...]:
        """What patch releases have in common."""
        return tuple(self.version.split(".")[:2])


def score(file: Path, tell: Callable[[str], None], judge: Judge = judge_all) -> str:
    """The tables, and everything that was said, as Markdown. What cannot be fetched is left out and said."""
    missing: list[str] = []
    cases = list(_cases(read(file), missing, tell))
    left_out = [f"Left out: {reason}" for reason in dict.fromkeys(missing)]
    judged = judge(cases, _QUIET, tell)
    refused, broken = sum(map(is_blocked, judged)), sum(floors(one) > 0 for one in judged)
    asked = (
        f"Of {len(judged)} pairs {refused} are refused, {refused / max(len(judged), 1):.0%} "
        f"(asked for: at least 50 pairs, at most 10 %); floors on {broken} (asked for: at most 2)."
    )
    sentences = explained(file.with_name("explained.txt"))
    why = [
        f"- {one.case.name}: {sentences.get(one.case.name, 'refused, and not explained yet')}"
        for one in judged
        if is_blocked(one)
    ]
    return "\n".join([told(judged, "package", asked), "", "Refused:", "", *why, *left_out])


def explained(file: Path) -> Mapping[str, str]:
    """Why a release is refused, in a sentence that its maintainers would accept; by `name-version`."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    rows = (line.partition(": ") for line in lines if line and not line.startswith("#"))
    return {name: sentence for name, _, sentence in rows}


def read(file: Path) -> list[Release]:
    """The pinned releases, in order."""
    rows = (line.split() for line in file.read_text(encoding="utf-8").splitlines())
    return [Release(*row) for row in rows if row and row[0] != "#"]


def _cases(releases: list[Release], missing: list[str], tell: Callable[[str], None]) -> Iterator[Case]:
    for before, after in pairwise(releases):
        if (before.name, before.minor) != (after.name, after.minor):
            continue
        tell(f"fetching {after.name} {after.version}")
        try:
            base, now = texts(fetch(before)), texts(fetch(after))
        except (UnavailableError, OSError) as error:
            missing.append(f"{after.name} {after.version}: {error}")
            continue
        about = f"{before.version} to {after.version}"
        yield Case(f"{after.name}-{after.version}", "change", after.name, about, base, now)


def fetch(release: Release) -> Path:
    """The source distribution, downloaded at the first time. Raises UnavailableError."""
    folder = CACHE / "releases"
    folder.mkdir(parents=True, exist_ok=True)
    known = _archive(folder, release)
    if known is None:
        _download(folder, release)
        known = _archive(folder, release)
    if known is None:
        raise UnavailableError(f"pip fetched no source distribution of {release.name} {release.version}")
    return known


def _archive(folder: Path, release: Release) -> Path | None:
    """The archive; old ones write the name of their package another way."""
    wanted = re.sub(r"[-_.]+", "[-_.]", release.name) + f"-{re.escape(release.version)}.tar.gz"
    found = (file for file in folder.iterdir() if re.fullmatch(wanted, file.name, re.IGNORECASE))
    return next(found, None)


def _download(folder: Path, release: Release) -> None:
    with tempfile.TemporaryDirectory() as place:
        wish = Path(place) / "wish.txt"
        pinned = f"{release.name}=={release.version} --hash=sha256:{release.sha256}\n"
        wish.write_text(pinned, encoding="utf-8")
        choice = ["--no-deps", "--no-binary", release.name, "--require-hashes", "--requirement", str(wish)]
        pip(sys.executable, "download", *choice, "--dest", str(folder))


def texts(archive: Path) -> Mapping[str, str]:
    """The texts that a change would tell of. Hidden files are in a distribution only by accident."""
    found: dict[str, str] = {}
    with tarfile.open(archive) as tar:
        for member in tar:
            path = member.name.partition("/")[2]
            if not member.isfile() or member.size > _LARGEST or not _is_wanted(path):
                continue
            file = tar.extractfile(member)
            data = file.read() if file else b""
            try:
                found[path] = data.decode("utf-8")
            except UnicodeDecodeError:
                continue
    return found


def _is_wanted(path: str) -> bool:
    hidden = any(part.startswith(".") for part in path.split("/"))
    wanted = path.endswith((".py", ".pyi")) or is_configuration(path) or is_document(path)
    return wanted and not hidden and "egg-info" not in path and not path.startswith("PKG-INFO")
