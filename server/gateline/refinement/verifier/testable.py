"""Whether a criterion can be tested: it says what can be observed, and no quality lacks its measure."""

from __future__ import annotations

import re
from itertools import pairwise

from gateline.refinement.verifier.documents import Statement, sentences
from gateline.refinement.verifier.references import paths
from gateline.refinement.verifier.vocabulary import (
    MANNERS,
    OBSERVABLE,
    PHRASES,
    QUALITIES,
    RESULTS,
    SAYS_SO,
    UNITS,
    stem,
    words,
)

_QUOTED = re.compile(r'"[^"]*"|“[^”]*”')
_NEAR = 4
"""An adjective is said of something when a verb as "is" stands at most so many words before."""


def why_not(criterion: Statement) -> str:
    """Why nobody could test a criterion; empty when it can be tested."""
    parts = list(sentences(criterion))
    for part in parts:
        if (vague := _vague(part.prose)) and not _has_measure(part):
            return f"“{vague}” cannot be measured: give a result, a number or an error instead"
    if not any(_is_observable(part) for part in parts):
        return "nothing in it can be observed: name a call and its result, a number, an error or a file"
    return ""


def _vague(prose: str) -> str:
    """The first quality without a measure that is said of something; empty when there is none."""
    unquoted = _QUOTED.sub(" ", prose)
    said = [word.strip(".,;:!?()“”\"'*").lower() for word in unquoted.split()]
    for place, word in enumerate(said):
        is_said = bool(SAYS_SO & set(said[max(0, place - _NEAR) : place]))
        if word in MANNERS or (word in QUALITIES and is_said):
            return word
    plain = " ".join(said)
    return next((phrase for phrase in PHRASES if phrase in plain), "")


def _has_measure(sentence: Statement) -> bool:
    """Whether a quality has its measure beside it: a number with a unit, a comparison, a result in code."""
    said = words(sentence.prose)
    if any(w[0].isdigit() and following in UNITS for w, following in pairwise(said)) or "than" in said:
        return True
    return bool(sentence.codes) and bool(RESULTS & {stem(word) for word in said})


def _is_observable(sentence: Statement) -> bool:
    said = words(sentence.prose)
    return bool(sentence.codes) or _has_number(said) or any(paths(sentence)) or _observed(said)


def _has_number(said: list[str]) -> bool:
    return any(word[0].isdigit() for word in said)


def _observed(said: list[str]) -> bool:
    return any(stem(word) in OBSERVABLE for word in said)
