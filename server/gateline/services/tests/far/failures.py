"""What is said of a failure: message, explanation, and the places it went through."""

from __future__ import annotations

import linecache
import os
import re
import traceback
from typing import Any

from .contents.texts import Texts
from .seen import seen

_LONGEST = 8000
"""Characters of an explanation or an output that are kept."""
_FRAMES = 100
_CAUSES = 3
_STACK = re.compile(r'^  File "(.+)", line (\d+) in (.+)$', re.MULTILINE)
_BESIDES = tuple(os.sep + name + os.sep for name in ("_pytest", "pluggy"))
"""Folders of what stands between the runner and a test."""


def of_exception(error: BaseException, texts: Texts, phase: str) -> dict[str, Any]:
    """A failure from what was raised."""
    explanation = texts.without_root("\n".join(_only(error)))[:_LONGEST]
    return {"phase": phase, "explanation": explanation, **_problem(error, texts, 0)}


def of_text(text: str, phase: str, kind: str = "") -> dict[str, Any]:
    """A failure of which there is only a text."""
    lines = [line for line in text.splitlines() if line.strip()] or ["no reason was given"]
    return {
        "phase": phase,
        "explanation": text[-_LONGEST:],
        "type": kind,
        "message": lines[0].strip(),
        "frames": [],
        "cause": None,
    }


def usage_error(text: str) -> str:
    """What pytest says when it refuses to start: not its usage, but what is wrong."""
    told = [line.partition("error: ")[2] for line in text.splitlines() if "error: " in line]
    return (told or [text])[-1]


def of_stack(text: str, texts: Texts) -> list[dict[str, Any]]:
    """The frames in what `faulthandler` wrote, outermost first: those of the thread that was interrupted."""
    block = text.split("Current thread")[-1].split("\n\n")[0]
    found = [_place(m[1], int(m[2]), m[3], texts) for m in _STACK.finditer(block)]
    found.reverse()
    first = next((n for n, frame in enumerate(found) if frame["ours"]), 0)
    return found[first:]


def shortened(text: str) -> str:
    """The end of an output."""
    return text[-_LONGEST:]


def _problem(error: BaseException, texts: Texts, depth: int) -> dict[str, Any]:
    example = getattr(error, "failures", [error])[0]
    if type(example).__name__ == "DocTestFailure":
        return _example(example, texts)
    cause = _behind(error)
    message = str(error.msg) if isinstance(error, SyntaxError) else _text(error)
    return {
        "type": type(error).__name__,
        "message": texts.without_root(message),
        "frames": _syntax_frame(error, texts) or _frames(error, texts),
        "cause": _problem(cause, texts, depth + 1) if cause is not None and depth < _CAUSES else None,
    }


def _behind(error: BaseException) -> BaseException | None:
    """What led to an error: also where that is not to be shown, or where the error only holds it."""
    # As it was made, and past what its class says of these: that is the user's code.
    args = BaseException.args.__get__(error)  # type: ignore[attr-defined]
    held = [part for value in args for part in (value if type(value) in (list, tuple) else (value,))]
    held += object.__getattribute__(error, "__dict__").values()
    inner = (v for v in held if issubclass(type(v), BaseException) and v is not error and v.__traceback__)
    return error.__cause__ or error.__context__ or next(inner, None)


def _example(error: Any, texts: Texts) -> dict[str, Any]:
    """An example in a docstring that gives something else; it has a place, and no traceback."""
    line = (error.test.lineno or 0) + error.example.lineno + 1
    return {
        "type": "DocTestFailure",
        "message": f"expected {error.example.want.strip()!r}, got {error.got.strip()!r}",
        "frames": [_place(error.test.filename or "", line, error.test.name, texts)],
        "cause": None,
    }


def _text(error: BaseException) -> str:
    try:
        return str(error)[:_LONGEST]
    except Exception:  # noqa: BLE001 - the user's `__str__` may raise anything
        return "(its text cannot be had: __str__ raises)"


def _only(error: BaseException) -> list[str]:
    try:
        return "".join(traceback.format_exception_only(type(error), error)).rstrip().splitlines()
    except Exception:  # noqa: BLE001 - the user's `__str__` may raise anything
        return [type(error).__name__]


def _syntax_frame(error: BaseException, texts: Texts) -> list[dict[str, Any]]:
    """A text that does not parse has a place, and no traceback."""
    if not isinstance(error, SyntaxError) or not error.filename or not error.lineno:
        return []
    frame = _place(error.filename, error.lineno, "<module>", texts)
    column = max(0, (error.offset or 1) - 1)
    frame["span"] = [error.lineno - 1, column, error.lineno - 1, column]
    return [frame]


def _frames(error: BaseException, texts: Texts) -> list[dict[str, Any]]:
    entries = [entry for entry in _entries(error.__traceback__) if not _is_hidden(entry.tb_frame)]
    first = next((n for n, entry in enumerate(entries) if texts.below(_file(entry))), 0)
    entries = entries[first:]
    if len(entries) > _FRAMES:
        # Of an endless recursion both ends tell something.
        entries = entries[: _FRAMES // 2] + entries[-_FRAMES // 2 :]
    return [_frame(entry, texts) for entry in entries]


def _entries(entry: Any) -> list[Any]:
    found = []
    while entry is not None:
        found.append(entry)
        entry = entry.tb_next
    return found


def _is_hidden(frame: Any) -> bool:
    """Whether a frame is the machinery around tests, or wants to be left out."""
    name = frame.f_code.co_filename
    if any(part in name for part in _BESIDES) or "__unittest" in frame.f_globals:
        return True
    return frame.f_locals.get("__tracebackhide__", False) is True


def _file(entry: Any) -> str:
    filename: str = entry.tb_frame.f_code.co_filename
    return os.path.realpath(filename)


def _frame(entry: Any, texts: Texts) -> dict[str, Any]:
    code = entry.tb_frame.f_code
    frame = _place(code.co_filename, entry.tb_lineno, getattr(code, "co_qualname", code.co_name), texts)
    if frame["ours"]:
        frame["span"] = _span(entry)
        frame["seen"] = seen(entry.tb_frame)
    return frame


def _place(filename: str, line: int, name: str, texts: Texts) -> dict[str, Any]:
    ours = texts.below(os.path.realpath(filename))
    path = texts.relative(filename) if ours else filename
    return {"path": path, "line": line - 1, "function": name, "ours": ours, "span": None, "seen": []}


def _span(entry: Any) -> Any:
    """What was being evaluated, zero-based in characters; None where Python does not say."""
    code = entry.tb_frame.f_code
    positions = getattr(code, "co_positions", None)
    if positions is None:
        return None
    rows = list(positions())
    number = entry.tb_lasti // 2
    line, last, start, end = rows[number] if 0 <= number < len(rows) else (None,) * 4
    if line is None or last is None or start is None or end is None:
        return None
    return [line - 1, _characters(code, line, start), last - 1, _characters(code, last, end)]


def _characters(code: Any, line: int, column: int) -> int:
    text = linecache.getline(code.co_filename, line).encode("utf-8", "surrogatepass")
    return len(text[:column].decode("utf-8", "ignore"))
