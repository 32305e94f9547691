"""What the client's settings say. They change when and how things show, never a verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

_PUSH_OR_PULL = ("push", "pull")


@dataclass(frozen=True, slots=True)
class ClientOptions:
    """The section `gateline` of the client's settings, or its initialization options."""

    interpreter: str | None = None
    trusted: bool = False
    """Whether the person may be asked to let code of the project run."""
    diagnostics: str | None = None
    """`push` or `pull`; None leaves the choice to the capabilities."""
    drawn_elsewhere: frozenset[str] = frozenset()
    """Dimensions, tools or codes that another server shows already: counted, not drawn."""
    asks_for_reasons: bool = False
    """The client asks for the reason of an ignore comment itself: none that leaves it open is offered."""


def read_options(raw: object, under: ClientOptions) -> tuple[ClientOptions, tuple[str, ...]]:
    """`raw` laid over `under`, and what in it could not be used. Absent and null keys change nothing."""
    if raw is None:
        return under, ()
    if not isinstance(raw, Mapping):
        return under, (f"gateline: settings must be an object, not {raw!r}",)
    values = raw["gateline"] if isinstance(raw.get("gateline"), Mapping) else raw
    changes: dict[str, object] = {}
    complaints = []
    for key, (field, read) in _KEYS.items():
        given = values.get(key)
        if given is None:
            continue
        try:
            changes[field] = read(given)
        except ValueError as error:
            complaints.append(f"gateline.{key}: {error}, not {given!r}")
    return replace(under, **changes), tuple(complaints)  # type: ignore[arg-type]


def _interpreter(given: object) -> str | None:
    """A command, or a list whose first item is one, as editors give it; empty means none."""
    first = given[0] if isinstance(given, list | tuple) and given else given
    if isinstance(first, list | tuple):
        return None
    if not isinstance(first, str):
        raise ValueError("must be a path or a list that starts with one")
    return first or None


def _flag(given: object) -> bool:
    if not isinstance(given, bool):
        raise ValueError("must be true or false")
    return given


def _mode(given: object) -> str:
    if given not in _PUSH_OR_PULL:
        raise ValueError('must be "push" or "pull"')
    return str(given)


def _names(given: object) -> frozenset[str]:
    if not isinstance(given, list | tuple) or not all(isinstance(name, str) for name in given):
        raise ValueError("must be a list of dimensions, tools or codes")
    return frozenset(given)


_KEYS = {
    "interpreter": ("interpreter", _interpreter),
    "trusted": ("trusted", _flag),
    "diagnostics": ("diagnostics", _mode),
    "drawnElsewhere": ("drawn_elsewhere", _names),
    "asksForReasons": ("asks_for_reasons", _flag),
}
