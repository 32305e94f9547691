"""A comment that silences a checker: whether there is no other way, or a reason that can be judged."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gateline.analysis.modules import Module
from gateline.analysis.trees import unparsed
from gateline.integrity.change_view import Both
from gateline.integrity.enforcement.settings import both_tables
from gateline.integrity.explanations.explanation import Explanation, Table
from gateline.integrity.explanations.newly_typed import is_newly_typed
from gateline.integrity.explanations.settings_moved import is_exempt_no_more
from gateline.integrity.explanations.stated_reason import is_of_layout, is_reasoned
from gateline.integrity.explanations.unreachable_lines import PLATFORM, is_tried_import, is_unreached
from gateline.integrity.file_roles import is_test
from gateline.integrity.rules.suppression_added import CODE as ADDED_CODE
from gateline.model.span import Span

_UNREACHED = re.compile(
    r"TYPE_CHECKING|__name__\s*==|NotImplementedError|@(abc\.)?abstractmethod|@(typing\.)?overload|assert_never|"
    r"def __(repr|str)__|except (Import|ModuleNotFound)Error|sys\.platform|version_info|os\.name|\.\.\.\s*$"
)
"""Lines that a test cannot reach, or not everywhere."""
_TYPES = ("type:", "pyright:", "ty:", "pyre", "pytype:")
"""Checkers of types, which pass over functions without annotations."""
_BRANCH = re.compile(r"(?:el)?if\s+(?:not\s+)?(\w+)\s*:$")
_UNTYPED = frozenset(
    {"import-untyped", "import-not-found", "import", "reportMissingImports", "reportMissingTypeStubs"}
)


@dataclass(frozen=True, slots=True)
class Silence:
    """One such comment: of which tool, for which of its codes, and with what reason."""

    span: Span
    tool: str
    codes: tuple[str, ...]
    reason: str
    line: str
    """The code that it stands on."""
    symbol: str
    above: str = ""
    """The comment right above."""


@dataclass(frozen=True)
class Suppression:
    """A comment that is new, and the file that it is in."""

    silence: Silence
    module: Module
    both: Both


def _is_customary(hit: Silence, path: str) -> bool:
    """Whether such a comment hides nothing: there is no other way to say it."""
    name = path.rpartition("/")[2]
    if hit.tool == "noqa" and set(hit.codes) <= {"F401", "F403", "E402"} and hit.codes:
        return name == "__init__.py" or is_test(path)
    if hit.tool.startswith("pragma"):
        return _UNREACHED.search(hit.line) is not None or is_test(path)
    if hit.codes and (set(hit.codes) <= _UNTYPED or is_of_layout(hit.codes)):
        return True
    return bool(hit.codes) and is_test(path) and not hit.tool.startswith("gateline")


def _is_elsewhere(hit: Silence, module: Module) -> bool:
    """Whether a line is only for other machines or versions, as what is around it or a constant tells."""
    if (
        hit.tool.startswith("pragma")
        and hit.tool.endswith("cover")
        and is_unreached(hit.span.start.line, module)
    ):
        return True
    found = _BRANCH.match(hit.line) if hit.tool.startswith("pragma") else None
    value = module.constants.get(found[1]) if found else None
    return value is not None and PLATFORM.search(unparsed(value)) is not None


def _is_tried(hit: Silence, module: Module) -> bool:
    """Whether it is only about a name that is imported to see whether it can be."""
    return hit.tool == "noqa" and not hit.codes and is_tried_import(hit.span.start.line, module)


def _is_in_place(hit: Silence) -> bool:
    """Whether it is about a line or a function, not about all of a file."""
    return bool(hit.line or hit.symbol) and not hit.tool.startswith(("ruff", "flake8", "mypy"))


def _is_newly_typed(new: Suppression) -> bool:
    line = new.silence.span.start.line
    return new.silence.tool.startswith(_TYPES) and is_newly_typed(
        new.silence.symbol, line, new.module, new.both
    )


def _is_exempt_no_more(new: Suppression) -> bool:
    tables, path = both_tables(new.both), new.module.source.path
    return is_exempt_no_more(new.silence.tool, new.silence.codes, path, *tables)


def _is_reasoned(new: Suppression) -> bool:
    hit = new.silence
    return _is_in_place(hit) and is_reasoned(hit.codes, hit.reason, hit.above)


SUPPRESSION = Table[Suppression](
    "a new comment silences a checker",
    (ADDED_CODE,),
    (
        Explanation(
            "customary",
            "its code has no alternative to a suppression here",
            lambda new: _is_customary(new.silence, new.module.source.path),
        ),
        Explanation(
            "line-not-reached",
            "the line only runs on other platforms or versions, or never",
            lambda new: _is_elsewhere(new.silence, new.module),
        ),
        Explanation(
            "import-tried",
            "the name is only imported to test whether it is available",
            lambda new: _is_tried(new.silence, new.module),
        ),
        Explanation("reason-stated", "it states a reason and covers one place", _is_reasoned),
        Explanation(
            "newly-typed", "the function had no annotations, so it was not type-checked", _is_newly_typed
        ),
        Explanation("settings-moved", "the settings of the base ignore these codes here", _is_exempt_no_more),
    ),
)
