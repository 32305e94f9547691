"""GTL632: a checker was told to look for less, or to pass over files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from gateline.integrity.enforcement.changed_settings import at_key, is_beside, left_out_before, replaced_tools
from gateline.integrity.enforcement.settings import Key, Tables, as_list, both_tables
from gateline.integrity.evidence import Evidence
from gateline.integrity.rules.check_switched_off import CODE
from gateline.integrity.rules.threshold_lowered.settings import options
from gateline.model.finding import Finding, Weight

_STRICT = re.compile(
    r"(.*: )?(strict\w*|disallow_\w+|check_untyped_defs|warn_\w+|no_implicit_\w+|extra_checks|"
    r"local_partial_types|xfail_strict|enabled)|\w+\.enabled|report\w+"
)
"""Keys that look for more when they are true."""
_IN_STRICT = frozenset(
    {
        "warn_unused_configs",
        "disallow_any_generics",
        "disallow_subclassing_any",
        "disallow_untyped_calls",
        "disallow_untyped_defs",
        "disallow_incomplete_defs",
        "disallow_untyped_decorators",
        "check_untyped_defs",
        "warn_redundant_casts",
        "warn_unused_ignores",
        "warn_return_any",
        "no_implicit_reexport",
        "no_implicit_optional",
        "strict_equality",
        "strict_bytes",
        "strict_concatenate",
        "local_partial_types",
        "extra_checks",
    }
)
"""What mypy's `strict` switches on, or always does by now."""
_LAX = re.compile(
    r"(.*: )?(ignore_errors|allow_untyped_\w+|allow_redefinition|implicit_optional|exit_zero|"
    r"coverage\.status(\.\w+)+\.informational)"
)
"""Keys that look for less when they are true."""
_BY_DEFAULT = frozenset({"strict_optional", "no_implicit_optional", "warn_no_return"})
"""What mypy does unless it is told not to."""
_IGNORING = frozenset(
    {"ignore", "extend_ignore", "disable", "disable_error_code", "skips", "security.skip", "per_file_ignores"}
)
_EXCLUDING = frozenset(
    {"exclude", "extend_exclude", "exclude_dirs", "ignore_paths", "ignore_patterns", "force_exclude"}
)
_SELECTING = ("select", "extend_select")
_LOOKING = frozenset({"enable_error_code", "enable", "packages", "files", "include", "tests"})
STYLE = re.compile(
    r"E402|E73\d|E74\d|E1\d\d|E2\d\d|E3\d\d|E5\d\d|E70\d|W[1-6]?\d*|COM8\d\d|ISC00\d|D\d*|Q0\d\d|I\d*|C0\d+|R09\d\d|"
    r"line-too-long|invalid-name|missing-\w+-docstring|too-\w+|fixme|CPY\d*|TD\d*|FIX\d*|ANN10[12]|E203|E501"
)
"""Codes of taste and layout, which formatters decide."""
_DEFAULT = {"ruff": ("E4", "E7", "E9", "F"), "flake8": ("E", "F", "W", "C90")}
"""What is looked for where nobody selects anything."""
_ALL_WARNINGS = re.compile(
    r"(ignore|default|once|module|always)(:(\.[*+])?(:((builtins\.)?Warning)?(:(\.[*+])?)?)?)?:*"
)
"""What takes in every warning, so that what stands before it does not matter."""
_OF_RUFF = {"security": "S", "documentation": "D"}
"""What ruff checks beside lint, by the letters of its rules."""


def find(evidence: Evidence) -> Iterator[Finding]:
    """The keys by which less is looked for."""
    before, now = both_tables(evidence.both)
    gone = replaced_tools(before, now)
    told: dict[str, list[tuple[Key, str]]] = {}
    for key in dict.fromkeys([*before.entries, *now.entries]):
        if key[0] not in (*gone, "coverage") and (how := weakened(key, before, now)):
            told.setdefault(key[0], []).append((key, how))
    for rows in told.values():
        hows = "; ".join(how for _, how in rows)
        yield at_key(CODE, evidence.both, rows[0][0], before, now, hows, Weight.COUNTS)
    yield from _options(evidence, before, now)


def weakened(key: Key, before: Tables, now: Tables) -> str:
    """How a key makes its tool look for less than it did; "" when it does not."""
    tool, name = key
    old, new = before.get(tool, name), now.get(tool, name)
    if old == new:
        return ""
    last = name.rpartition(".")[2].rpartition(": ")[2]
    if tool == "pytest":
        return _warnings(old, new) if name == "filterwarnings" else _flag(name, old, new)
    if last in _SELECTING:
        return _unselected(tool, name, before, now)
    if name in _EXCLUDING or (tool, name) == ("codecov", "ignore"):
        known = [*as_list(old), *left_out_before(before, now)]
        added = [p for p in as_list(new) if p not in known and not is_beside(p)]
        return f"`{name}` now excludes {', '.join(added)}" if added else ""
    if last in _IGNORING or name in _IGNORING or name.startswith("per_file_ignores"):
        return _ignored(tool, name, before, now)
    if name in _LOOKING and tool != "gateline":
        lost = [p for p in as_list(old) if p not in as_list(new) and not is_beside(p)]
        told = lost and (new or name.startswith("enable"))
        return f"`{name}` no longer lists {', '.join(lost)}" if told else ""
    if tool == "gateline" and name in ("base", "overrides") and new is not None:
        return f"`{name}` of gateline changed"
    implied = tool == "mypy" and name in _IN_STRICT and now.get("mypy", "strict") is True
    return "" if implied else _flag(name, old, new)


def _flag(name: str, old: Any, new: Any) -> str:
    module = name.partition(": ")[0] if ": " in name else ""
    if module and is_beside(module):
        return ""
    if _STRICT.fullmatch(name) and _is_on(old, name) and not _is_on(new, name):
        return f"`{name}` is switched off"
    if _LAX.fullmatch(name) and new is True and old is not True:
        return f"`{name}` is switched on"
    return ""


def _is_on(value: Any, name: str) -> bool:
    if value is None:
        return name.endswith("enabled") or name in _BY_DEFAULT
    return value is True or value == "error"


def _unselected(tool: str, name: str, before: Tables, now: Tables) -> str:
    keys = [f"{name.rpartition('.')[0]}.{key}".lstrip(".") for key in _SELECTING]
    old, new = (_selected(tool, keys, tables) for tables in (before, now))
    if tool not in now.tools():
        return ""
    lost = [code for code in old if not _covered(code, new) and not STYLE.fullmatch(code)]
    return f"{tool} no longer checks for {', '.join(lost)}" if lost and name == keys[0] else ""


def _selected(tool: str, keys: Sequence[str], tables: Tables) -> list[str]:
    """The codes that are looked for: what `extend-select` names comes to what is looked for without it."""
    chosen = tables.items(tool, keys[0]) or list(_DEFAULT.get(tool, ()))
    return [*chosen, *tables.items(tool, *keys[1:])]


def checked_by_ruff(tables: Tables) -> frozenset[str]:
    """The kinds of checks beside lint whose rules ruff is told to look for."""
    selected = tables.items("ruff", "select", "extend_select")
    return frozenset(kind for kind, letters in _OF_RUFF.items() if _covered(letters, selected))


def _covered(code: str, selected: Sequence[str]) -> bool:
    return any(one == "ALL" or _is_within(code, one) for one in selected) or (
        # Several narrower ones in its place: the family is still looked at.
        code.isalpha() and sum(one.startswith(code) for one in selected) > 1
    )


def _ignored(tool: str, name: str, before: Tables, now: Tables) -> str:
    if tool == "flake8" and name == "per_file_ignores":
        return _ignored_by_file(before.items(tool, name), now.items(tool, name))
    if name.startswith("per_file_ignores.") and is_beside(name.removeprefix("per_file_ignores.")):
        return ""
    keys = [name] if name.startswith("per_file") else _ignoring_keys(name)
    old, new = (tables.items(tool, *keys) for tables in (before, now))
    selected = before.items(tool, *_SELECTING)
    added = [
        code
        for code in dict.fromkeys(new)
        if not _covered(code, old) and not STYLE.fullmatch(code) and _was_looked_for(tool, code, selected)
    ]
    return f"`{name}` of {tool} now has {', '.join(added)}" if added else ""


def _ignoring_keys(name: str) -> list[str]:
    return ["ignore", "extend_ignore"] if name in ("ignore", "extend_ignore") else [name]


def _ignored_by_file(old: Sequence[str], new: Sequence[str]) -> str:
    added = [row for row in new if row not in old and not is_beside(row.partition(":")[0])]
    return f"`per-file-ignores` now has {', '.join(added)}" if added else ""


def _was_looked_for(tool: str, code: str, selected: Sequence[str]) -> bool:
    """Whether a code was selected: what was not looked for is not switched off by ignoring it."""
    if tool != "ruff" or not selected or code == "ALL":
        return True
    return any(one == "ALL" or _is_within(code, one) or _is_within(one, code) for one in selected)


def _is_within(code: str, family: str) -> bool:
    """Whether a rule is one of a family: `F401` of `F`, which `FBT` is none of; `PLR09` of `PL`."""
    rest = code.removeprefix(family)
    return code.startswith(family) and (family == "PL" or not rest[:1].isupper() or not family.isupper())


def _warnings(old: Any, new: Any) -> str:
    before, now = as_list_of_lines(old), as_list_of_lines(new)
    if "error" in before and "error" not in now:
        return "warnings are no longer errors"
    added = [line for line in now if line not in before and _ALL_WARNINGS.fullmatch(line)]
    return "all warnings are ignored" if added else ""


def as_list_of_lines(value: Any) -> list[str]:
    """A list of lines, of which each may hold commas."""
    rows = value if isinstance(value, list) else str(value or "").splitlines()
    return [row.strip() for row in rows if row.strip()]


def _options(evidence: Evidence, before: Tables, now: Tables) -> Iterator[Finding]:
    """Options of pytest that are stricter, and went; or laxer, and came."""
    old, new = (options(tables.get("pytest", "addopts")) for tables in (before, now))
    lost = [
        o for o in old if o in ("-W=error", "--strict-markers", "--strict", "--cov-branch") and o not in new
    ]
    if now.get("coverage", "run.branch") is True:
        lost = [option for option in lost if option != "--cov-branch"]
    added = [o for o in new if o in ("-W=ignore", "--disable-warnings", "--no-cov") and o not in old]
    if (tries := tried_again(new)) > tried_again(old):
        how = f"failed tests are retried up to {tries} times"
        yield at_key(CODE, evidence.both, ("pytest", "addopts"), before, now, how, Weight.COUNTS)
    kept = now.get("pytest", "strict") is True or now.get("pytest", "strict_markers") is True
    for option in [*(lost if not kept else []), *(o for o in added if o != "--disable-warnings")]:
        how = f"pytest's option `{option.replace('=', ' ')}` was {'removed' if option in lost else 'added'}"
        yield at_key(CODE, evidence.both, ("pytest", "addopts"), before, now, how, Weight.COUNTS)


def tried_again(given: Sequence[str]) -> int:
    """How many more times a test is run that fails, by the options of pytest."""
    found = [option.partition("=")[2] for option in given if option.startswith("--reruns=")]
    return int(found[-1]) if found and found[-1].isdecimal() else 0
