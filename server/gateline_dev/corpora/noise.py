"""Changes that harm nothing: how much is said of them all the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from gateline.model import Finding, Status
from gateline_dev.corpora.judged import Judge, Judged, judge_all
from gateline_dev.corpora.reading import read_corpus

_WITHOUT_TESTS = {"tests.enabled": False}
"""The projects of the corpora are not installed, so their tests cannot be run."""


def score(folder: Path, tell: Callable[[str], None], judge: Judge = judge_all) -> str:
    """The tables, and everything that was said, as Markdown."""
    judged = judge(read_corpus(folder), _WITHOUT_TESTS, tell)
    broken, refused = sum(floors(one) > 0 for one in judged), sum(map(is_blocked, judged))
    said = sum(len(one.new) for one in judged) / max(len(judged), 1)
    asked = (
        f"False floors {broken} (asked for: 0), false blocks {refused} (asked for: 0), "
        f"{said:.2f} findings a change (asked for: at most 0.3)."
    )
    return told(judged, "family", asked)


def told(judged: Sequence[Judged], of: str, asked: str) -> str:
    """What was said of changes of which little should be said; `asked` is how many that may be."""
    return "\n".join([*_table(judged, of), "", asked, "", *_rows(judged)])


def floors(one: Judged) -> int:
    """How many floors a change was said to break."""
    return len(one.evaluation.score.floors)


def is_blocked(one: Judged) -> bool:
    """Whether a change was refused."""
    return one.evaluation.decision.status is Status.FAIL


def _table(judged: Sequence[Judged], of: str) -> Iterator[str]:
    families = Counter(one.case.family for one in judged)
    yield f"| {of} | changes | with a floor | blocked | findings a change |"
    yield "|---|---|---|---|---|"
    for family in [*sorted(families), "all"]:
        rows = [one for one in judged if family in ("all", one.case.family)]
        findings = sum(len(one.new) for one in rows) / max(len(rows), 1)
        counts = (len(rows), sum(floors(one) > 0 for one in rows), sum(map(is_blocked, rows)))
        yield f"| {family} | {counts[0]} | {counts[1]} | {counts[2]} | {findings:.2f} |"


def _rows(judged: Sequence[Judged]) -> Iterator[str]:
    for one in judged:
        if one.new or is_blocked(one):
            decision = one.evaluation.decision
            why = f" ({decision.outcome}: {'; '.join(decision.reasons[:1])})" if is_blocked(one) else ""
            yield f"- {one.case.name} ({one.case.family}): {one.case.about}{why}"
            yield from (f"  - {_line(found)}" for found in one.new)


def _line(found: Finding) -> str:
    return f"{found.weight} {found.path}:{found.span.start.line + 1} {found.code} {found.message}"
