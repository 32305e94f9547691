"""Which suppression comments the base has already: on the same line, on one edited in place, or moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache

from gateline.gates import suppress
from gateline.gates.alignment import Alignment, align
from gateline.gates.sides import MakeSource, Side, Sides
from gateline.gates.suppress import Suppression
from gateline.model.document import Document
from gateline.model.source import Source

_Mark = tuple[str, str]
"""A comment, and its whole line without indentation."""


class Standing:
    """Tells of each comment of a change whether the base has it. Looks at the base only when asked."""

    def __init__(self, both: Sides) -> None:
        self._both = both
        self._base = cache(lambda: _marks(both.base))
        self._now = cache(lambda: _marks(both.now))

    def is_added(self, path: str, source: Source) -> Callable[[Suppression], bool]:
        """What tells, of the comments of one file now, whether the change adds them."""
        base = self._both.base.source(self._both.base_path(path))
        alignment = cache(lambda: align(base.lines, source.lines) if base else Alignment())
        comments = cache(lambda: _by_line(base))

        def is_added(suppression: Suppression) -> bool:
            if suppression.whole_file:
                return all(suppression.text != text for texts in comments().values() for text in texts)
            line = suppression.span.start.line
            at = alignment().equal.get(line)
            places = alignment().edited.get(line, range(0)) if at is None else (at,)
            if any(suppression.text in comments().get(place, ()) for place in places):
                return False
            mark = _mark(source, suppression)
            return self._now()[mark] > self._base()[mark]

        return is_added


def beside(
    document: Document,
    base: Document | None,
    now: Iterable[Document],
    before: Iterable[Document],
    make: MakeSource,
) -> Sides:
    """The sides of one document and its base, with the other texts `now` and `before`."""
    current = {other.path: other for other in (*now, document)}
    old = {other.path: other for other in (*before, *filter(None, [base]))}
    renames = {document.path: base.path} if base is not None and base.path != document.path else {}
    return Sides(Side(current, {}, make), Side(old, {}, make), renames)


def _by_line(source: Source | None) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for suppression in _working(source):
        found.setdefault(suppression.span.start.line, set()).add(suppression.text)
    return found


def _marks(side: Side) -> Counter[_Mark]:
    sources = (side.source(path) for path, document in side.documents.items() if "gateline:" in document.text)
    return Counter(_mark(source, s) for source in sources if source for s in _working(source))


def _mark(source: Source, suppression: Suppression) -> _Mark:
    return suppression.text, " ".join(source.line(suppression.span.start.line).split())


def _working(source: Source | None) -> Iterable[Suppression]:
    return () if source is None else (s for s in suppress.suppressions(source) if not s.problem)
