"""`.secrets.baseline` of detect-secrets: what a person said of secrets, as the base has it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from gateline.security.detectors import entropy
from gateline.security.hits import KEYWORD, LOGIN, RANDOM, Certainty, Hit

NAME = ".secrets.baseline"
_DETECTORS = {
    KEYWORD: "KeywordDetector",
    LOGIN: "BasicAuthDetector",
    "Hex High Entropy String": "HexHighEntropyString",
    "Base64 High Entropy String": "Base64HighEntropyString",
    "JSON Web Token": "JwtTokenDetector",
    "Artifactory Credentials": "ArtifactoryDetector",
}
"""What tells kinds that are not certain, by kind: a project may have left them out."""
_FILTER = "detect_secrets.filters.regex.should_exclude_"


class Known(IntEnum):
    """What a baseline says of a secret."""

    NOT = 0
    LISTED = 1
    """It is there, and nobody said that it is none: it was exposed before."""
    NO_SECRET = 2
    """A person said that it is none."""


@dataclass(frozen=True)
class Baseline:
    """What is known of secrets by file and hash, which detectors are wanted, and what is left out."""

    entries: Mapping[tuple[str, str], Known]
    detectors: Mapping[str, Mapping[str, object]]
    """The options of each that is wanted, by name; empty: nothing is said."""
    excluded: Mapping[str, tuple[re.Pattern[str], ...]]
    """Patterns of files, lines and secrets."""

    def known(self, path: str, hit: Hit) -> Known:
        """What it says of a secret."""
        return max((self.entries.get((path, one), Known.NOT) for one in hit.hashes), default=Known.NOT)

    def leaves_out(self, path: str, line: str, hit: Hit) -> bool:
        """Whether the project does not look for such a thing there."""
        texts = {"file": path, "line": line, "secret": line[hit.start : hit.end]}
        if any(p.search(texts[what]) for what, patterns in self.excluded.items() for p in patterns):
            return True
        if hit.certainty is Certainty.CERTAIN or not self.detectors:
            return False
        name = _DETECTORS.get(hit.kind)
        if name is None:
            return False
        options = self.detectors.get(name)
        if options is None:
            return True
        limit = options.get("limit")
        if hit.kind not in RANDOM or not isinstance(limit, int | float):
            return False
        return entropy(hit.kind, line[hit.start : hit.end]) <= limit


_NOTHING = Baseline({}, {}, {})


@lru_cache(maxsize=4)
def read_baseline(text: str) -> Baseline:
    """The baseline in a text; an empty one where it is none."""
    try:
        said = json.loads(text) if text else {}
    except ValueError:
        return _NOTHING
    if not isinstance(said, dict):
        return _NOTHING
    return Baseline(_entries(said.get("results")), _detectors(said.get("plugins_used")), _excluded(said))


def _entries(results: object) -> dict[tuple[str, str], Known]:
    found: dict[tuple[str, str], Known] = {}
    for path, rows in results.items() if isinstance(results, dict) else ():
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict) and isinstance(one := row.get("hashed_secret"), str):
                known = Known.NO_SECRET if row.get("is_secret") is False else Known.LISTED
                found[str(path).replace("\\", "/").removeprefix("./"), one] = known
    return found


def _detectors(plugins: object) -> dict[str, Mapping[str, object]]:
    rows = plugins if isinstance(plugins, list) else []
    return {str(row.get("name")): row for row in rows if isinstance(row, dict)}


def _excluded(said: Mapping[str, object]) -> dict[str, tuple[re.Pattern[str], ...]]:
    filters = said.get("filters_used")
    found: dict[str, tuple[re.Pattern[str], ...]] = {}
    for row in filters if isinstance(filters, list) else ():
        path = str(row.get("path", "")) if isinstance(row, dict) else ""
        if path.startswith(_FILTER):
            patterns = row.get("pattern", [])
            texts = patterns if isinstance(patterns, list) else [patterns]
            found[path.removeprefix(_FILTER)] = tuple(_compiled(texts))
    return {what: found[what] for what in ("file", "line", "secret") if what in found}


def _compiled(texts: list[object]) -> list[re.Pattern[str]]:
    found = []
    for text in texts:
        try:
            found.append(re.compile(str(text)))
        except re.error:
            # detect-secrets itself would refuse it.
            continue
    return found
