"""The tier of a task, inferred from its change."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from gateline.worklog.task import Tier

LIGHT_LINES = 20
"""At most so many changed lines, in one file, are light."""
STRICT_LINES = 400
"""More changed lines are strict."""
STRICT_FILES = 10
"""More files are strict."""

_SENSITIVE = {
    "authentication": re.compile(
        r"(^|[/_.-])(auth[nz]?|authenticat\w*|authori[sz]\w*|login|logout|sessions?|passwords?|permissions?|oauth\w*|saml|jwt|sso)([/_.-]|$)"
    ),
    "cryptography": re.compile(
        r"(^|[/_.-])(crypto\w*|encrypt\w*|decrypt\w*|cipher\w*|keys|signing|tls|certs?)([/_.-]|$)"
    ),
    "migrations": re.compile(r"(^|[/_.-])(migrations?|alembic)([/_.-]|$)"),
    "CI settings": re.compile(
        r"^(\.github/(workflows|actions)/|\.gitlab-ci|\.circleci/|\.buildkite/|\.woodpecker/|\.ci/)"
        r"|(^|/)(jenkinsfile|azure-pipelines\.ya?ml|bitbucket-pipelines\.ya?ml|\.?appveyor\.ya?ml|\.(travis|drone|woodpecker)"
        r"\.ya?ml|tox\.ini|noxfile\.py|\.pre-commit-config\.ya?ml)$"
    ),
    "gate settings": re.compile(r"(^|/)gateline\.toml$"),
}
_DOCS = (".md", ".rst", ".txt", ".adoc")
_NOT_DOCS = re.compile(r"(^|/)(requirements|constraints)[^/]*\.txt$|(^|/)cmakelists\.txt$")
_LOCKS = ("*.lock", "package-lock.json", "pnpm-lock.yaml", "npm-shrinkwrap.json", "go.sum")


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """What of a file's change matters to the tier."""

    path: str
    lines: int
    """Added and removed."""
    only_comments: bool = False
    """Nothing but comments and docstrings differ."""
    generated: bool = False
    public: tuple[str, ...] = ()
    """Names that others may use whose signature or existence changed."""
    new_public: tuple[str, ...] = ()
    """Names that others may use which were not there."""
    gate_settings: bool = False
    """A setting of gateline or another tool differs that decides how changes are judged."""
    unparsed: bool = False
    """Nobody can say what the text there is now offers: a line may be half typed."""


@dataclass(frozen=True, slots=True)
class InferredTier:
    """A tier, and why, for people."""

    tier: Tier
    reason: str
    at_least: Tier | None = None
    """What is certain of it where nobody knows what a changed text offers; None: all of it is."""

    def replaces(self, known: Tier, *, lowers: bool = True) -> bool:
        """Whether it is certain that another tier than was known holds; a lower one only if it `lowers`."""
        tiers = list(Tier)
        if tiers.index(self.at_least or self.tier) > tiers.index(known):
            return True
        return lowers and self.at_least is None and self.tier is not known


def tier_of(files: Iterable[ChangedFile], by_path: Mapping[str, Tier] | None = None) -> InferredTier:
    """The tier of a change.

    `by_path` are patterns that a project sets a tier for; the highest of those that match a changed file wins
    over what is inferred. A change without files is exempt.
    """
    changed = tuple(files)
    said = [
        (tier, pattern, f.path)
        for f in changed
        for pattern, tier in (by_path or {}).items()
        if fnmatchcase(f.path, pattern)
    ]
    if said:
        tier, pattern, path = max(said, key=lambda row: list(Tier).index(row[0]))
        return InferredTier(tier, f"{path} matches {pattern!r} of the settings")
    if all(map(_is_exempt, changed)):
        return InferredTier(Tier.EXEMPT, _why_exempt(changed))
    counted = tuple(f for f in changed if not _is_exempt(f))
    found = _strict(counted) or _light(counted) or InferredTier(Tier.STANDARD, _standard(counted))
    unparsed = next((file.path for file in counted if file.unparsed), "")
    return _uncertain(found, unparsed) if unparsed else found


def _uncertain(found: InferredTier, path: str) -> InferredTier:
    """The tier where nobody knows what a text offers: it is not taken for light."""
    if found.tier is Tier.LIGHT:
        reason = f"{path} cannot be parsed, so its public API is unknown"
        return InferredTier(Tier.STANDARD, reason, at_least=found.tier)
    return replace(found, at_least=found.tier)


def _strict(files: tuple[ChangedFile, ...]) -> InferredTier | None:
    reasons = (_sensitive(files), _public(files), _large(files))
    reason = next(filter(None, reasons), "")
    return InferredTier(Tier.STRICT, reason) if reason else None


def _sensitive(files: tuple[ChangedFile, ...]) -> str:
    for file in files:
        if file.gate_settings:
            return f"gate settings: {file.path}"
        for what, pattern in _SENSITIVE.items():
            if pattern.search(file.path.lower()):
                return f"{what}: {file.path}"
    return ""


def _public(files: tuple[ChangedFile, ...]) -> str:
    for file in files:
        if file.public:
            return f"public API: {file.public[0]} of {file.path}"
    return ""


def _large(files: tuple[ChangedFile, ...]) -> str:
    lines = sum(file.lines for file in files)
    if lines > STRICT_LINES:
        return f"{lines} changed lines"
    return f"{len(files)} files" if len(files) > STRICT_FILES else ""


def _light(files: tuple[ChangedFile, ...]) -> InferredTier | None:
    if _is_small(files) and not files[0].new_public:
        return InferredTier(Tier.LIGHT, _size(files))
    return None


def _is_small(files: tuple[ChangedFile, ...]) -> bool:
    return len(files) == 1 and files[0].lines <= LIGHT_LINES


def _standard(files: tuple[ChangedFile, ...]) -> str:
    if _is_small(files):
        return f"new public API: {files[0].new_public[0]} of {files[0].path}"
    return _size(files)


def _size(files: tuple[ChangedFile, ...]) -> str:
    lines = sum(file.lines for file in files)
    return f"{lines} changed line{'s' * (lines != 1)} in {len(files)} file{'s' * (len(files) != 1)}"


def _is_exempt(file: ChangedFile) -> bool:
    return file.only_comments or file.generated or _is_document(file.path) or _is_lock(file.path)


def _is_document(path: str) -> bool:
    return path.lower().endswith(_DOCS) and not _NOT_DOCS.search(path.lower())


def _is_lock(path: str) -> bool:
    name = PurePosixPath(path).name
    return any(fnmatchcase(name, pattern) for pattern in _LOCKS)


def _why_exempt(files: tuple[ChangedFile, ...]) -> str:
    if not files:
        return "nothing changed"
    kinds = {
        "comments": any(f.only_comments for f in files),
        "docs": any(_is_document(f.path) for f in files),
        "lock files": any(_is_lock(f.path) for f in files),
        "generated files": any(f.generated for f in files),
    }
    return "only " + " and ".join(kind for kind, there in kinds.items() if there)
