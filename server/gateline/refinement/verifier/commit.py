"""The last gate point: a commit of what was judged, with a message, and nothing left over."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from gateline.model.evaluation import Outcome
from gateline.refinement.verifier.judged import Judged, unmeasured
from gateline.refinement.verifier.values import Check, GatePoint, Reason, Verification, verification
from gateline.refinement.verifier.vocabulary import EMPTY_SUBJECTS, words

_SUBJECT = 72
"""Characters of a subject at most."""
_ACCEPTED = (Outcome.ACCEPT, Outcome.CONDITIONAL_ACCEPT)
_CONFLICT = ("<<<<<<< ", ">>>>>>> ", "||||||| ")
_DEBUGGERS = frozenset(["pdb", "ipdb", "pudb"])
_LEFT = frozenset({"TODO", "FIXME", "XXX", "HACK"})
_SCRAPS = frozenset({".orig", ".rej", ".bak", ".swp", ".tmp"})


@dataclass(frozen=True, slots=True)
class Added:
    """The lines that a commit adds to one file."""

    path: str
    lines: tuple[tuple[int, str], ...]
    """With their numbers in the file, from 1."""
    new: bool = False


@dataclass(frozen=True, slots=True)
class Commit:
    """What is to be committed."""

    message: str | None
    """None where it is not written yet: nothing is said of it."""
    judged: Judged | None
    """What the final gate said; None when it was not asked."""
    content: str = ""
    """Names what is to be committed, as the gate names what it judged."""
    added: tuple[Added, ...] = field(default=())


def verify_commit(commit: Commit) -> Verification:
    """Whether a commit is sufficient."""
    return verification(GatePoint.COMMIT, (*GATE_CHECKS, *TEXT_CHECKS), commit)


def _gate(commit: Commit) -> Iterator[str | Reason]:
    if commit.judged is None:
        yield Reason(
            "commit.gate", "the final gate was not asked: run `gateline check --level final`", 0, True
        )
    elif commit.judged.level != "final":
        yield f"judged at {commit.judged.level}, not at final: run `gateline check --level final`"
    elif commit.judged.outcome not in _ACCEPTED:
        yield f"the final gate says {commit.judged.outcome}: {commit.judged.why}"


def _measured(commit: Commit) -> Iterator[Reason]:
    if commit.judged is not None:
        yield from unmeasured("commit.measured", commit.judged)


def _content(commit: Commit) -> Iterator[str]:
    if commit.judged is not None and commit.judged.content != commit.content:
        yield "what is to be committed is not what was judged: check it again"


def _message(commit: Commit) -> Iterator[tuple[str, int]]:
    lines = [line for line in (commit.message or "").split("\n") if not line.startswith("#")]
    while lines and not lines[0].strip():
        lines.pop(0)
    subject = lines[0].strip() if lines else ""
    if not subject:
        yield "no message: say what the commit does", 1
        return
    if len(subject) > _SUBJECT:
        yield f"the subject has {len(subject)} characters, at most {_SUBJECT} are read: shorten it", 1
    if subject.startswith(("fixup!", "squash!", "amend!")):
        yield "the commit is to be folded into another one: rebase first", 1
    if len(lines) > 1 and lines[1].strip():
        yield "the second line is not empty: leave a line between subject and body", 2
    yield from ((why, 1) for why in _meaningless(subject))


def _meaningless(subject: str) -> Iterator[str]:
    """Why a subject says nothing: of a type as `fix(prices):` only what follows counts."""
    kind, colon, rest = subject.partition(":")
    said = rest if colon and " " not in kind.strip() else subject
    telling = [word for word in words(said) if word not in EMPTY_SUBJECTS]
    if "<" in said and ">" in said and not any(c.isdigit() for c in said):
        yield f"“{subject}” is a template: fill it in"
    elif len(telling) < 2:
        yield f"“{subject}” does not say what the commit does: name what is changed, and how"


def _leftovers(commit: Commit) -> Iterator[tuple[str, int]]:
    for added in commit.added:
        where = f"{added.path}:" if added.path else "line "
        if added.new and PurePosixPath(added.path).suffix in _SCRAPS:
            yield f"{added.path} is a leftover of an editor or a merge: do not commit it", 0
        for number, line in added.lines:
            if why := _left(line):
                yield f"{where}{number}: {why}", 0


def _left(line: str) -> str:
    """What a line has that was meant to go; empty when nothing."""
    if line.startswith(_CONFLICT) or line.rstrip() == "=======":
        return "a conflict marker: resolve it"
    tokens = _tokens(line)
    names = [token.string for token in tokens if token.type == tokenize.NAME]
    if names[:1] == ["breakpoint"] or "set_trace" in names or (_DEBUGGERS & set(names) and "import" in names):
        return "a debugger call: remove it"
    for comment in (token.string for token in tokens if token.type == tokenize.COMMENT):
        marks = _LEFT & {word.strip(":()#.,") for word in comment.replace("(", " ").split()}
        # With a number or an address it is a plan that others can find.
        if marks and not any(c.isdigit() for c in comment) and "://" not in comment:
            return f"{min(marks)} without an issue: do it, or name the issue"
    return ""


def _tokens(line: str) -> list[tokenize.TokenInfo]:
    """The tokens of one line, as far as they can be told alone."""
    found: list[tokenize.TokenInfo] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(line.strip() + "\n").readline):
            found.append(token)  # noqa: PERF402
    except (tokenize.TokenError, SyntaxError):
        pass
    return found


GATE_CHECKS: tuple[Check[Commit], ...] = (
    Check("commit.gate", "the decision of the final gate", _gate),
    Check("commit.measured", "dimensions that are due, and tests: all were measured", _measured),
    Check("commit.content", "what is to be committed beside what was judged", _content),
)
TEXT_CHECKS: tuple[Check[Commit], ...] = (
    Check(
        "commit.message",
        "the subject: there, telling, at most 72 characters, an empty line below",
        _message,
        lambda commit: commit.message is not None,
    ),
    Check(
        "commit.leftovers",
        "added lines and files: conflicts, debuggers, TODO without an issue, scraps",
        _leftovers,
    ),
)
