"""GTL601 and GTL605 of data: rows of a file that tests read their cases from are gone, or others."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from gateline.integrity.change_view import Both
from gateline.integrity.enforcement.settings import document_of
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_line
from gateline.integrity.product.diff import Product
from gateline.integrity.product.documentation import added_lines
from gateline.integrity.rules.expected_value_changed import CODE as CHANGED
from gateline.integrity.rules.test_removed import CODE as REMOVED
from gateline.model.change import FileChange
from gateline.model.document import Document
from gateline.model.finding import Finding, Weight

_TELLING = 4
"""Letters of a value that is hardly found again by chance."""


def find(evidence: Evidence) -> Iterator[Finding]:
    """The files of test data that have fewer rows, of which some are about what the product still has."""
    for row in evidence.both.data:
        before, now = _rows(row.base), _rows(row.current)
        lost = before - now
        if row.base is None:
            continue
        if before.total() <= now.total():
            yield from _changed(row, list(lost), list(now - before), evidence.product)
            continue
        left = [text for text in lost.elements() if not _is_about_gone(text, evidence.product)]
        left = [text for text in left if not _is_moved(text, row, evidence.both)]
        if left:
            message = f"{len(left)} of {before.total()} rows of test data removed: {left[0][:60]}"
            yield at_line(REMOVED, row.path, document_of(row).text, 0, message, Weight.COUNTS)


def _changed(row: FileChange, lost: list[str], come: list[str], product: Product) -> Iterator[Finding]:
    """Rows in which one value is another one, as is what code does, while nothing says that it should be."""
    if not lost or not product.is_changed or product.only_values_changed or product.says_so:
        return
    if product.is_told(product.altered):
        return
    for old, new in zip(lost, come, strict=False):
        value = _only_other(old, new)
        if value is not None and not product.explains(frozenset({repr(value)})):
            message = f"a row of test data now has `{str(value)[:60]}`; nothing in the change explains it"
            yield at_line(CHANGED, row.path, document_of(row).text, 0, message, Weight.COUNTS)
            return


def _only_other(old: str, new: str) -> Any:
    """The one value in which two rows differ, as it is now; None where they differ in more."""
    before, now = _values(old), _values(new)
    if before.keys() != now.keys():
        return None
    differing = [now[key] for key in now if now[key] != before[key]]
    return differing[0] if len(differing) == 1 and len(now) > 1 else None


def _values(text: str) -> dict[Any, Any]:
    """The values of a row, by name or place."""
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        row = text.split(",")
    return row if isinstance(row, dict) else dict(enumerate(row if isinstance(row, list) else [row]))


def _rows(document: Document | None) -> Counter[str]:
    """The rows of a list or table in JSON, or of text with a row on each line."""
    if document is None:
        return Counter()
    if not document.path.endswith(".json"):
        return Counter(line.strip() for line in document.text.splitlines() if line.strip())
    try:
        found = json.loads(document.text)
    except (ValueError, RecursionError):
        return Counter()
    rows: Any = found if isinstance(found, list) else found.items() if isinstance(found, dict) else ()
    return Counter(json.dumps(row, sort_keys=True, ensure_ascii=False) for row in rows)


def _is_moved(text: str, row: FileChange, both: Both) -> bool:
    """Whether all that tells something in a row stands in a test, or in another file of data, by now."""
    telling = [value for value in _values(text).values() if isinstance(value, str) and len(value) >= _TELLING]
    files = [(other.base, other.current) for other in both.data if other is not row]
    files += [
        (pair.base.source.document if pair.base else None, pair.now.source.document)
        for pair in both.tests
        if pair.now
    ]
    come = "\n".join(line for base, now in files for line in added_lines(base, now))
    return bool(telling) and all(value in come for value in telling)


def _is_about_gone(text: str, product: Product) -> bool:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        row = text.split(",")
    words = row if isinstance(row, list) else [row]
    return any(product.lost_word(repr(word)) for word in words if isinstance(word, str))
