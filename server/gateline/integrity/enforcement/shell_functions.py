"""Steps of a shell script that a function or a loop of its own runs, each put where it is asked for."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

_FUNCTION = re.compile(r"^(?:function +)?([\w-]+) *(?:\(\))? *\{ *\n(.*?)^\} *$", re.MULTILINE | re.DOTALL)
_LOOP = re.compile(
    r"^for +(\w+) +in +((?:\"[^\"\n]*\"|'[^'\n]*'|[ \t]|\\\n)+?);? *(?:\n *)?do *\n(.*?)^done *$",
    re.MULTILINE | re.DOTALL,
)
_ALL = re.compile(r"\"\$(?:@|\{@:(\d+)\})\"")
"""What a function was given, or what it was given from one of its words on."""
_SET = re.compile(r"(?:^|[\s;({|&])(?:\(\( *)?(\w+)(?:\+\+|(?:\+?=)(?!=))")
_OTHERWISE = re.compile(r"\|\||^\s*else\b|\bif\s+!", re.MULTILINE)
"""Behind which stands what is done for a step that failed."""
_EXITS = re.compile(r"\bexit\s+(?:[1-9]|\"?\$\?)")


@dataclass(frozen=True, slots=True)
class Steps:
    """A script with the steps put in; the lines on which a failure counts, whatever the shell minds."""

    text: str
    kept: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Runner:
    """The body of a function or a loop that runs what it is given."""

    body: str
    ran_at: int
    """Where in the body that happens."""

    def is_kept(self, rest: str) -> bool:
        """Whether a step that fails stops the script, or is remembered until the script fails for it."""
        found = _OTHERWISE.search(self.body, max(0, self.body.rfind("\n", 0, self.ran_at)))
        if found is None:
            return False
        after = self.body[found.end() :]
        return _EXITS.search(after) is not None or any(_decides(name, rest) for name in self._set(after))

    def _set(self, after: str) -> Iterator[str]:
        own = set(re.findall(r"\blocal\s+(\w+)", self.body))
        return (name for name in _SET.findall(after) if name not in own)

    @property
    def is_plain(self) -> bool:
        """Whether the step stands alone, so that what the shell minds is what counts."""
        start, end = self.body.rfind("\n", 0, self.ran_at) + 1, self.body.find("\n", self.ran_at)
        line = self.body[start : end if end >= 0 else None]
        return not re.search(r"\|\||\bif\b|\||&&|&\s*$|;", line) and "set +e" not in self.body


def with_steps(text: str) -> Steps:
    """The script as if each step were written where its function is called, or its loop begins."""
    lines, kept = text.splitlines(), set[int]()
    for number, command, runner, rest in [*_called(text), *_looped(text)]:
        if runner.is_kept(rest):
            kept.add(number)
            lines[number] = command
        else:
            lines[number] = command if runner.is_plain else f"{command} || true"
    return Steps("\n".join(lines), frozenset(kept))


_Step = tuple[int, str, _Runner, str]


def _called(text: str) -> Iterator[_Step]:
    for function in _FUNCTION.finditer(text):
        given = _ALL.search(function[2])
        if given is None:
            continue
        skip = int(given[1]) - 1 if given[1] else len(re.findall(r"\bshift\b", function[2][: given.start()]))
        call = re.compile(rf"^{re.escape(function[1])} +(.*)$", re.MULTILINE)
        # What is called before another function is written is called all the same.
        calls = list(call.finditer(text, function.end()))
        for found in calls:
            yield (
                text.count("\n", 0, found.start()),
                _without_first(found[1], skip),
                _Runner(function[2], given.start()),
                text[calls[0].end() :],
            )


def _looped(text: str) -> Iterator[_Step]:
    for loop in _LOOP.finditer(text):
        ran = re.search(
            rf"^\s*(?:if +(?:! +)?)?(?:eval +|bash -c +)?\"?\$\{{?{loop[1]}\b\}}?", loop[3], re.MULTILINE
        )
        if ran is not None:
            commands = " && ".join(_words(loop[2].replace("\\\n", " ")))
            yield (
                text.count("\n", 0, loop.start()),
                commands,
                _Runner(loop[3], ran.end()),
                text[loop.end() :],
            )


def _without_first(command: str, count: int) -> str:
    """A command without the first words, as it is written."""
    for _ in range(count):
        command = re.sub(r"^(?:\"[^\"]*\"|'[^']*'|[^\s\"'])+\s*", "", command)
    return command


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return []


def _decides(name: str, rest: str) -> bool:
    """Whether the script fails in the end where a variable was set, which nothing sets back."""
    if re.search(rf"(?<![\w$]){name}=(?:0\b|\(\)|\"\"|''|\s*$)|\bunset +{name}\b", rest, re.MULTILINE):
        return False
    value = rf"\$?\{{?#?{name}(?:\[[@*]\])?\}}?"
    if re.search(rf"^exit +\"?{value}\"? *$", rest, re.MULTILINE):
        return True
    some = rf"(?:-n +)?\"?{value}\"?(?: *(?:>|!=|-gt|-ne) *0)?"
    asked = rf"(?:\(\( *{some} *\)\)|\[\[? +{some} +\]\]?)"
    failed = re.search(
        rf"^if +{asked} *; *then\b((?:(?!^fi\b)[\s\S])*)|^{asked} *&& *(.*)", rest, re.MULTILINE
    )
    return failed is not None and _EXITS.search(failed[1] or failed[2] or "") is not None
