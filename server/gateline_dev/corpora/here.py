"""Judges cases right here: no git, no processes, and only the rules of integrity.

A thousand changes take seconds. Around a change a session reads the tests that import it; here it is
every unchanged file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from gateline.gates import case as gates
from gateline.gates.evaluate import judge
from gateline.integrity.file_roles import is_watched
from gateline.integrity.inspection import with_integrity
from gateline.integrity.rule import Rules
from gateline.model import Change, Document, FileChange, Level, Policy, Progress
from gateline.plugins import load_rules
from gateline.session.workspace.reading import is_python
from gateline.session.workspace.renames import pair
from gateline_dev.corpora.judged import Judged
from gateline_dev.corpora.reading import Case


def judge_here(
    cases: Sequence[Case],
    overrides: Mapping[str, object],
    tell: Callable[[str], None],
    rules: Rules | None = None,
) -> list[Judged]:
    """Every case, in order, by all rules unless some are given. No settings are read, to be overridden."""
    judged = []
    for number, case in enumerate(cases, 1):
        tell(f"{number}/{len(cases)} {case.name}")
        given = gates.Case(Policy(), Level.FINAL, Progress.SAID, change_of(case), around=around_of(case))
        judged.append(Judged(case, judge(with_integrity(given, rules or load_rules()))))
    return judged


def change_of(case: Case) -> Change:
    """The change as a session collects it."""
    python = tuple(_rows(case, is_python))
    others = tuple(_rows(case, lambda path: not is_python(path) and is_watched(path)))
    return Change("0" * 40, "HEAD", python, others=others)


def _rows(case: Case, wanted: Callable[[str], bool]) -> Iterator[FileChange]:
    base, now = (
        {path: text for path, text in side.items() if wanted(path)} for side in (case.base, case.now)
    )
    renamed = pair(_without(base, now), _without(now, base))
    for path in sorted({*base, *now} - {*renamed.values()}):
        before = renamed.get(path, path)
        if base.get(before) != now.get(path) or before != path:
            old, new = (
                Document(p, side[p]) if p in side else None for p, side in ((before, base), (path, now))
            )
            yield FileChange.between(old, new)


def _without(texts: Mapping[str, str], others: Mapping[str, str]) -> dict[str, str]:
    return {path: text for path, text in texts.items() if path not in others}


def around_of(case: Case) -> dict[str, Document]:
    """The unchanged Python files."""
    same = (path for path, text in case.now.items() if case.base.get(path) == text and is_python(path))
    return {path: Document(path, case.now[path]) for path in same}
