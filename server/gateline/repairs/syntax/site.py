"""Where a text fails, in the eyes of the rules that propose changes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from gateline.repairs.syntax.judge import Failure
from gateline.repairs.syntax.layout import Layout, Statement, layout_of
from gateline.repairs.syntax.messages import kind_of
from gateline.repairs.syntax.tokens import Kind, Token

_FAR = 48
"""So many tokens before the failure may still be the mistake."""
_NEAR = 3
"""And so many behind it, at least the rest of its line."""

Replacement = tuple[int, int, str]
"""The characters from one offset to another become a text."""


@dataclass(frozen=True, slots=True)
class Change:
    """A proposal of a rule: replacements in the text of a site, none overlapping."""

    pattern: str
    """The kind of mistake that it undoes; what `weights` knows it by."""
    replacements: tuple[Replacement, ...]
    token: int = -1
    """The token it stands at or before; -1 when its place says nothing."""


@dataclass(frozen=True)
class Site:
    """A text that fails, and where."""

    text: str
    failure: Failure

    @cached_property
    def layout(self) -> Layout:
        """The lines and statements of the text."""
        return layout_of(self.text)

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens of the text."""
        return self.layout.tokens

    @property
    def message(self) -> str:
        """What the compiler says."""
        return self.failure.message

    @cached_property
    def kind(self) -> str:
        """What kind of mistake the compiler's words point at."""
        return "triple" if self.layout.is_out_of_step else kind_of(self.failure)

    @cached_property
    def at(self) -> int:
        """The index of the token at which the text fails."""
        return self.layout.token_at(self.failure.offset)

    @cached_property
    def number(self) -> int:
        """The index of the statement in which the text fails."""
        return self.layout.statement_of(self.at)

    @property
    def statement(self) -> Statement:
        """The statement in which the text fails."""
        return self.layout.statements[self.number]

    @cached_property
    def suspects(self) -> tuple[Statement, ...]:
        """The statements that may hold the mistake: the failing one, and at its beginning the one before."""
        rows = self.layout.statements
        if self.number > 0 and self.at <= self.statement.first + 1:
            return (rows[self.number - 1], self.statement)
        return (self.statement,)

    @cached_property
    def region(self) -> range:
        """The tokens that may be the mistake."""
        first, end = self.suspects[0].first, self.suspects[-1].end
        line = self.tokens[self.at].line if self.tokens else 0
        last = self.at + _NEAR
        while last < end and self.tokens[last].line == line:
            last += 1
        return range(max(first, self.at - _FAR), min(max(last, self.at + 1), max(end, self.at + 1)))

    @cached_property
    def words(self) -> tuple[int, ...]:
        """The tokens of the region that are neither comments nor ends of lines."""
        return tuple(n for n in self.region if self.tokens[n].kind not in _BLANK)

    @cached_property
    def names(self) -> frozenset[str]:
        """All names that the text uses."""
        return frozenset(t.text for t in self.tokens if t.kind is Kind.NAME)

    @cached_property
    def _brackets(self) -> tuple[str, ...]:
        """For each token of the text the innermost bracket that is open there."""
        found, stack = [], [""]
        ends = {statement.end for statement in self.layout.statements}
        for number, token in enumerate(self.tokens):
            if number in ends:
                stack = [""]
            found.append(stack[-1])
            if token.kind is Kind.OPEN:
                stack.append(token.text)
            elif token.kind is Kind.CLOSE and len(stack) > 1:
                stack.pop()
        return tuple(found)

    def bracket_at(self, number: int) -> str:
        """The innermost bracket that is open before a token, or `none`."""
        return self._brackets[number] or "none" if number < len(self._brackets) else "none"

    def first_word(self, number: int) -> str:
        """The keyword that a token's statement begins with, or `none`."""
        statement = self.layout.statements[self.layout.statement_of(number)]
        token = self.tokens[statement.first]
        return token.text if token.kind is Kind.KEYWORD else "none"

    def previous(self, number: int) -> Token | None:
        """The token before one, comments and ends of lines left out."""
        for near in range(number - 1, max(number - _FAR, -1), -1):
            if self.tokens[near].kind not in _BLANK:
                return self.tokens[near]
        return None

    def following(self, number: int) -> Token | None:
        """The token behind one, comments and ends of lines left out."""
        for near in range(number + 1, min(number + _FAR, len(self.tokens))):
            if self.tokens[near].kind not in _BLANK:
                return self.tokens[near]
        return None

    def line_text(self, line: int) -> str:
        """A line without its end."""
        starts = self.layout.starts
        end = starts[line + 1] if line + 1 < len(starts) else len(self.text)
        return self.text[starts[line] : end].rstrip("\r\n")


_BLANK = frozenset({Kind.COMMENT, Kind.NEWLINE})


def insert(pattern: str, at: int, text: str, token: int) -> Change:
    """The change that writes `text` at an offset."""
    return Change(pattern, ((at, at, text),), token)


def replace(pattern: str, token: Token, text: str, number: int) -> Change:
    """The change that writes `text` in place of a token."""
    return Change(pattern, ((token.start, token.end, text),), number)


def behind_blanks(site: Site, at: int) -> int:
    """The offset behind the blanks and tabs that stand at one."""
    while site.text[at : at + 1] in {" ", "\t"}:
        at += 1
    return at
