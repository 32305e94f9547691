"""The type checker on small real projects: what it finds in good texts, and in bad ones."""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import product
from pathlib import Path

import pytest
from type_project import Make

from gateline.model import Report, digest_of
from gateline.services.types.messages import Texts
from gateline.services.types.runs.run import blocking

pytestmark = pytest.mark.timeout(60)

GOOD = "number: int = 1\n"
BAD = "number: int = ''\n"
UNPARSABLE = "number: int = (\n"
TAKES_INT = "def take(number: int) -> None: ...\n"
TAKES_STR = "def take(number: str) -> None: ...\n"
GIVES_INT = "from callee import take\n\ntake(1)\n"


# What is found


async def test_the_first_answer_without_a_cache_is_right(project: Make, tmp_path: Path) -> None:
    shop = project(cache=tmp_path / "empty")
    shop.write("shop.py", GOOD)
    await shop.type({"shop.py": BAD})
    assert shop.errors("shop.py") == ["1 assignment"]
    await shop.type({"shop.py": GOOD + BAD.replace("number", "other")})
    assert shop.errors("shop.py") == ["2 assignment"]


async def test_findings_follow_unsaved_edits(project: Make) -> None:
    shop = project()
    shop.write("shop.py", BAD)
    for text, expected in [(GOOD, []), (BAD, ["1 assignment"]), ("\n" + BAD, ["2 assignment"]), ("", [])]:
        checked = await shop.type({"shop.py": text})
        assert checked.digests == {"shop.py": digest_of(text)}
        assert shop.errors("shop.py") == expected == await shop.plain("shop.py")


async def test_a_lone_text_that_does_not_parse_costs_no_engine(
    project: Make, caplog: pytest.LogCaptureFixture
) -> None:
    shop = project()
    shop.write("shop.py", GOOD)
    checked = await shop.type({"shop.py": UNPARSABLE})
    assert checked.reports == {}
    assert "started again" not in caplog.text
    assert "shop.py does not parse" in shop.checker.reason
    await shop.type({"shop.py": BAD})
    assert shop.errors("shop.py") == ["1 assignment"]


async def test_a_type_that_cannot_be_told_is_an_error_after_an_edit_too(project: Make) -> None:
    shop = project()
    text = "def rank(first: int = 0) -> int:\n    first = first or 1\n    return first\n"
    await shop.type({"shop.py": text})
    assert shop.errors("shop.py") == []
    await shop.type({"shop.py": text.replace("(first", "(second")})
    assert shop.errors("shop.py") == ["2 has-type"] == await shop.plain("shop.py")
    await shop.type({"shop.py": text})
    assert shop.errors("shop.py") == []


async def test_one_file_breaks_another(project: Make) -> None:
    shop = project()
    await shop.type({"callee.py": TAKES_INT, "caller.py": GIVES_INT})
    assert shop.errors("caller.py") == []
    await shop.type({"callee.py": TAKES_STR})
    assert shop.errors("caller.py") == ["3 arg-type"]
    await shop.type({"callee.py": TAKES_INT})
    assert shop.errors("caller.py") == []


@pytest.mark.parametrize("folder", ["untitled:Untitled-{}", "folder{}/shop.py"])
async def test_unsaved_documents_are_in_one_build_and_files_of_one_name_are_not(
    project: Make, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    """mypy calls all of the former by one name, too; each has a name of its own, and costs no other run."""
    shop = project()
    await shop.type({"other.py": GOOD})
    runs: list[int] = []
    usual = shop.checker.plain

    async def counted(texts: Texts) -> Mapping[str, Report]:
        runs.append(len(texts))
        return await usual(texts)

    monkeypatch.setattr(shop.checker, "plain", counted)
    for number, text in enumerate((BAD, "\n" + BAD), 1):
        await shop.type({folder.format(number): text})
        assert shop.errors(folder.format(number)) == [f"{number} assignment"]
    assert len(runs) == (0 if ":" in folder else 1)


async def test_a_document_that_an_import_led_to_is_the_engines(
    project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = project()
    shop.write("callee.py", TAKES_INT)
    await shop.type({"caller.py": "number = 1\n"})
    await shop.type({"caller.py": GIVES_INT})

    async def ordinary(texts: Texts) -> dict[str, Report]:
        raise AssertionError(f"an ordinary run about {list(texts)}")

    monkeypatch.setattr(shop.checker, "plain", ordinary)
    await shop.type({"callee.py": TAKES_STR})
    assert shop.errors("callee.py") == []
    assert shop.errors("caller.py") == ["3 arg-type"]


async def test_files_that_were_written_count(project: Make) -> None:
    shop = project()
    shop.write("callee.py", TAKES_INT)
    await shop.type({"caller.py": GIVES_INT})
    shop.write("callee.py", TAKES_STR)
    await shop.checker.files_changed(["callee.py"])
    await shop.type({"caller.py": GIVES_INT})
    assert shop.errors("caller.py") == ["3 arg-type"]


async def test_a_closed_document_is_what_its_file_says(project: Make) -> None:
    shop = project()
    shop.write("callee.py", TAKES_INT)
    await shop.type({"callee.py": TAKES_STR, "caller.py": GIVES_INT})
    assert shop.errors("caller.py") == ["3 arg-type"]
    await shop.checker.close("callee.py")
    await shop.type({"caller.py": GIVES_INT})
    assert shop.errors("caller.py") == []


async def test_a_module_that_is_renamed_leaves_its_importers_broken(project: Make) -> None:
    shop = project()
    shop.write("callee.py", TAKES_INT)
    await shop.type({"callee.py": TAKES_INT, "caller.py": GIVES_INT})
    await shop.type({"callee.py": None, "called.py": TAKES_INT})
    await shop.type({"caller.py": GIVES_INT})
    assert shop.errors("caller.py") == ["1 import-not-found"] == await shop.plain("caller.py")
    await shop.type({"caller.py": GIVES_INT.replace("callee", "called")})
    assert shop.errors("caller.py") == []


async def test_a_module_that_comes_back_is_found_again(project: Make) -> None:
    shop = project()
    await shop.type({"callee.py": TAKES_INT, "caller.py": GIVES_INT})
    await shop.type({"callee.py": None})
    await shop.type({"callee.py": TAKES_STR})
    await shop.type({"caller.py": GIVES_INT + "\n"})
    assert shop.errors("caller.py") == ["3 arg-type"]


async def test_two_scripts_of_one_name_are_both_checked(project: Make) -> None:
    shop = project()
    await shop.type({"one/script.py": BAD, "two/script.py": BAD})
    assert shop.errors("one/script.py") == shop.errors("two/script.py") == ["1 assignment"]
    await shop.type({"two/script.py": "\n" + BAD})
    assert shop.errors("two/script.py") == ["2 assignment"]


async def test_columns_are_right_beside_other_characters(project: Make) -> None:
    shop = project()
    lines = [
        f'name{i} = "{c * n}--", missing(1)' for i, (c, n) in enumerate(product("aé中😀\u0301", (1, 3, 9)))
    ]
    await shop.type({"shop.py": "\n".join(lines)})
    found = shop.shown["shop.py"].findings
    assert [f.span.start.column for f in found] == [line.index("missing") for line in lines]
    assert [f.span.end.column for f in found] == [line.index("(1") for line in lines]


# Texts and files that are not as they should be


async def test_a_text_that_does_not_parse_keeps_what_was_known(project: Make) -> None:
    shop = project()
    await shop.type({"callee.py": TAKES_STR + BAD, "caller.py": GIVES_INT})
    known = dict(shop.shown)
    checked = await shop.type({"callee.py": UNPARSABLE})
    assert "callee.py" not in checked.reports
    assert shop.shown == known
    await shop.type({"caller.py": GIVES_INT + BAD})
    assert shop.errors("caller.py") == ["3 arg-type", "4 assignment"]
    await shop.type({"callee.py": TAKES_INT})
    assert shop.errors("callee.py") == []
    assert shop.errors("caller.py") == ["4 assignment"]


async def test_a_text_that_never_parsed_does_not_hide_others(project: Make) -> None:
    shop = project()
    await shop.type({"callee.py": UNPARSABLE, "caller.py": GIVES_INT + BAD})
    assert shop.errors("caller.py") == ["4 assignment"] == await shop.plain("caller.py")
    assert "callee.py does not parse" in shop.checker.reason
    await shop.type({"callee.py": TAKES_STR})
    await shop.type({"caller.py": GIVES_INT})
    assert shop.errors("caller.py") == ["3 arg-type"]
    assert shop.checker.reason == ""


async def test_an_error_before_the_one_that_blocks_stands_for_itself(project: Make) -> None:
    """Two names of one file end a run; what is printed before is of files that parse."""
    shop = project()
    texts = {"a.py": "import nowhere\n" + BAD, "b.py": "from tools.more import name\n", "tools/more.py": GOOD}
    for path, text in texts.items():
        shop.write(path, text)
    await shop.type(texts)
    assert shop.checker.reason == ""
    assert shop.errors("a.py") == ["1 import-not-found", "2 assignment"] == await shop.plain("a.py")


@pytest.mark.parametrize(
    ("messages", "module", "expected"),
    [
        (["a.py:1:1:1:1: error: Missing  [import-not-found]", "b.py: error: Twice"], None, 1),
        (["a.py:1:1:1:1: error: Wrong  [misc]", "b.py:2:1:2:1: error: Bad  [syntax]"], None, 1),
        (["a.py:1:1:1:1: error: Wrong  [misc]", "c/b.py:2:1:2:1: error: Break  [misc]"], "c.b", 1),
        (["ab.py:1:1:1:1: error: Wrong  [misc]", "c/b/__init__.py:2:1:2:1: error: Break  [misc]"], "b", 1),
        (["a.py:1:1:1:1: error: Wrong  [misc]", "b.py:2:1:2:1: error: Wrong  [misc]"], None, 0),
    ],
    ids=["whole file", "syntax", "module", "package", "first"],
)
def test_which_error_blocks(messages: list[str], module: str | None, expected: int) -> None:
    assert blocking(messages, module) == messages[expected]


async def test_a_text_that_does_not_parse_concerns_those_that_import_it(project: Make) -> None:
    shop = project()
    limit = "callee.py does not parse: its names count as Any"
    texts = {"caller.py": GIVES_INT, "above.py": "import caller\n", "other.py": BAD}
    await shop.type({"callee.py": UNPARSABLE, **texts})
    await shop.type({name: f"{text}\n" for name, text in texts.items()})
    for reports in (shop.shown, await shop.checker.plain(shop.texts)):
        assert {name: reports[name].reason for name in ("caller.py", "above.py", "other.py")} == {
            "caller.py": limit,
            "above.py": limit,
            "other.py": "",
        }
    assert shop.checker.reason == limit


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("latin.py", "name = 'é'\n".encode("latin-1")),
        ("zeros.py", b"a = 1\0\n"),
        ("wide.py", "a = 1\n".encode("utf-16")),
    ],
    ids=["not UTF-8", "zero bytes", "UTF-16"],
)
async def test_a_file_that_mypy_cannot_read_is_in_nobodys_way(project: Make, name: str, data: bytes) -> None:
    shop = project()
    shop.write(name, data)
    text = f"import {name.removesuffix('.py')}\n" + BAD
    await shop.type({"shop.py": text})
    assert shop.errors("shop.py") == ["2 assignment"] == await shop.plain("shop.py")
    assert name in shop.checker.reason


async def test_a_file_name_that_is_not_utf8_is_in_nobodys_way(project: Make) -> None:
    shop = project()
    name = os.fsdecode(b"caf\xe9.py")
    shop.write(name, BAD)
    await shop.type({"shop.py": BAD})
    await shop.type({name: BAD, "shop.py": "\n" + BAD})
    assert shop.errors("shop.py") == ["2 assignment"] == await shop.plain("shop.py")


async def test_half_a_character_is_in_nobodys_way(project: Make) -> None:
    shop = project()
    await shop.type({"shop.py": "name = '\ud83d'; number: int = ''\n"})
    assert shop.errors("shop.py") == ["1 assignment"] == await shop.plain("shop.py")
    assert shop.shown["shop.py"].findings[0].span.start.column == 26
