"""GTL631: a threshold that the change must reach was lowered, in the change itself."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from gateline.analysis.modules import Module
from gateline.integrity.change_view import on_both_sides
from gateline.integrity.enforcement.changed_settings import at_key, replaced_tools
from gateline.integrity.enforcement.python_scripts import is_scripted
from gateline.integrity.enforcement.settings import Key, Tables, as_list, both_tables
from gateline.integrity.evidence import Evidence
from gateline.integrity.file_roles import is_product
from gateline.integrity.findings import at_line, at_node
from gateline.integrity.rules.threshold_lowered import CODE
from gateline.model.finding import Finding, Weight

_HIGH = re.compile(
    r"(report\.)?fail_under|gates\.(final_accept|final_conditional|middle_score|evidence|error_points|"
    r"security_points|trajectory_drop)|coverage\.status(\.\w+)+\.target"
)
"""Keys of which a higher number asks for more."""
_LOW = re.compile(
    r"(mccabe\.|pylint\.)?max_(complexity|args|branches|returns|statements|locals|nested_blocks|bool_expr|"
    r"public_methods|attributes|parents|module_lines|doc_length)|gates\.(floor_cap|early_type_errors|"
    r"middle_failing_share|complexity_best|complexity_worst)|duplication\.min_tokens|"
    r"coverage\.status(\.\w+)+\.threshold"
)
"""Keys of which a lower number asks for more."""
_GRADES: dict[str, Sequence[str]] = {
    "security.min_severity": ("high", "medium", "low"),
    "security.min_confidence": ("high", "medium", "low"),
    "profile": ("plain", "standard"),
    "follow_imports": ("skip", "silent", "normal"),
    "typeCheckingMode": ("off", "basic", "standard", "strict"),
}
"""Words, from the one that asks for least."""
_DEFAULTS: dict[Key, float] = {
    ("coverage", "report.fail_under"): 0,
    ("gateline", "gates.final_accept"): 85,
    ("gateline", "gates.final_conditional"): 70,
    ("gateline", "gates.middle_score"): 60,
    ("gateline", "gates.evidence"): 0.6,
    ("gateline", "gates.floor_cap"): 59,
    ("gateline", "gates.early_type_errors"): 5,
    ("gateline", "gates.complexity_best"): 10,
    ("gateline", "gates.complexity_worst"): 30,
    ("gateline", "gates.error_points"): 10,
    ("gateline", "gates.security_points"): 10,
    ("gateline", "duplication.min_tokens"): 40,
}
_TIMEOUT = ("pytest", "timeout")
"""Seconds that a test may take; 0 is for ever."""
_NONE = float("inf")


_ASKED = re.compile(r"^[^#\n]*--fail-under[= ](\d+(?:\.\d+)?)", re.MULTILINE)
_NEXT_TO_NOTHING = 10
_OVERRIDDEN = "this requires almost no coverage, whatever the settings require"


def find(evidence: Evidence) -> Iterator[Finding]:
    """The thresholds that ask for less."""
    before, now = both_tables(evidence.both)
    gone = replaced_tools(before, now)
    for key in dict.fromkeys([*before.entries, *now.entries]):
        if key[0] not in gone and (how := lowered(key, before, now)):
            yield at_key(CODE, evidence.both, key, before, now, how, Weight.FLOOR)
    yield from _option(evidence, before, now)
    yield from _in_code(evidence)
    yield from _in_pipelines(evidence)


def lowered(key: Key, before: Tables, now: Tables) -> str:
    """How a key asks for less than it did; "" when it does not, or is no threshold."""
    tool, name = key
    old, new = before.get(tool, name), now.get(tool, name)
    newly_used = tool not in before.tools() and tool != "gateline"
    if old == new or newly_used:
        return ""
    if name in _GRADES:
        return _graded(name, old, new)
    if key == _TIMEOUT:
        # Without a number there was no limit either.
        asked = _number(old, key, 0)
        return _told(name, asked, _NONE) if new == 0 < asked else ""
    if _HIGH.fullmatch(name):
        asked, least = _number(old, key, 0), _number(new, key, 0)
        return _told(name, asked, least) if least < asked else ""
    if _LOW.fullmatch(name):
        asked, most = _number(old, key, _NONE), _number(new, key, _NONE)
        return _told(name, asked, most) if most > asked else ""
    return ""


def _graded(name: str, old: Any, new: Any) -> str:
    grades = _GRADES[name]
    asked, left = (grades.index(v) if v in grades else len(grades) // 2 for v in (old, new))
    return f"`{name}` was {old or 'the default'} and is {new or 'the default'}" if left < asked else ""


def _number(value: Any, key: Key, without: float) -> float:
    if isinstance(value, str) and re.fullmatch(r"\d+(\.\d+)?%", value):
        return float(value[:-1])
    if isinstance(value, bool) or not isinstance(value, int | float):
        return _DEFAULTS.get(key, without)
    # flake8 takes -1 for "do not look".
    return _NONE if value < 0 else float(value)


def _told(name: str, old: float, new: float) -> str:
    was, now = ("no limit" if n == _NONE else f"{n:g}" for n in (old, new))
    return f"`{name}` was {was} and is {now}"


def _option(evidence: Evidence, before: Tables, now: Tables) -> Iterator[Finding]:
    """`--cov-fail-under` among pytest's options, which the settings of coverage may take over."""
    asked, left = (_asked_coverage(options(tables.get("pytest", "addopts"))) for tables in (before, now))
    left = left or _number(now.get("coverage", "report.fail_under"), ("coverage", "report.fail_under"), 0)
    if left < asked:
        how = _told("--cov-fail-under", asked, left)
        yield at_key(CODE, evidence.both, ("pytest", "addopts"), before, now, how, Weight.FLOOR)


def _in_code(evidence: Evidence) -> Iterator[Finding]:
    """`--cov-fail-under` where Python calls pytest, as a noxfile does."""
    for base, now in on_both_sides(evidence.both.files):
        if is_product(now.source.path) or is_scripted(now.source.path):
            continue
        asked = max((_asked_coverage([word]) for _, word in _words(base)), default=0.0)
        for node, word in _words(now):
            if (left := _asked_coverage([word])) and left < asked:
                how = _told("--cov-fail-under", asked, left)
                yield at_node(CODE, now, node, how, Weight.FLOOR)


def _in_pipelines(evidence: Evidence) -> Iterator[Finding]:
    """A coverage that is asked for where a check is called, less than there or in the settings."""
    for row in evidence.both.pipelines:
        if row.base is None or row.current is None:
            continue
        before = [float(found[1]) for found in _ASKED.finditer(row.base.text)]
        for number, line in enumerate(row.current.text.splitlines()):
            found = _ASKED.search(line)
            # Nothing at all takes the place of what settings ask for.
            if found and float(found[1]) < min(before, default=_NEXT_TO_NOTHING):
                how = _told("--fail-under", min(before), float(found[1])) if before else _OVERRIDDEN
                yield at_line(CODE, row.path, row.current.text, number, how, Weight.FLOOR)


def _words(module: Module) -> Iterator[tuple[ast.AST, str]]:
    for node, _ in module.owned:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from ((node, word) for word in node.value.split())


def _asked_coverage(given: Sequence[str]) -> float:
    found = [o.partition("=")[2] for o in given if o.startswith("--cov-fail-under=")]
    return float(found[-1]) if found and re.fullmatch(r"\d+(\.\d+)?", found[-1]) else 0.0


_WITH_VALUE = frozenset(
    {"-k", "-m", "-W", "-p", "-c", "-n", "-o", "--ignore", "--deselect", "--cov-fail-under", "--reruns"}
)
"""Options that may be divided from their value by a space."""


def options(value: Any) -> list[str]:
    """The options of pytest, each with its value: `--ignore=a`, `-k=b`."""
    words = as_list(value) if isinstance(value, list) else _split(str(value or ""))
    found: list[str] = []
    for word in words:
        if found and found[-1] in _WITH_VALUE:
            found[-1] = f"{found[-1]}={word}"
        else:
            found.append(word)
    return found


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text, comments=True)
    except ValueError:
        return text.split()
