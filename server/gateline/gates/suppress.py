"""Suppression comments: `# gateline: ignore[GTL203] reason` on a line, `ignore-file` for a whole file.

Code and reason are required: without them nothing is suppressed, and the comment itself is reported
(GTL901). So is one that suppresses nothing (GTL902). `GTL5` stands for every code that begins so.
A syntax error cannot be suppressed: nothing else can be judged in its text. Nor can a new suppression.
A comment that the base does not have, one that the change adds, lifts neither a floor, nor what integrity
found, nor a failing test: the finding stays, and says that there is such a comment.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from gateline.model.codes import CODES
from gateline.model.finding import Dimension, Finding, Weight
from gateline.model.source import Comment, Source
from gateline.model.span import Span
from gateline.security.files import is_python

INVALID = "GTL901"
UNUSED = "GTL902"
SYNTAX_ERROR = "GTL101"
SUPPRESSION_ADDED = "GTL621"
FAILING_TEST = "GTL201"
_ALWAYS_TOLD = frozenset({SYNTAX_ERROR, SUPPRESSION_ADDED})

REASON_TO_GIVE = "<reason>"
"""What stands in the place of a reason that a person has still to give."""

_BY_ADDED = "suppressed by a comment that this change adds"
_LIFTS_NOTHING = (
    "this change adds the comment that suppresses it: it takes effect only once it is in the base"
)

_MARK = re.compile(r"#\s*gateline:\s*(?P<rest>.*)")
_IGNORE = re.compile(r"ignore(?P<file>-file)?\s*(?:\[(?P<codes>[^\]]*)\])?(?P<reason>.*)")
_CODE = re.compile(r"GTL\d{0,3}")

Settled = Callable[[str, int | None], bool]
"""Whether everything that a code, on a line or (None) in the whole file, may mean was looked for."""


class Applied(NamedTuple):
    """What suppression comments leave of findings."""

    kept: tuple[Finding, ...]
    suppressed: tuple[Finding, ...]
    complaints: tuple[Finding, ...]
    """About the comments themselves."""


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment. `problem` says why it does not work; then it suppresses nothing."""

    span: Span
    text: str
    whole_file: bool = False
    codes: tuple[str, ...] = ()
    reason: str = ""
    problem: str = ""
    added: bool = False
    """The base does not have it."""

    def lifts(self, finding: Finding) -> bool:
        """Whether it may suppress a finding that it covers."""
        return not self.added or not is_protected(finding)

    def covers(self, code: str, finding: Finding) -> bool:
        """Whether `code`, one of its own, suppresses `finding`."""
        if finding.code in _ALWAYS_TOLD or not finding.code.startswith(code):
            return False
        return self.whole_file or self.span.start.line in (finding.span.start.line, finding.span.end.line)


def apply(
    source: Source,
    findings: Iterable[Finding],
    settled: Settled | None = None,
    is_added: Callable[[Suppression], bool] = lambda _: False,
) -> Applied:
    """Splits the findings of one document by its comments.

    Without `settled`, everything was looked for; without `is_added`, the base has every comment.
    """
    findings = tuple(findings)
    found = suppressions(source)
    working = [replace(s, added=is_added(s)) for s in found if not s.problem]
    covering = [[s for s in working if any(s.covers(code, f) for code in s.codes)] for f in findings]
    kept: list[Finding] = []
    suppressed: list[Finding] = []
    for finding, over in zip(findings, covering, strict=True):
        lifting = next((s for s in over if s.lifts(finding)), None)
        told = _told(finding, over, lifting)
        (kept if lifting is None else suppressed).append(told)
    complaints = [_finding(source, s, INVALID, s.problem) for s in found if s.problem]
    covered = tuple(f for f, over in zip(findings, covering, strict=True) if over)
    complaints += _unused(source, working, covered, settled or (lambda _code, _line: True))
    return Applied(tuple(kept), tuple(suppressed), tuple(complaints))


def _told(finding: Finding, over: Sequence[Suppression], lifting: Suppression | None) -> Finding:
    """The finding with what is to be told of the comments over it."""
    if lifting is not None:
        return replace(finding, remark=_BY_ADDED if lifting.added else "")
    return replace(finding, remark=_LIFTS_NOTHING) if over else finding


def may_be_ignored(finding: Finding) -> bool:
    """Whether a comment that the change adds would have an effect on a finding."""
    is_own = finding.dimension is Dimension.GATELINE or finding.code in _ALWAYS_TOLD
    return is_python(finding.path) and not is_own and not is_protected(finding)


def is_protected(finding: Finding) -> bool:
    """Whether only the base, or a person, may let a finding pass."""
    gamed = finding.dimension is Dimension.INTEGRITY and finding.weight is not Weight.ADVICE
    return gamed or finding.weight is Weight.FLOOR or finding.code == FAILING_TEST


def added(base: Source | None, source: Source) -> int:
    """How many comments that work `source` has and `base` (None: a new file) has not; moved ones are had."""
    now = Counter(s.text for s in suppressions(source) if not s.problem)
    if base is not None and now:
        now -= Counter(s.text for s in suppressions(base) if not s.problem)
    return now.total()


def suppressions(source: Source) -> tuple[Suppression, ...]:
    """The comments that speak to gateline, in order, also in a text that does not parse."""
    if "gateline:" not in source.text:
        return ()
    comments = [*source.comments, *_comments_beyond(source)]
    return tuple(s for comment in comments if (s := _read(comment)) is not None)


def _comments_beyond(source: Source) -> Iterator[Comment]:
    """Comments behind the place where a broken text stops being tokens; told by the look of their lines."""
    if source.tree is not None:
        return
    reached = source.tokens[-1].end[0] if source.tokens else 0
    for number in range(reached, len(source.lines)):
        line = source.line(number)
        if match := _MARK.search(line):
            yield Comment(Span.of(number, match.start(), number, len(line)), match[0])


def _read(comment: Comment) -> Suppression | None:
    mark = _MARK.search(comment.text)
    if mark is None:
        return None
    start = comment.span.start
    span = Span.of(start.line, start.column + mark.start(), start.line, start.column + mark.end())
    parts = _IGNORE.fullmatch(mark["rest"].strip())
    if parts is None:
        return Suppression(span, mark[0], problem=f"unknown instruction `{mark['rest'].strip()}`")
    codes = tuple(dict.fromkeys(c for part in (parts["codes"] or "").split(",") if (c := part.strip())))
    reason = parts["reason"].strip(" \t:-–—")
    return Suppression(span, mark[0], bool(parts["file"]), codes, reason, _problem(codes, reason))


def _problem(codes: tuple[str, ...], reason: str) -> str:
    strange = next((code for code in codes if not _CODE.fullmatch(code)), None)
    if strange is not None:
        return f"`{strange}` is not a gateline code"
    if not codes:
        return "a suppression must name its codes: `# gateline: ignore[GTL301] reason`"
    if reason == REASON_TO_GIVE:
        return f"replace `{REASON_TO_GIVE}` with the reason: until then nothing is suppressed"
    return "" if reason else "a suppression must give a reason: `# gateline: ignore[GTL301] reason`"


def _unused(
    source: Source, working: list[Suppression], covered: tuple[Finding, ...], settled: Settled
) -> Iterator[Finding]:
    # Most analyzers say nothing about a text that does not parse: no comment can prove its use there.
    if source.tree is None:
        return
    for suppression in working:
        line = None if suppression.whole_file else suppression.span.start.line
        for code in suppression.codes:
            if any(suppression.covers(code, f) for f in covered):
                continue
            if not any(known.startswith(code) for known in CODES):
                yield _finding(source, suppression, INVALID, f"`{code}` is not a gateline code")
            elif settled(code, line):
                yield _finding(source, suppression, UNUSED, f"`{code}` is suppressed here but was not found")


def _finding(source: Source, suppression: Suppression, code: str, message: str) -> Finding:
    line = suppression.span.start.line
    return Finding(
        code=code,
        path=source.path,
        span=suppression.span,
        message=message,
        dimension=Dimension.GATELINE,
        weight=Weight.ADVICE,
        symbol=source.symbol_at(line),
        line_text=source.line(line),
    )
