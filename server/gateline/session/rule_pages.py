"""The page of a code, offline. It imports nothing of what judges."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from gateline.model.codes import CODES, page_url
from gateline.session.errors import UsageError


def page(code: str) -> str:
    """The page of a code, in Markdown: an installed package carries it, a checkout has it in docs."""
    shipped = files("gateline").joinpath("pages", f"{code}.md")
    beside = Path(__file__).parents[3] / "docs" / "codes" / f"{code}.md"
    for place in (shipped, beside):
        if place.is_file():
            return place.read_text(encoding="utf-8")
    known = CODES[code]
    return f"# {code} {known.name}\n\n{known.summary}\n\nIts page is not installed: {page_url(code)}\n"


def code_named(code: str) -> str:
    """The code that is meant by a code or a name. Raises UsageError with the nearest one."""
    name = code.strip().upper()
    if name in CODES:
        return name
    from rapidfuzz import process

    by_name = {known.name.upper(): known.code for known in CODES.values()}
    if name in by_name:
        return by_name[name]
    nearest = process.extractOne(name, [*CODES, *by_name], score_cutoff=60)
    hint = f"; did you mean {by_name.get(nearest[0], nearest[0])}?" if nearest else ";"
    raise UsageError(f"there is no code {code!r}{hint} `gateline rule` lists all")
