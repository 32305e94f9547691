"""Correct files are left alone: 500 of the standard library, which are no example of anything."""

from __future__ import annotations

import sysconfig
import tokenize
import warnings
from itertools import islice
from pathlib import Path

from gateline.analyzers import syntax
from gateline.model import Origin, Problem, Span
from gateline.repairs.families.syntax import REPAIRER
from gateline.repairs.syntax.search import solutions
from gateline.repairs.texts import Texts

_FILES = 500


def correct() -> list[tuple[str, str]]:
    """Files that CPython itself accepts, the same ones on every run."""
    root = Path(sysconfig.get_paths()["stdlib"])
    found = (f for f in sorted(root.rglob("*.py")) if not {"site-packages", "test", "tests"} & set(f.parts))
    return list(islice(((f.name, text) for f in found if (text := accepted(f)) is not None), _FILES))


def accepted(file: Path) -> str | None:
    try:
        with warnings.catch_warnings(), tokenize.open(file) as stream:
            warnings.simplefilter("ignore")
            text = stream.read()
            compile(text, str(file), "exec", dont_inherit=True)
    except (SyntaxError, UnicodeDecodeError, ValueError):
        return None
    return text


def test_nothing_is_reported_and_nothing_proposed_in_a_correct_file() -> None:
    files = correct()
    assert len(files) == _FILES
    for name, text in files:
        assert syntax.compiler_error(name, text) is None, name
        assert solutions(text) == [], name
        problem = Problem(Origin.PARSER, "GTL101", "an old message", name, Span.of(0, 0, 1, 0))
        assert REPAIRER.diagnose(problem, Texts({name: text})) is None, name
