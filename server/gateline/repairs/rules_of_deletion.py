"""The house rule about words: a repair takes out hardly any."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from gateline.model import Origin, Source
from gateline.repairs.rule import Case, Refusal, differing, nodes, words

_AT_MOST = 3
"""Words; more is the work of a person."""
_JUNK = re.compile(r"[<>=|]{2,}|\.\.\.|In|Out|\W")
"""Prompts, marks of a merge, and punctuation, which a repair may move about freely."""
_QUOTES = frozenset("\"'")
_FOREIGN = re.compile(r"(?://|/\*|--|<!--|%%)[ \t]*(?P<said>[^\n]*?)[ \t]*(?:\*/|-->)?[ \t]*$", re.MULTILINE)
"""A comment of another language, to the end of its line."""
_COMMENT = re.compile(r"#[ \t]*(?P<said>[^\n]*?)[ \t]*$", re.MULTILINE)
_CONFLICT = re.compile(
    r"^<{7}[^\n]*\n(?P<ours>.*?)^={7}[^\n]*\n(?P<theirs>.*?)^>{7}[^\n]*(?:\n|\Z)", re.MULTILINE | re.DOTALL
)

_NAMED = re.compile(r"name '(\w+)' is not defined|has no attribute '(\w+)'")
"""What an error says that nothing has."""


def deletions(case: Case) -> Iterator[Refusal]:
    """At most three words are taken out, besides doubled ones, what was pasted, and calls of nothing."""
    for path, before, after in case.python():
        if before.tree is None:
            # Where text and code are mixed up, both are looked at word by word.
            texts = differing(chosen(before.text, after.text), after.text)
            old, new = _spelled(uncommented(texts.before, texts.after)), _spelled(texts.after)
            deleted = min(_deleted(old, new), _lost(old, new))
        else:
            texts = differing(before.text, after.text)
            old, new = words(texts.before), words(texts.after)
            deleted = _deleted(old, new)
            if case.problem.origin is Origin.PARSER:
                # What stands where the compiler refuses it may move.
                deleted = min(deleted, _lost(old, new))
            deleted -= min(deleted, sum(len(words(call)) for call in _never_made(case, before, after)))
        if deleted > _AT_MOST:
            yield Refusal("deletion", f"{path}: {deleted} tokens would be deleted, too many for a repair")


def _never_made(case: Case, before: Source, after: Source) -> Iterator[str]:
    """The calls that stood alone and are gone, and could never be made: nothing has their name."""
    named = _NAMED.search(case.problem.message) if case.problem.origin is Origin.RUN else None
    then, now = ({ast.unparse(c) for c in _alone(source)} for source in (before, after))
    for call in then - now if named is not None else ():
        func = call.partition("(")[0]
        if named is not None and (named[1] or named[2]) in func.split("."):
            yield call


def _alone(source: Source) -> Iterator[ast.Call]:
    for node in nodes(source.tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield node.value


def chosen(before: str, after: str) -> str:
    """A text in which those conflicts of a merge are settled of which the other text has one side."""

    def side(match: re.Match[str]) -> str:
        return next((s for s in (match["ours"], match["theirs"]) if s.strip() and s in after), match[0])

    return _CONFLICT.sub(side, before)


def uncommented(before: str, after: str) -> str:
    """A text without what is a comment in another language there, and one of Python in the other text."""
    said = {match["said"] for match in _COMMENT.finditer(after)}
    return _FOREIGN.sub(lambda match: "" if match["said"] in said else match[0], before)


def _spelled(text: str) -> tuple[str, ...]:
    """The words of a text, those in strings one by one."""
    found: list[str] = []
    for word in words(text):
        is_string = not _QUOTES.isdisjoint(word)
        found += words(re.sub(r"[\"'#]", " ", word)) if is_string else [word]
    return tuple(found)


def _deleted(old: Sequence[str], new: Sequence[str]) -> int:
    """Words that are gone and stand nowhere else instead. The same change at several places counts once."""
    gone = 0
    seen: set[tuple[Sequence[str], Sequence[str]]] = set()
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        change = (tuple(old[i:j]), tuple(new[k:m]))
        if tag in {"delete", "replace"} and change not in seen:
            seen.add(change)
            lost = [w for n, w in enumerate(old[i:j], i) if _counts(w) and (n == 0 or w != old[n - 1])]
            gone += max(0, len(lost) - sum(1 for w in new[k:m] if _counts(w)))
    return gone


def _lost(old: Iterable[str], new: Iterable[str]) -> int:
    """Words of which there are fewer than before, wherever they stand."""
    then, now = (Counter(filter(_counts, some)) for some in (old, new))
    return max(0, sum((then - now).values()) - sum((now - then).values()))


def _counts(word: str) -> bool:
    return _JUNK.fullmatch(word) is None


DELETION_RULES: tuple[Callable[[Case], Iterator[Refusal]], ...] = (deletions,)
