"""One file per output format; each turns a result into text."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from gateline.session.check_result import CheckResult

FORMATS = ("full", "concise", "json", "sarif", "github", "junit", "markdown")


def renderer(name: str) -> Callable[[CheckResult], str]:
    """The function that renders a format; its module is imported only now."""
    render: Callable[[CheckResult], str] = import_module(f"gateline.cli.output.{name}").render
    return render
