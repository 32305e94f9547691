"""Cuts configuration into its tables: of TOML and INI what has a name in brackets, of YAML the top keys."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gateline.context.values import Chunk, Kind
from gateline.model.document import split_lines

_BRACKETS = re.compile(r"[ \t]*\[{1,2}[ \t]*([^\[\]#]+?)[ \t]*\]{1,2}[ \t]*(?:[#;].*)?$")
_KEY = re.compile(r"([A-Za-z_\"'][\w .\"'-]*?)[ \t]*:(?:[ \t]|$)")


def cut(path: str, text: str) -> list[Chunk]:
    """The tables in order; what stands before the first goes by the name of the file."""
    lines = [line.rstrip("\r\n") for line in split_lines(text)]
    pattern = _KEY if path.endswith((".yml", ".yaml")) else _BRACKETS
    starts = [(n, match[1].strip("\"' ")) for n, line in enumerate(lines) if (match := pattern.match(line))]
    if not starts or starts[0][0]:
        starts.insert(0, (0, path.rpartition("/")[2]))
    return list(_tables(lines, starts))


def _tables(lines: Sequence[str], starts: Sequence[tuple[int, str]]) -> Iterator[Chunk]:
    ends = [first for first, _ in starts[1:]] + [len(lines)]
    for (first, name), end in zip(starts, ends, strict=True):
        last = max((n for n in range(first, end) if lines[n].strip()), default=-1)
        if last >= first:
            yield Chunk(Kind.TABLE, name, first, last, name, "", "\n".join(lines[first : last + 1]))
