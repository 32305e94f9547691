"""GTL608, GTL631 and GTL632 of pipelines: checks are called so that they ask for less."""

from __future__ import annotations

import re
import shlex
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from gateline.integrity.enforcement.changed_settings import is_beside
from gateline.integrity.enforcement.checker_options import laxer
from gateline.integrity.enforcement.commands import Call
from gateline.integrity.enforcement.python_scripts import is_scripted
from gateline.integrity.enforcement.settings import Tables, as_list, both_tables, document_of
from gateline.integrity.enforcement.unittest_discovery import left_out
from gateline.integrity.evidence import Evidence
from gateline.integrity.file_roles import is_test
from gateline.integrity.findings import at_line
from gateline.integrity.rules.check_made_optional.pipelines import calls_of
from gateline.integrity.rules.check_switched_off import CODE as SWITCHED_OFF
from gateline.integrity.rules.check_switched_off.settings import tried_again
from gateline.integrity.rules.coverage_omitted import CODE as LEFT_OUT
from gateline.integrity.rules.test_selection_changed import CODE as SELECTION
from gateline.integrity.rules.test_selection_changed.settings import is_harmless
from gateline.integrity.rules.threshold_lowered import CODE as THRESHOLD
from gateline.integrity.rules.threshold_lowered.settings import options
from gateline.model.change import FileChange
from gateline.model.finding import Finding, Weight

_Told = tuple[str, str, Weight]

_LEAVING_OUT = ("-k", "--deselect", "--ignore", "--ignore-glob", "--collect-only", "--co", "--lf")
_AT_LEAST = re.compile(r"--(?:cov-)?fail-under")
_AT_MOST = re.compile(r"--max-(?!line-length|doc-length)[a-z-]+")
_STRICT = re.compile(
    r"--(strict|disallow-.+|warn-.+|no-implicit-.+|check-untyped-defs|extra-checks|strict-.+)"
)
"""Flags of mypy that make it look for more."""


def find(evidence: Evidence) -> Iterator[Finding]:
    """The calls that ask for less than those in their place did."""
    before, tables = both_tables(evidence.both)
    scripts = (row for row in evidence.both.change.files if is_scripted(row.path))
    rows = dict.fromkeys([*evidence.both.pipelines, *evidence.both.configuration, *scripts])
    yield from _measured_no_more(list(rows), tables)
    marked = frozenset[str]()
    moves = {test.path: test.path for test in evidence.both.tests_now}
    moves |= {pair.path: pair.base_path for pair in evidence.both.tests if pair.now is not None}
    for row in rows:
        had, has = (_by_tool(calls_of(document)) for document in (row.base, row.current))
        for tool, old in had.items():
            # Jobs were divided or joined: what each of them does is no matter of one line.
            if len(old) == len(has.get(tool, ())):
                pairs = list(_paired(old, has[tool]))
                yield from _of_tool(row, tool, pairs, tables, moves)
                marked |= _marked(tool, pairs)
    if told := [option for option in marked if not is_harmless(option, tables, before, evidence)]:
        yield from _left_to_nobody(list(rows), told)


def _marked(tool: str, pairs: Sequence[tuple[Call, Call]]) -> frozenset[str]:
    """The marks by which calls of pytest choose from now on."""
    words = [
        (_words(old.command), _words(new.command)) for old, new in pairs if tool in ("pytest", "py.test")
    ]
    return frozenset(word for old, new in words for word in new if word.startswith("-m=") and word not in old)


def _left_to_nobody(rows: Sequence[FileChange], told: Sequence[str]) -> Iterator[Finding]:
    """The calls that choose by a mark, unless another one runs what they leave out, or everything."""
    calls = [
        (row, call) for row in rows for call in calls_of(row.current) if call.tool in ("pytest", "py.test")
    ]
    chosen = [(row, call, word) for row, call in calls for word in told if word in _words(call.command)]
    rest = [
        _words(call.command) for _, call in calls if call.strict and not {*told} & {*_words(call.command)}
    ]
    for row, call, word in chosen:
        marks = {*re.findall(r"\w+", word)} - {"m", "not", "and", "or"}
        if not any(_runs_the_rest(words, marks) for words in rest):
            message = f"`{word.replace('=', ' ', 1)}` excludes tests"
            yield at_line(SELECTION, row.path, document_of(row).text, call.line, message, Weight.FLOOR)


def _runs_the_rest(words: Sequence[str], marks: set[str]) -> bool:
    chosen = [word for word in words if word.startswith(("-m=", "-k="))]
    named = re.findall(r"(?<!not )\b\w+", " ".join(word[3:] for word in chosen))
    return bool(marks & {*named}) or not (chosen or _paths(words))


def _measured_no_more(rows: Sequence[FileChange], tables: Tables) -> Iterator[Finding]:
    """Calls of tests that measured the coverage, where nothing does so any more."""
    sides = [(row, calls_of(row.base), calls_of(row.current)) for row in rows]
    configured = any(word.startswith("--cov") for word in options(tables.get("pytest", "addopts")))
    if configured or any(map(_measures, (call for _, _, now in sides for call in now))):
        return
    for row, before, now in sides:
        kept = next((call for call in now if call.tool in _RUNNERS), None)
        if kept is not None and any(map(_measures, before)):
            message = "coverage is no longer measured"
            yield at_line(LEFT_OUT, row.path, document_of(row).text, kept.line, message, Weight.COUNTS)


def _measures(call: Call) -> bool:
    return call.tool == "coverage" or any(word.startswith("--cov") for word in _words(call.command))


def _by_tool(calls: Sequence[Call]) -> Mapping[str, list[Call]]:
    found: dict[str, list[Call]] = defaultdict(list)
    for call in calls:
        if call.command:
            found[call.tool].append(call)
    return found


def _paired(old: Sequence[Call], new: Sequence[Call]) -> Iterator[tuple[Call, Call]]:
    """Each call with the one in its place: one that is written alike, or else the likest of the rest."""
    left = list(new)
    written = [call.command for call in new]
    for call in sorted(old, key=lambda call: call.command not in written):
        words = {*re.findall(r"[\w./-]+", call.command)}
        likest = max(left, key=lambda c: (c.command == call.command, _shared(words, c)))
        left.remove(likest)
        yield call, likest


def _shared(words: set[str], call: Call) -> int:
    return len(words.intersection(re.findall(r"[\w./-]+", call.command)))


def _of_tool(
    row: FileChange, tool: str, pairs: Iterable[tuple[Call, Call]], tables: Tables, moves: Mapping[str, str]
) -> Iterator[Finding]:
    text = document_of(row).text
    for old, new in pairs:
        before, now = _words(old.command), _words(new.command)
        for code, how, weight in _less(tool, _following(before, now, moves), now, tables):
            yield at_line(code, row.path, text, new.line, how, weight)


def _following(before: Sequence[str], now: Sequence[str], moves: Mapping[str, str]) -> list[str]:
    """The words of a call, with the folders inside those named there into which all of their tests moved.

    `moves` has the files of tests by path, each with its path in the base.
    """
    come = [word for word in now if word not in before]
    return [next((to for to in come if _moved(word, to, moves)), word) for word in before]


def _moved(folder: str, to: str, moves: Mapping[str, str]) -> bool:
    """Whether every file of tests in a folder is in one inside it by now, and some were not."""
    outer, inner = (word.removeprefix("./").rstrip("/") for word in (folder, to))
    held = [(path, was) for path, was in moves.items() if _is_within(path, outer)]
    came = any(_is_within(was, outer) and not _is_within(was, inner) for _, was in held)
    return outer != inner and came and all(_is_within(path, inner) for path, _ in held)


def _less(tool: str, old: Sequence[str], new: Sequence[str], tables: Tables) -> Iterator[_Told]:
    """What a call asks for no more: code, how, and how much that weighs."""
    fewer = _RUNNERS[tool](old, new) if tool in _RUNNERS else ()
    yield from ((*told, Weight.FLOOR) for told in (*fewer, *_lowered(old, new, tables)))
    if tool in _RUNNERS and _forgives_warnings(old, new, tables):
        yield SWITCHED_OFF, "warnings no longer fail the tests", Weight.COUNTS
    if tool in _RUNNERS and (untried := _untried(old, new, tables)):
        yield SELECTION, f"without `{untried}` doctests are no longer run", Weight.COUNTS
    if tool == "coverage" and (narrowed := _measured_in_part(old, new)):
        yield LEFT_OUT, f"`{narrowed}` excludes code from coverage", Weight.FLOOR
    if tool == "mypy" and (lost := _laxer(old, new, tables)):
        yield SWITCHED_OFF, f"mypy is called without {', '.join(lost)}", Weight.COUNTS
    yield from ((SWITCHED_OFF, how, Weight.COUNTS) for how in laxer(tool, old, new))


def _forgives_warnings(old: Sequence[str], new: Sequence[str], tables: Tables) -> bool:
    """Whether warnings were errors, and neither the call nor the settings say so any more."""
    configured = "error" in as_list(tables.get("pytest", "filterwarnings"))
    return _fails_for_warnings(old) and not _fails_for_warnings(new) and not configured


def _measured_in_part(old: Sequence[str], new: Sequence[str]) -> str:
    """An option that is new and names what of the product alone is reported, or what is not."""
    had, has = _patterns(old), _patterns(new)
    for option, patterns in has.items():
        known = had.get(option, [])
        if option == "--omit":
            come = [pattern for pattern in patterns if pattern not in known and not is_beside(pattern)]
        else:
            come = patterns if any(not is_beside(p) and _is_part(p, known) for p in patterns) else []
        if come:
            return f"{option}={','.join(come)}"
    return ""


def _patterns(words: Sequence[str]) -> dict[str, list[str]]:
    """By option: the patterns of paths that coverage is told, with `=` or as the next word."""
    found = re.findall(r"(--include|--omit)[= ](\S+)", " ".join(words))
    return {option: [part for part in given.split(",") if part] for option, given in found}


def _is_part(pattern: str, known: Sequence[str]) -> bool:
    """Whether a pattern takes in less than those before it did, or than all."""
    own, *before = (path.removeprefix("src/").rstrip("*/") for path in (pattern, *known))
    return not before or (own not in before and any(own.startswith(f"{path}/") for path in before))


def _untried(old: Sequence[str], new: Sequence[str], tables: Tables) -> str:
    """The option by which examples were tried, and that neither the call nor the settings have any more."""
    known = options(tables.get("pytest", "addopts"))
    asked = (word for word in old if word.startswith(("--doctest-modules", "--doctest-glob")))
    return next((word for word in asked if word not in {*new, *known}), "")


def _fails_for_warnings(words: Sequence[str]) -> bool:
    joined = " ".join(words)
    return re.search(r"(?<!\S)(-W ?=?|--pythonwarnings[ =])error(?![\w:])", joined) is not None


def _laxer(old: Sequence[str], new: Sequence[str], tables: Tables) -> list[str]:
    """The flags that went, unless mypy's settings have them from now on."""
    if tables.get("mypy", "strict") is True:
        return []
    named = {option.removeprefix("--").replace("-", "_") for option in old}
    moved = {f"--{name.replace('_', '-')}" for name in named if tables.get("mypy", name) is True}
    return [option for option in old if _STRICT.fullmatch(option) and option not in {*new, *moved}]


def _words(command: str) -> list[str]:
    try:
        return options(shlex.join(shlex.split(command, comments=True)[1:]))
    except ValueError:
        return options(" ".join(command.split()[1:]))


def _fewer(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, str]]:
    for option in new:
        if option not in old and option.partition("=")[0] in _LEAVING_OUT:
            yield SELECTION, f"`{option.replace('=', ' ', 1)}` excludes tests"
    if (tries := tried_again(new)) > tried_again(old):
        yield SWITCHED_OFF, f"failed tests are retried up to {tries} times"
    had, has = _paths(old), _paths(new)
    lost = [path for path in had if not any(_is_within(path, other) for other in has)] if has else []
    narrower = [path for path in has if len(PurePosixPath(path).parts) > 1 or path.endswith(".py")]
    if lost and all(any(_is_within(path, other) for other in had) for path in has):
        yield SELECTION, f"only {', '.join(has)} is run; {', '.join(lost)} was before"
    elif not had and narrower == has and has:
        yield SELECTION, f"only {', '.join(has)} is run; all tests were before"


def _fewer_of_unittest(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, str]]:
    return ((SELECTION, how) for how in left_out(old, new))


_RUNNERS = {"pytest": _fewer, "py.test": _fewer, "unittest": _fewer_of_unittest}
"""What a runner of tests is told, and how that leaves some out."""


def _lowered(old: Sequence[str], new: Sequence[str], tables: Tables) -> Iterator[tuple[str, str]]:
    asked, left = _numbers(old), _numbers(new)
    configured = tables.get("coverage", "report.fail_under")
    least = float(configured) if isinstance(configured, int | float) else 0.0
    for name, number in asked.items():
        if _AT_LEAST.fullmatch(name) and (now := left.get(name, least)) < number:
            yield THRESHOLD, f"`{name}` was {number:g} and is {now:g}"
        elif _AT_MOST.fullmatch(name) and left.get(name, number) > number:
            yield THRESHOLD, f"`{name}` was {number:g} and is {left[name]:g}"


def _numbers(words: Sequence[str]) -> dict[str, float]:
    """The options with a number, written with `=` or with a space."""
    joined = re.findall(r"(?<!\S)(--[a-z-]+)[= ](\d+(?:\.\d+)?)(?!\S)", " ".join(words))
    return {name: float(number) for name, number in joined}


def _paths(words: Sequence[str]) -> list[str]:
    """The files and folders of tests that are named."""
    plain = (word.partition("::")[0].rstrip("/") for word in words if re.fullmatch(r"\.?\w[\w./:-]*", word))
    return [path for path in plain if is_test(path) or is_test(f"{path}/x.py")]


def _is_within(path: str, other: str) -> bool:
    return path == other or path.startswith(f"{other}/")
