"""Lines of pipelines are read in a time that does not explode with their options."""

from __future__ import annotations

import pytest

from gateline.integrity.enforcement.commands import script


@pytest.mark.timeout(10)
@pytest.mark.parametrize("option", ["--with=a{}", "--with a{}", "-p a{}", "--x{} -v", "-q --quiet-{}"])
@pytest.mark.parametrize("end", ["", " run pytest", " --help"])
def test_many_options_are_read_in_one_way_each(option: str, end: str) -> None:
    line = "uv " + " ".join(option.format(number) for number in range(60)) + end
    tools = [call.tool for call in script(f"{line}\n").calls]
    assert tools == (["pytest"] if "run" in end else [])
