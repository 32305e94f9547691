"""The methods about context: what one needs in view."""

from __future__ import annotations

from typing import Any

from gateline.protocol.method import Method

_ANSWER: dict[str, Any] = {
    "passages": [
        {
            "path": "shop/prices.py",
            "uri": "file:///home/me/project/shop/prices.py",
            "kind": "function",
            "name": "rounded",
            "lines": {"first": 3, "last": 5},
            "text": 'def rounded(price: float) -> float:\n    """To cents."""\n    return round(price, 2)',
            "score": 3.21,
            "why": ["matches rounded in its name", "similar in meaning"],
            "hash": "3f0b0c1d9a8e7f60514233241506f7e8",
            "tokens": 24,
            "shortened": False,
        }
    ],
    "tiers": ["symbols", "lexical"],
    "degraded": {"semantic": "no model was found: pip install 'gateline[semantic]'"},
    "tokens": 24,
    "leftOut": 0,
}

SEARCH = Method(
    "gateline/context/search",
    "contexts:ContextSearchParams",
    "contexts:ContextResult",
    "The passages of the folder that matter for words, or for code at a place; unsaved texts count. "
    "A tier that is late or missing is left out and named in `degraded`. The answer comes within 2 s, "
    "also while the index is being made.",
    {"query": "where are prices rounded", "kind": "implementation", "budget": 2000},
    _ANSWER,
)

FOR_POSITION = Method(
    "gateline/context/forPosition",
    "contexts:ContextForPositionParams",
    "contexts:ContextResult",
    "What one needs in view to change a line: the definition around it, what it calls, its callers, "
    "tests and documents, and what is similar.",
    {"uri": "file:///home/me/project/shop/prices.py", "position": {"line": 4, "character": 0}},
    _ANSWER,
)

CONTEXT_STATUS = Method(
    "gateline/context/status",
    "contexts:ContextStatusParams",
    "contexts:ContextStatusResult",
    "How the index of a folder stands; with `refresh`, after all files were looked at again.",
    {"refresh": True, "workDoneToken": "index-1"},
    {
        "state": "ready",
        "message": "",
        "files": 120,
        "chunks": 2400,
        "size": 1_400_000,
        "folder": "/home/me/.cache/gateline/context/project-5b1c",
        "done": 120,
        "of": 120,
        "tiers": [{"name": "lexical", "state": "ready", "detail": "", "done": 2400}],
        "counts": {"questions": 12, "semantic": 1},
    },
)

CONTEXT_METHODS = (SEARCH, FOR_POSITION, CONTEXT_STATUS)
