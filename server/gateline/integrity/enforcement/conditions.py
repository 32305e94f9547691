"""Conditions of pipelines, worked out as far as they are known while a change is looked at.

`github.event_name != 'pull_request' || vars.FULL` never holds then, if nobody sets the variable. What is not
known is None.
"""

from __future__ import annotations

import json
import re
from typing import Any

_TOKEN = re.compile(
    r"\s*(?:(?P<sign>&&|\|\||==|!=|=~|!~|[<>]=?|[!(),])|'(?P<single>(?:[^']|'')*)'|\"(?P<double>[^\"]*)\"|"
    r"(?P<name>\$\{\w+\}|\$?[\w][\w.*\[\]-]*)|(?P<pattern>/(?:[^/\\]|\\.)*/\w*))"
)
_UNSET = re.compile(
    r"vars\.\S+|github\.event\.(?:inputs|label)\b.*|github\.event\.head_commit\.message|github\.event\.pull_request\.(?:labels|title|body)\b.*|"
    r"\$(?!CI$|CI_|GITLAB_|MERGE|TRAVIS)\w+|\$CI_COMMIT_TAG"
)
"""What is empty where nobody gives it."""
_EVENTS = frozenset({"push", "schedule", "workflow_dispatch", "release", "repository_dispatch", "tag"})
_SOURCES = frozenset({"schedule", "web", "api", "trigger", "pipeline", "schedules"})
_MAIN = re.compile(r"(refs/heads/)?(main|master|trunk|develop|release\S*)|refs/(tags|heads)/.*|v\d.*")
_DEPTH = 40
"""Brackets in one another, and signs one after the other, that are followed."""
_Value = str | bool | list[Any] | None


def never_holds(condition: str) -> bool:
    """Whether a condition certainly does not hold."""
    text = condition.strip()
    text = text[3:-2] if text.startswith("${{") and text.endswith("}}") else text
    tokens = _tokens(text)
    if not tokens:
        return False
    try:
        reader = _Reader(tokens)
        value = reader.either(0)
    except (IndexError, ValueError):
        return False
    return reader.is_done and _truth(value) is False


def _tokens(text: str) -> list[tuple[str, str]]:
    """Kinds and texts; nothing where something is not understood."""
    found: list[tuple[str, str]] = []
    place, text = 0, text.strip()
    while place < len(text):
        made = _TOKEN.match(text, place)
        if made is None or made.lastgroup is None:
            return []
        found.append((made.lastgroup, made[made.lastgroup]))
        place = made.end()
    return found


class _Reader:
    """Works a condition out from its tokens. Raises IndexError and ValueError where it makes no sense."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self._tokens = tokens
        self._place = 0

    @property
    def is_done(self) -> bool:
        """Whether nothing is left."""
        return self._place == len(self._tokens)

    def either(self, depth: int) -> _Value:
        """`a || b`: the first that holds."""
        values = [self._both(depth)]
        while self._took("||"):
            values.append(self._both(depth))
        if len(values) == 1:
            return values[0]
        truths = [*map(_truth, values)]
        return True if True in truths else None if None in truths else False

    def _both(self, depth: int) -> _Value:
        values = [self._compared(depth)]
        while self._took("&&"):
            values.append(self._compared(depth))
        if len(values) == 1:
            return values[0]
        truths = [*map(_truth, values)]
        return False if False in truths else None if None in truths else True

    def _compared(self, depth: int) -> _Value:
        left = self._one(depth)
        for sign in ("==", "!=", "=~", "!~", "<", ">", "<=", ">="):
            if self._took(sign):
                return _compare(left, sign, self._one(depth))
        return left

    def _one(self, depth: int) -> _Value:
        if depth > _DEPTH:
            raise ValueError("nested too deeply")
        if self._took("!"):
            holds = _truth(self._one(depth + 1))
            return None if holds is None else not holds
        if self._took("("):
            value = self.either(depth + 1)
            self._must(")")
            return value
        kind, text = self._tokens[self._place]
        self._place += 1
        if kind in ("single", "double"):
            return text
        if kind == "name" and self._took("("):
            return _called(text, self._given(depth + 1))
        return _known(text) if kind == "name" else None

    def _given(self, depth: int) -> list[_Value]:
        values: list[_Value] = []
        while not self._took(")"):
            values.append(self.either(depth))
            self._took(",")
        return values

    def _took(self, sign: str) -> bool:
        if self.is_done or self._tokens[self._place] != ("sign", sign):
            return False
        self._place += 1
        return True

    def _must(self, sign: str) -> None:
        if not self._took(sign):
            raise ValueError(sign)


def _truth(value: _Value) -> bool | None:
    return None if value is None else bool(value)


def _known(name: str) -> _Value:
    """The value of a name; where only some answers are known, the name after a sign no text begins with."""
    plain = name.replace("{", "").replace("}", "")
    if plain in ("true", "false"):
        return plain == "true"
    if plain == "null" or _UNSET.fullmatch(plain):
        return ""
    if re.fullmatch(r"-?\d+(\.\d+)?", plain):
        return plain if float(plain) else False
    if plain in ("github.event_name", "github.ref", "github.ref_name", "github.ref_type"):
        return f"\0{plain}"
    return f"\0{plain}" if plain in ("$CI_PIPELINE_SOURCE", "$CI_COMMIT_BRANCH") else None


def _called(name: str, given: list[_Value]) -> _Value:
    match name, given:
        case (("success" | "always"), []):
            return True
        case (("failure" | "cancelled"), []):
            return False
        case "fromJSON", [str() as text]:
            return _of_json(text)
        case "contains", [list() as values, str() as wanted]:
            found = [_compare(wanted, "==", str(value)) for value in values]
            return True if True in found else None if None in found else False
        case "contains" | "startsWith" | "endsWith", ["", str() as wanted]:
            return not wanted
        case "startsWith", ["\0github.ref" | "\0github.ref_name", str() as wanted]:
            return False if re.match(r"refs/(heads|tags)|v\d?$", wanted) else None
        case _:
            return None


def _of_json(text: str) -> _Value:
    try:
        value = json.loads(text) if text else ""
    except ValueError:
        return None
    return value if isinstance(value, str | bool | list) else None


def _compare(left: _Value, sign: str, right: _Value) -> bool | None:
    if isinstance(right, str) and right.startswith("\0"):
        left, right = right, left
    if sign not in ("==", "!="):
        return False if sign == "=~" and left == "" else None
    if not isinstance(left, str | bool) or not isinstance(right, str | bool):
        return None
    if isinstance(left, str) and left.startswith("\0"):
        same = _is(left[1:], str(right))
    else:
        same = str(left).casefold() == str(right).casefold()
    return None if same is None else same == (sign == "==")


def _is(name: str, value: str) -> bool | None:
    """Whether what is known in part is this: no where that is never so while a change is looked at."""
    if name == "github.event_name":
        return True if value == "pull_request" else False if value in _EVENTS else None
    if name == "$CI_PIPELINE_SOURCE":
        return False if value in _SOURCES else None
    if name == "github.ref_type":
        return False if value == "tag" else None
    return False if _MAIN.fullmatch(value) else None
