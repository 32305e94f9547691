"""Exposed secrets on changed lines of any text. Nothing leaves the machine, no value is tried.

How certain it is decides: what has the form of a known maker's token, and a private key, is a floor
(risk 1.0); what a name or an address says is one counts (0.5), in tests, examples and documentation it is
advice (0.2); a plain word under the name of a secret, and text that merely looks random, is advice (0.2).
Placeholders, names of headers and variables, labels, hashes that are called so, UUIDs and sample addresses
are silent.
The document's `exposure` is the chance that at least one is real: 1 - Π(1 - risk), from 0 to 1.

The value is never shown, stored or remembered: not in the message, not in the finding's line text.

detect-secrets' marks (`pragma: allowlist secret`) and the base's `.secrets.baseline` are heeded. A mark that
the change itself adds lifts nothing that is certain: then the mark is the finding (GTL621), and a floor.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import prod

from gateline.model import (
    Analyzer,
    Dimension,
    Finding,
    Inspection,
    Level,
    Measure,
    Report,
    Source,
    Span,
    Weight,
)
from gateline.security import words
from gateline.security.baseline import NAME, Baseline, Known, read_baseline
from gateline.security.detectors import require
from gateline.security.files import is_lock_file, is_python
from gateline.security.hits import (
    KEYWORD,
    PRIVATE_KEY,
    RANDOM,
    Certainty,
    Hit,
    hits,
    needs_detectors,
    without_secrets,
)
from gateline.security.pragmas import Pragma, pragmas
from gateline.security.private_keys import private_keys
from gateline.security.suspects import named_suspects, suspects

__all__ = ["ANALYZER", "CODE", "inspect", "without_secrets"]

CODE = "GTL310"
MARK_ADDED = "GTL621"

_RISKS = {Certainty.CERTAIN: 1.0, Certainty.LIKELY: 0.5, Certainty.DOUBTFUL: 0.2}
_HARMLESS_PLACE = 0.4
_MOST_LINES = 2_000
"""So many lines of a document are looked through by all detectors; the others for what has its own form."""
_SAID = {
    Certainty.CERTAIN: "exposed secret ({kind}), risk {risk:.1f}: remove it, and revoke it if it was real",
    Certainty.LIKELY: "likely a secret ({kind}), risk {risk:.1f}: read it from the environment",
    Certainty.DOUBTFUL: "may be a secret ({kind}), risk {risk:.1f}: if it is, remove it",
}


@dataclass(frozen=True, slots=True)
class _Found:
    """A secret on a zero-based line, and the mark over it that the change adds."""

    line: int
    hit: Hit
    risk: float
    weight: Weight
    mark: Pragma | None = None


def inspect(inspection: Inspection) -> Report:
    """The secrets on the changed lines, and how exposed the document is by them."""
    require()
    source = inspection.source
    found = [*_found(inspection)]
    open_ones = [one for one in found if one.mark is None or one.hit.certainty is Certainty.CERTAIN]
    exposure = Measure("exposure", round(1 - prod(1 - one.risk for one in open_ones), 6))
    findings = [_finding(source, one) if one.mark is None else _marked(source, one) for one in found]
    findings += _accepted_anew(inspection)
    return Report(ANALYZER.name, Dimension.SECURITY, findings=tuple(findings), measures=(exposure,))


def _found(inspection: Inspection) -> Iterator[_Found]:
    source, path = inspection.source, inspection.source.path
    if path.rpartition("/")[2] == NAME:
        # It holds hashes of what it knows.
        return
    baseline = read_baseline(str(inspection.options.get("baseline", "")))
    before = inspection.base.lines if inspection.base else None
    marks = pragmas(source.lines, before, path, added=inspection.is_added)
    for number, hit in _places(inspection):
        line = source.line(number)
        if not _is_looked_for(path, line, hit) or baseline.leaves_out(path, line, hit):
            continue
        one = _weighed(path, number, hit, baseline)
        mark = marks.get(number)
        if one is None or (mark is not None and not mark.is_new):
            continue
        yield replace(one, mark=mark)


def _places(inspection: Inspection) -> Iterator[tuple[int, Hit]]:
    """Every hit on a changed line, in order. Of a private key one changed line is enough."""
    source, changed = inspection.source, inspection.changed
    text = source.text
    search = suspects if is_python(source.path) else named_suspects
    suspected = search(text.replace("\r\n", "\n").replace("\r", "\n"))
    numbers = sorted(n for n in suspected if changed is None or n in changed)
    left = _MOST_LINES
    found: list[tuple[int, Hit]] = []
    for number in numbers:
        line = source.line(number)
        left -= left >= 0 and needs_detectors(line, source.path)
        found += [(number, hit) for hit in hits(line, source.path, quick=left < 0)]
    for key in private_keys(source.lines) if "PRIVATE KEY" in text or "PuTTY-User-Key" in text else ():
        if changed is None or any(n in changed for n in range(key.first, key.last + 1)):
            found = [(n, hit) for n, hit in found if not key.first <= n <= key.last]
            found.append((key.first, Hit(PRIVATE_KEY, key.start, key.end, Certainty.CERTAIN)))
    yield from sorted(found, key=lambda one: (one[0], one[1].start))


def _is_looked_for(path: str, line: str, hit: Hit) -> bool:
    """Whether such a thing may be a secret in this kind of file."""
    if hit.certainty is Certainty.CERTAIN or is_python(path):
        return True
    if is_lock_file(path) and (hit.kind in RANDOM or hit.kind == KEYWORD):
        return False
    if hit.kind in RANDOM and hit.certainty is Certainty.DOUBTFUL:
        return False
    return not words.is_translation(path) or words.is_strong(line[hit.start : hit.end])


def _weighed(path: str, number: int, hit: Hit, baseline: Baseline) -> _Found | None:
    """What the hit is worth at this place; None: nothing is said."""
    known = baseline.known(path, hit)
    if known is Known.NO_SECRET:
        return None
    risk = _RISKS[hit.certainty]
    if hit.certainty is Certainty.CERTAIN:
        return _Found(number, hit, risk, Weight.ADVICE if known is Known.LISTED else Weight.FLOOR)
    harmless = words.is_harmless_place(path) or known is Known.LISTED
    if harmless and hit.certainty is Certainty.DOUBTFUL:
        return None
    counts = hit.certainty is Certainty.LIKELY and not harmless
    share = _HARMLESS_PLACE if harmless else 1.0
    return _Found(number, hit, risk * share, Weight.COUNTS if counts else Weight.ADVICE)


def _finding(source: Source, one: _Found) -> Finding:
    hit, line = one.hit, source.line(one.line)
    return Finding(
        code=CODE,
        path=source.path,
        span=Span.of(one.line, hit.start, one.line, hit.end),
        message=_SAID[hit.certainty].format(kind=hit.kind, risk=one.risk),
        dimension=Dimension.SECURITY,
        weight=one.weight,
        origin=f"detect-secrets: {hit.kind}",
        symbol=_symbol(source, one.line),
        # The whole key may stand behind its head.
        line_text=line[: hit.start] + "…" if hit.kind == PRIVATE_KEY else without_secrets(line, source.path),
    )


def _marked(source: Source, one: _Found) -> Finding:
    """The mark that the change adds over a secret, as what it is."""
    mark = one.mark
    assert mark is not None
    certain = one.hit.certainty is Certainty.CERTAIN
    so = (
        "but does not accept it: remove the secret, or accept it on the base branch first"
        if certain
        else "and accepts it"
    )
    where = "" if mark.at == one.line else f" in line {one.line + 1}"
    return Finding(
        code=MARK_ADDED,
        path=source.path,
        span=Span.of(mark.at, mark.start, mark.at, mark.end),
        message=f"the new comment `{mark.text}` covers a secret{where} ({one.hit.kind}) {so}",
        dimension=Dimension.INTEGRITY,
        weight=one.weight if certain else Weight.ADVICE,
        origin=f"detect-secrets: {one.hit.kind}",
        symbol=_symbol(source, mark.at),
        line_text=without_secrets(source.line(mark.at), source.path),
    )


def _accepted_anew(inspection: Inspection) -> Iterator[Finding]:
    """What a changed `.secrets.baseline` accepts beyond that of the base: told, and not heeded yet."""
    source = inspection.source
    if source.path.rpartition("/")[2] != NAME:
        return
    now, before = read_baseline(source.text), read_baseline(inspection.base.text if inspection.base else "")
    paths = _more(now, before)
    if paths and (inspection.base is not None or inspection.is_added):
        yield Finding(
            code=MARK_ADDED,
            path=source.path,
            span=Span.of_line(0, source.line(0)),
            message=f"secrets in {', '.join(paths)} are newly accepted: this takes "
            "effect once the file is in the base",
            dimension=Dimension.INTEGRITY,
            weight=Weight.ADVICE,
            line_text=source.line(0),
        )


def _more(now: Baseline, before: Baseline) -> list[str]:
    """The files of which more is accepted than before."""
    entries: Mapping[tuple[str, str], Known] = before.entries
    return sorted(
        {path for (path, one), said in now.entries.items() if said > entries.get((path, one), Known.NOT)}
    )


def _symbol(source: Source, line: int) -> str:
    return source.symbol_at(line) if is_python(source.path) else ""


ANALYZER = Analyzer("secrets", Dimension.SECURITY, Level.MIDDLE, inspect, changed_lines_only=True)
