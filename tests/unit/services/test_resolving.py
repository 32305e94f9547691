"""What names mean, by jedi, without running anything: cases as text, and what must not happen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from gateline.context.resolved import Site
from gateline.model import Document
from gateline.services.resolving.names import Names
from gateline.services.resolving.requests import Setup
from support import text_cases

CASES = sorted((Path(__file__).parents[2] / "cases" / "resolving").glob("*.txt"))
PARSED = Path()
MARK = re.compile(r"( *# *)(\^+) (.+)")


@pytest.fixture(scope="module", autouse=True)
def parsed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Stubs are parsed once for all of these tests."""
    global PARSED
    PARSED = tmp_path_factory.mktemp("parsed")
    return PARSED


def names_of(
    root: Path, files: dict[str, str], packages: tuple[str, ...] = (), parsed: Path | None = None
) -> Names:
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return Names(Setup(root, packages, (3, 12), parsed or PARSED))


def marks(text: str) -> Iterator[tuple[Site, str]]:
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if match := MARK.fullmatch(line):
            above = next(n for n in range(number - 1, -1, -1) if not MARK.fullmatch(lines[n]))
            yield Site(above, len(match[1]), ""), match[3]


def told(names: Names, path: str, site: Site) -> str:
    found = names.definitions(path, site)
    if not found:
        return "unknown"
    first = found[0]
    return f"{first.path}:{first.line + 1} {first.name}" if first.path else f"elsewhere {first.name}"


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_case(file: Path, tmp_path: Path) -> None:
    case = text_cases.read(file.read_text(encoding="utf-8"))
    texts = {one.name: one.text for one in case.files}
    names = names_of(tmp_path, texts)
    for path, text in texts.items():
        for site, expected in marks(text):
            assert told(names, path, site) == expected, f"{path}:{site.line + 1}"


def site_of(text: str, name: str) -> Site:
    """The last place at which a text has a name."""
    before = text[: text.rindex(name)]
    return Site(before.count("\n"), len(before) - before.rfind("\n") - 1, name)


def test_nothing_of_the_project_or_its_environment_is_run(tmp_path: Path) -> None:
    mark = tmp_path / "was-run"
    run = f"open({str(mark)!r}, 'w')\n"
    site = tmp_path / "site-packages"
    main = "import conf, native, installed\nconf.get()\nnative.get()\ninstalled.get()\n"
    files = {
        "sitecustomize.py": run,
        "conf.py": f"{run}def get(): ...\n",
        "native.so": "no library at all",
        "conftest.py": run,
        "main.py": main,
    }
    names = names_of(tmp_path / "shop", files, (str(site),))
    names_of(site, {"installed/__init__.py": f"{run}def get(): ...\n", "run.pth": f"import os; {run}"})
    for line, path in ((1, "conf.py:2"), (2, "unknown"), (3, "elsewhere installed.get")):
        found = told(names, "main.py", Site(line, main.splitlines()[line].index("get"), "get"))
        assert found.startswith(path)
    assert names.opaque == ["native"]
    assert not mark.exists()


def test_an_unsaved_text_counts_and_is_forgotten(tmp_path: Path) -> None:
    main = "from cart import total\ntotal()\n"
    names = names_of(tmp_path, {"cart.py": "def total(): ...\n", "main.py": main})
    site = site_of(main, "total")
    assert told(names, "main.py", site) == "cart.py:1 cart.total"
    names.edited([Document("cart.py", "\n\ndef total(): ...\n")], ())
    assert told(names, "main.py", site) == "cart.py:3 cart.total"
    names.edited((), ["cart.py"])
    assert told(names, "main.py", site) == "cart.py:1 cart.total"


def test_a_file_that_was_written_is_read_again(tmp_path: Path) -> None:
    main = "from cart import total\ntotal()\n"
    names = names_of(tmp_path, {"cart.py": "def total(): ...\n", "main.py": main})
    site = site_of(main, "total")
    names.freshen([""])
    assert told(names, "main.py", site) == "cart.py:1 cart.total"
    (tmp_path / "cart.py").write_text("import os\n\n\ndef total(): ...\n")
    names.freshen([""])
    assert told(names, "main.py", site) == "cart.py:4 cart.total"


@pytest.mark.parametrize("damage", [b"", b"no pickle", b"cos\nno_such\n."])
def test_a_damaged_cache_is_made_anew(tmp_path: Path, damage: bytes) -> None:
    main = "def total(): ...\ntotal()\n"
    root, parsed = tmp_path / "shop", tmp_path / "parsed"
    told(names_of(root, {"main.py": main}, (), parsed), "main.py", site_of(main, "total"))
    files = [file for file in parsed.rglob("*-*") if file.is_file()]
    assert files
    for file in files:
        file.write_bytes(damage)
    assert told(names_of(root, {}, (), parsed), "main.py", site_of(main, "total")) == "main.py:1 main.total"


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    main = "from data import get\nget()\n"
    names = names_of(tmp_path, {"main.py": main, "data.py": "def get(): ...\n" + "x = 1\n" * 200_000})
    assert told(names, "main.py", site_of(main, "get")) == "unknown"
    assert names.definitions("data.py", Site(0, 4, "get")) is None
    assert names.opaque == ["data"]


def test_an_environment_that_is_gone_costs_its_packages_alone(tmp_path: Path) -> None:
    main = "import gone\nfrom cart import total\ntotal()\ngone.get()\n"
    names = names_of(
        tmp_path, {"cart.py": "def total(): ...\n", "main.py": main}, ("/no/such/site-packages",)
    )
    assert told(names, "main.py", Site(2, 0, "total")) == "cart.py:1 cart.total"
    assert told(names, "main.py", Site(3, 5, "get")) == "unknown"


def test_memory_that_is_given_back_costs_no_answer_and_makes_none_old(tmp_path: Path) -> None:
    main = "from cart import total\ntotal()\n"
    names = names_of(tmp_path, {"cart.py": "def total(): ...\n", "main.py": main})
    site = site_of(main, "total")
    names.freshen([""])
    assert told(names, "main.py", site) == "cart.py:1 cart.total"
    names.forget()
    assert told(names, "main.py", site) == "cart.py:1 cart.total"
    (tmp_path / "cart.py").write_text("import os\n\n\ndef total(): ...\n")
    names.freshen([""])
    assert told(names, "main.py", site) == "cart.py:4 cart.total"
