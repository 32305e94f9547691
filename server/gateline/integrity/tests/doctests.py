"""GTL602 and GTL604 of doctests: an example is passed over from now on, or any output is right."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_line
from gateline.integrity.rules.assertion_loosened import CODE as LOOSENED
from gateline.integrity.rules.test_skipped import CODE as SKIPPED
from gateline.model.finding import Finding, Weight

_TELLING = re.compile(r"\w")
_EXAMPLE = re.compile(r"\s*>>> (?P<code>.*?)\s*(?P<options>#\s*doctest:.*)?")


def find(evidence: Evidence) -> Iterator[Finding]:
    """The examples that were run and no longer are."""
    pairs = [(p.path, p.base.source.text, p.now.source.text) for p in evidence.both.files if p.base and p.now]
    rows = [(r.path, r.base.text, r.current.text) for r in evidence.both.documents if r.base and r.current]
    for path, before, now in (*pairs, *rows):
        run = {code for _, code, skipped in _examples(before) if not skipped}
        passed_over = {code for _, code, skipped in _examples(before) if skipped}
        for line, code, skipped in _examples(now):
            if skipped and code in run - passed_over:
                message = f"the example `{code[:60]}` is no longer run"
                yield at_line(SKIPPED, path, now, line, message, Weight.FLOOR)
        known = {code: output for _, code, output in _outputs(before)}
        for line, code, output in _outputs(now):
            if "..." in output and _is_vague(known.get(code, output), output):
                message = f"nearly any output of `{code[:60]}` is accepted"
                yield at_line(LOOSENED, path, now, line, message, Weight.COUNTS)


def _is_vague(before: str, now: str) -> bool:
    """Whether most of an output that was written out is left open: an address in it may be."""
    told, left = (len(_TELLING.findall(text)) for text in (before, now))
    return "..." not in before and left * 2 < told


def _outputs(text: str) -> Iterator[tuple[int, str, str]]:
    """The line, the code and the output that is told, of each example."""
    lines = text.splitlines()
    for number, code, _ in _examples(text):
        rest = itertools.takewhile(lambda row: row.strip() not in ("", '"""'), lines[number + 1 :])
        shown = itertools.takewhile(lambda row: ">>> " not in row, rest)
        yield number, code, "\n".join(row.strip() for row in shown)


def _examples(text: str) -> Iterator[tuple[int, str, bool]]:
    """The line, the code and whether it is skipped, of each example."""
    for number, line in enumerate(text.splitlines()):
        if ">>> " in line and (found := _EXAMPLE.fullmatch(line.rstrip())):
            yield number, found["code"], "+SKIP" in (found["options"] or "")
