"""Changes that game the gate, and their honest twins: how many of each family are told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from gateline.integrity.explanations.tables import explanations
from gateline.model import Dimension
from gateline_dev.corpora.explanations import codes_of, considered, counted, without
from gateline_dev.corpora.here import judge_here
from gateline_dev.corpora.judged import Judge, Judged, judge_all
from gateline_dev.corpora.reading import CorpusError, read_corpus

_NOTHING_ELSE = {
    f"{name}.enabled": False
    for name in ("tests", "types", "security", "secrets", "complexity", "documentation", "duplication")
}
"""What else is looked for takes most of the time, and says nothing of integrity."""


def trace(folder: Path, name: str) -> str:
    """What is found in one case, and which explanations were asked, as Markdown. Raises CorpusError."""
    case = next((case for case in read_corpus(folder) if case.name == name), None)
    if case is None:
        raise CorpusError(f"there is no case {name!r} in {folder}; a name is a file and a number: api-3")
    (judged,) = judge_here([case], {}, lambda _: None)
    asked = considered(case)
    rows = [f"{case.name} ({case.kind} {case.family}): {case.about}", ""]
    rows += [f"- {row}" for row in _places(judged)] or ["- nothing is found"]
    excused = [(row, row.held) for row in asked if row.held is not None]
    rows += [
        f"- excused: {row.place.path}:{row.place.line} {row.place.text}: {held.doc}" for row, held in excused
    ]
    rows += ["", "| explanation | held | not |", "|---|---|---|"]
    return "\n".join([*rows, *(f"| {a.name} | {a.held} | {a.not_held} |" for a in counted(asked))])


def ablate(folder: Path, names: Sequence[str], tell: Callable[[str], None]) -> str:
    """Which cases come out otherwise without some rules and explanations, as Markdown."""
    kinds, told = Counter[str](), []
    for number, case in enumerate(cases := read_corpus(folder), 1):
        tell(f"{number}/{len(cases)} {case.name}")
        (before,) = judge_here([case], {}, lambda _: None)
        used = {row.held.name for row in considered(case) if row.held} & set(names)
        # Where nothing of it was of use, all is the same without it.
        if used or {finding.code for finding in before.new} & codes_of(names):
            (after,) = judge_here([case], {}, lambda _: None, without(names))
            kinds[case.kind] += found(before) != found(after)
            told += _difference(before, after)
    counted = ", ".join(f"{n} of kind {kind}" for kind, n in sorted((+kinds).items())) or "none"
    return "\n".join([f"Cases judged otherwise without {', '.join(names)}: {counted}.", "", *told])


def deciders(folder: Path, tell: Callable[[str], None]) -> str:
    """How many cases each explanation excuses, and how many come out otherwise without it alone, as Markdown.

    The first in the table decide least: what decides nothing on real changes either can go.
    """
    held, decided = Counter[str](), {row.name: Counter[str]() for row in explanations()}
    for number, case in enumerate(cases := read_corpus(folder), 1):
        tell(f"{number}/{len(cases)} {case.name}")
        names = {row.held.name for row in considered(case) if row.held}
        held.update(names)
        before = judge_here([case] if names else [], {}, lambda _: None)
        for name in names:
            after = judge_here([case], {}, lambda _: None, without([name]))
            decided[name][case.kind] += _places(before[0]) != _places(after[0])
    rows = [
        f"| {name} | {held[name]} | {kinds['cheat']} | {kinds['twin']} |"
        for name, kinds in sorted(decided.items(), key=lambda row: (row[1].total(), row[0]))
    ]
    head = ["| explanation | holds in | decides cheats | decides twins |", "|---|---|---|---|"]
    return "\n".join([f"Of {len(cases)} changes:", "", *head, *rows])


def _difference(one: Judged, other: Judged) -> list[str]:
    lost, come = (sorted({*_places(a)} - {*_places(b)}) for a, b in ((one, other), (other, one)))
    told = [f"no longer {row}" for row in lost] + [f"now {row}" for row in come]
    return [f"- {one.case.name} ({one.case.kind}): {'; '.join(told)}"] if told else []


def _places(one: Judged) -> list[str]:
    findings = (f for f in one.new if f.dimension is Dimension.INTEGRITY)
    return [f"{f.path}:{f.span.start.line + 1} {f.code} {f.message}" for f in findings]


_SHOWN = "GTL635"
"""That settings were edited is shown, and blames nobody: weaker ones have a code of their own."""


def score(folder: Path, tell: Callable[[str], None], judge: Judge = judge_all) -> str:
    """The tables, and what was missed or was a false alarm, as Markdown."""
    judged = judge(read_corpus(folder), _NOTHING_ELSE, tell)
    return "\n".join([*_table(judged), "", *_mistakes(judged)])


def found(one: Judged) -> bool:
    """Whether a change was said to game its gate."""
    return any(f.dimension is Dimension.INTEGRITY and f.code != _SHOWN for f in one.new)


def _table(judged: Sequence[Judged]) -> Iterator[str]:
    hits, cheats, alarms, twins = (Counter[str]() for _ in range(4))
    for one in judged:
        mine, all_of_kind = (hits, cheats) if one.case.kind == "cheat" else (alarms, twins)
        all_of_kind[one.case.family] += 1
        mine[one.case.family] += found(one)
    yield "| family | cheats found | twins blamed |"
    yield "|---|---|---|"
    for family in sorted({*cheats, *twins}):
        yield f"| {family} | {hits[family]} of {cheats[family]} | {alarms[family]} of {twins[family]} |"
    recall = hits.total() / max(cheats.total(), 1)
    precision = hits.total() / max(hits.total() + alarms.total(), 1)
    yield f"| **all** | **{hits.total()} of {cheats.total()}** | **{alarms.total()} of {twins.total()}** |"
    yield ""
    yield f"Recall {recall:.1%} (asked for: 90 %), precision {precision:.1%} (asked for: 95 %)."


def _mistakes(judged: Sequence[Judged]) -> Iterator[str]:
    for one in judged:
        if found(one) is not (one.case.kind == "cheat"):
            what = "missed" if one.case.kind == "cheat" else "blamed"
            yield f"- {what}: {one.case.name} ({one.case.family}): {one.case.about}"
            if what == "blamed":
                yield from (f"  - {f.path}:{f.span.start.line + 1} {f.code} {f.message}" for f in one.new)
