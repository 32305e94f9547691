"""What tox's own file says: its sections, and the environments that run by themselves."""

from __future__ import annotations

import configparser
import re
from collections.abc import Mapping


def sections(text: str) -> dict[str, dict[str, str]]:
    """The sections with their keys; none of a file that cannot be read."""
    parser = configparser.ConfigParser(interpolation=None, strict=False, allow_no_value=True)
    try:
        parser.read_string(text)
    except configparser.Error:
        return {}
    return {section: dict(parser.items(section)) for section in parser.sections()}


def listed(sections: Mapping[str, Mapping[str, str]]) -> frozenset[str]:
    """The environments that run where none is named."""
    table = sections.get("tox", {})
    return frozenset(re.findall(r"[\w.-]+", table.get("env_list") or table.get("envlist") or ""))
