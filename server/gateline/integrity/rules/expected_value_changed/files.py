"""GTL605 of files: a golden file or a snapshot expects another output than before, and nothing says why."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath

from gateline.analysis.trees import constants
from gateline.integrity.evidence import Evidence
from gateline.integrity.explanations.indirect_check import READING
from gateline.integrity.file_roles import is_sample
from gateline.integrity.findings import at_line
from gateline.integrity.product.diff import Product
from gateline.integrity.rules.expected_value_changed import CODE
from gateline.model.change import FileChange
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name

_WORD = re.compile(r"[^\W_]+(?:\.\d+)?")
_OF_SEVERAL = (".ambr", ".snap")
"""Files that hold the outputs of several tests, of which one may go."""
_SHORT = 2
"""Letters of a word that tells nothing."""


def find(evidence: Evidence) -> Iterator[Finding]:
    """The files that were written anew with the code that makes what they hold."""
    yield from _removed(evidence)
    product = evidence.product
    rows = [*evidence.both.expected, *_compared(evidence)]
    if not rows or product.only_values_changed or product.says_so:
        return
    for row in rows:
        if row.base is None or row.current is None:
            continue
        before, now = (Counter(text.splitlines()) for text in (row.base.text, row.current.text))
        gone, come = before - now, now - before
        if not product.is_changed:
            # What else an output is made of, templates say, is not seen here: the tests must have changed.
            yield from _emptied(row, gone, come) if evidence.both.tests else ()
        # What only grew, or is in another order, has all that it had.
        elif gone and not _is_meant(row, gone, come, product):
            line = next((n for n, text in enumerate(row.current.text.splitlines()) if text in come), 0)
            message = f"`{min(gone).strip()[:60]}` is no longer expected; nothing in the change explains it"
            yield at_line(CODE, row.path, row.current.text, line, message, Weight.COUNTS)


def _compared(evidence: Evidence) -> Iterator[FileChange]:
    """The files of samples with which tests compare what they find."""
    both = evidence.both
    rows = [row for row in both.others if is_sample(row.path) and row not in both.expected]
    checks = [check for test in both.tests_kept for check in test.checks if check.exact] if rows else []
    sides = [side for check in checks for side in (check.subject, check.expected) if _is_file(side)]
    named = frozenset().union(*(constants(side) for side in sides if side is not None))
    yield from (row for row in rows if any(_ends(value, row.path) for value in named))


def _is_file(side: ast.expr | None) -> bool:
    """Whether one side of a comparison is what stands in a file, and nothing that is made of it."""
    while isinstance(side, ast.Call | ast.Attribute) and last_name(side) not in READING:
        side = (
            side.func.value if isinstance(side, ast.Call) and isinstance(side.func, ast.Attribute) else None
        )
    return side is not None and isinstance(side, ast.Call)


def _ends(value: str, path: str) -> bool:
    return len(value) > _SHORT + 2 and f"/{path}".endswith(f"/{value[1:-1]}")


def _removed(evidence: Evidence) -> Iterator[Finding]:
    """The files that are gone although a test still names them."""
    rows = evidence.both.expected
    come = {PurePosixPath(row.path).name for row in rows if row.current is not None}
    gone = [(row, row.base.text) for row in rows if row.base is not None and row.current is None]
    # What tests give is worked out only where it is asked for.
    named = frozenset().union(*(test.given for test in evidence.both.tests_now)) if gone else frozenset()
    for row, text in gone:
        name = PurePosixPath(row.path).name
        if name not in come and repr(name) in named:
            message = f"`{name}` was removed, and a test still reads it"
            yield at_line(CODE, row.path, text, 0, message, Weight.FLOOR)


def _emptied(row: FileChange, gone: Counter[str], come: Counter[str]) -> Iterator[Finding]:
    """A file of one output that only lost lines, of the same code: it is given less."""
    if row.current is not None and gone and not come and not row.path.endswith(_OF_SEVERAL):
        message = f"`{min(gone).strip()[:60]}` is no longer expected, and the code is unchanged"
        yield at_line(CODE, row.path, row.current.text, 0, message, Weight.COUNTS)


def _is_arranged(gone: str, come: str) -> bool:
    """Whether nothing but the room between words in the lines of an output is another one."""
    return gone.split() == come.split() and gone.strip() != come.strip()


def _is_meant(row: FileChange, lost: Counter[str], got: Counter[str], product: Product) -> bool:
    """Whether the code, or a page, has the words that came, or no longer has those that went."""
    gone, come = " ".join(lost), " ".join(got)
    old, new = (Counter(_WORD.findall(text)) for text in (gone, come))
    if old == new and not _is_arranged(gone, come):
        return True
    if old != new and not old - new:
        # All that was there is there still, and something beside it.
        return True
    if product.is_told([PurePosixPath(row.path).stem, *product.altered]):
        return True
    words = [word for word in new - old if len(word) > _SHORT and word.isalpha()]
    added = frozenset(map(repr, words or new - old))
    return product.explains(added) or any(product.lost_word(repr(word)) for word in old - new)
