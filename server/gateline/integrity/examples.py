"""GTL602 of doctests: an example in a docstring or a page is passed over from now on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gateline.integrity.evidence import Evidence
from gateline.integrity.finding import at_line
from gateline.model.finding import Finding, Weight

CODE = "GTL602"

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
                yield at_line(CODE, path, now, line, message, Weight.FLOOR)


def _examples(text: str) -> Iterator[tuple[int, str, bool]]:
    """The line, the code and whether it is skipped, of each example."""
    for number, line in enumerate(text.splitlines()):
        if ">>> " in line and (found := _EXAMPLE.fullmatch(line.rstrip())):
            yield number, found["code"], "+SKIP" in (found["options"] or "")
