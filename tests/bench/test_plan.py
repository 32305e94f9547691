"""What is measured of which server, from the command line to the parts."""

from __future__ import annotations

import asyncio
import io
import tarfile
from pathlib import Path

import pytest

from gateline_dev.bench import __main__ as bench
from gateline_dev.bench import parts, projects
from gateline_dev.bench.client import ServerFailedError
from gateline_dev.bench.environments import UnavailableError
from gateline_dev.bench.parts import PARTS, Part
from gateline_dev.bench.plan import QUICK
from gateline_dev.bench.projects import PROJECTS, Project, fetch
from gateline_dev.bench.results import Result
from gateline_dev.bench.servers import SERVERS, Server, filled
from gateline_dev.bench.trial import Trial

# The command line


@pytest.mark.parametrize("given", [["--only", "sleep"], ["--project", "flask"], ["--server", "pyright"]])
def test_what_there_is_not_is_refused_with_what_there_is(
    given: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        bench.arguments(given)
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert repr(given[1]) in said and "choose from" in said


def test_pages_are_written_below_their_mark_and_a_missing_server_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(project: Project, server: Server) -> None:
        raise UnavailableError("ERROR: no index")

    monkeypatch.setattr(bench, "prepared", refuse)
    page, data = tmp_path / "page.md", tmp_path / "data.json"
    page.write_text(f"by hand\n{bench._MARK}\nold tables\n")
    monkeypatch.setattr(
        "sys.argv", ["bench", "--quick", "--server", "ruff", "--update", str(page), "--json", str(data)]
    )
    assert bench.main() == 0
    assert page.read_text().startswith(f"by hand\n{bench._MARK}\nMeasured ")
    assert "old tables" not in page.read_text()
    assert "| ruff | not measured: ERROR: no index |" in capsys.readouterr().out
    assert '"ERROR: no index"' in data.read_text()


# Parts


def trial(name: str = "gateline", project: str = "httpx", number: int = 0) -> Trial:
    (server,) = [s for s in SERVERS if s.name == name]
    (found,) = [p for p in PROJECTS if p.name == project]
    return Trial(None, found, server, QUICK, number, Result(name, project))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("made", "names"),
    [
        (trial(), "typing start evaluation command idle tests hooks context tiers beside session huge"),
        (trial(number=1), "typing start evaluation command"),
        (trial(project="django"), "typing start context tiers beside"),
        (trial("echo"), "typing start huge"),
        (trial("ruff"), "typing start"),
    ],
)
def test_parts_concern_some_servers_projects_and_rounds(made: Trial, names: str) -> None:
    assert " ".join(part.name for part in PARTS if part.concerns(made)) == names


def test_a_part_that_fails_is_noted_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(_: Trial) -> None:
        raise ServerFailedError("the server ended")

    async def succeed(made: Trial) -> None:
        made.result.note("done", 1)

    rows = (Part("typing", "", fail, everywhere=True), Part("start", "", succeed, everywhere=True))
    monkeypatch.setattr(parts, "PARTS", rows)
    made, told = trial(), []
    asyncio.run(parts.measure(made, ["typing", "start", "huge"], told.append))
    assert made.result.failures == ["typing: the server ended"]
    assert made.result.numbers == {"done": 1}
    assert told == ["gateline on httpx: typing", "gateline on httpx: start"]


def test_every_part_of_a_server_is_there() -> None:
    assert all(server.parts <= {part.name for part in PARTS} for server in SERVERS)
    assert all(server.projects <= {project.name for project in PROJECTS} for server in SERVERS)


def test_the_places_of_settings_are_filled_in_at_any_depth() -> None:
    settings = {"a": ["--python", {"b": "{python}/x"}], "c": True, "d": 3}
    assert filled(settings, {"python": "/p"}) == {"a": ["--python", {"b": "/p/x"}], "c": True, "d": 3}


@pytest.mark.parametrize("number", [0, 1])
def test_each_round_has_places_of_its_own(tmp_path: Path, number: int) -> None:
    made = trial(number=number)
    made.plan = QUICK.__class__(**{**vars(QUICK), "rounds": 2})
    (tmp_path / "httpx").mkdir()
    (tmp_path / "httpx/_client.py").write_text("def f():\n    pass\n\n\n" * 6)
    made.copy = type("Copy", (), {"root": tmp_path})()  # type: ignore[assignment]
    assert [site.line for site in made.places(3)] == [1 + 4 * n for n in range(number, 6, 2)]


# Projects


def archive(folder: Path, **files: str) -> None:
    with tarfile.open(folder / "demo-1.0.tar.gz", "w:gz") as tar:
        for name, text in files.items():
            member = tarfile.TarInfo(f"demo-1.0/{name}")
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text.encode()))


def demo(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, **files: str) -> list[tuple[str, ...]]:
    """A cache of its own, and a pip that has one project; what pip was asked for."""
    asked: list[tuple[str, ...]] = []

    def pip(_python: object, *arguments: str) -> None:
        asked.append(arguments)
        archive(Path(arguments[-1]), **files)

    monkeypatch.setattr(projects, "CACHE", tmp_path)
    monkeypatch.setattr(projects, "pip", pip)
    return asked


DEMO = Project("demo", "1.0", "0" * 64, "a.py")


def test_a_project_is_fetched_once_by_its_digest(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked = demo(monkeypatch, tmp_path, **{"a.py": "x = 1\n"})
    assert [(fetch(DEMO) / "a.py").read_text() for _ in range(2)] == ["x = 1\n"] * 2
    assert len(asked) == 1 and "--require-hashes" in asked[0]
    wish = (tmp_path / "downloads" / "demo.txt").read_text()
    assert wish == f"demo==1.0 --hash=sha256:{'0' * 64}\n"


def test_an_archive_that_reaches_outside_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    demo(monkeypatch, tmp_path, **{"a.py": "x = 1\n", "../../../evil.py": "x = 1\n"})
    with pytest.raises(tarfile.OutsideDestinationError):
        fetch(DEMO)
    assert list((tmp_path / "projects").iterdir()) == []
