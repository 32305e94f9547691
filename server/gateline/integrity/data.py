"""GTL601 of data: rows are gone from a file that tests read their cases from."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from gateline.integrity.evidence import Evidence
from gateline.integrity.finding import at_line
from gateline.integrity.product import Product
from gateline.integrity.tables import document_of
from gateline.model.document import Document
from gateline.model.finding import Finding, Weight

CODE = "GTL601"


def find(evidence: Evidence) -> Iterator[Finding]:
    """The files of test data that have fewer rows, of which some are about what the product still has."""
    for row in evidence.both.data:
        before, now = _rows(row.base), _rows(row.current)
        lost = before - now
        if row.base is None or before.total() <= now.total():
            continue
        left = [text for text in lost.elements() if not _is_about_gone(text, evidence.product)]
        if left:
            message = f"{len(left)} of {before.total()} rows of the data of tests removed: {left[0][:60]}"
            yield at_line(CODE, row.path, document_of(row).text, 0, message, Weight.COUNTS)


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


def _is_about_gone(text: str, product: Product) -> bool:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        row = text.split(",")
    words = row if isinstance(row, list) else [row]
    return any(product.lost_word(repr(word)) for word in words if isinstance(word, str))
