"""From texts to settings: who wins, and what happens to mistakes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateline.model.policy import Policy, Weights
from gateline.settings.load import Loaded, SettingsFile, load
from gateline.settings.model import Settings


def of(text: str, **environment: str) -> Loaded:
    return load([SettingsFile("gateline.toml", text)], {f"GATELINE_{k}": v for k, v in environment.items()})


def test_defaults_are_the_specification() -> None:
    loaded = load([])
    assert loaded.settings.policy() == Policy()
    assert loaded.settings.gates.weights.model_dump() == {
        "errors": 0.40,
        "coverage": 0.25,
        "security": 0.20,
        "complexity": 0.10,
        "documentation": 0.05,
    }
    assert set(loaded.origins.values()) == {"default"}
    assert (loaded.problems, loaded.file) == ((), "")


def test_later_sources_win_and_each_value_says_where_it_is_from() -> None:
    table = '[tool.gateline]\nbase = "a"\nprofile = "plain"\nmax-file-size = 1\n'
    text = f"{table}[tool.gateline.types]\ntimeout = 1\n"
    loaded = load(
        [SettingsFile("sub/pyproject.toml", text)],
        {"GATELINE_PROFILE": "standard", "GATELINE_BASE": "b", "PATH": "/bin"},
        {"base": "c"},
    )
    settings = loaded.settings
    assert (settings.base, settings.profile, settings.max_file_size) == ("c", "standard", 1)
    assert {k: v for k, v in loaded.origins.items() if v != "default"} == {
        "base": "command line",
        "profile": "GATELINE_PROFILE in the environment",
        "max-file-size": "sub/pyproject.toml:4",
        "types.timeout": "sub/pyproject.toml:6",
    }
    assert loaded.file == "sub/pyproject.toml"


@pytest.mark.parametrize(
    ("files", "base", "read"),
    [
        (
            [("a/pyproject.toml", "[project]\n"), ("pyproject.toml", '[tool.gateline]\nbase="x"')],
            "x",
            "pyproject.toml",
        ),
        (
            [("gateline.toml", 'base="x"'), ("pyproject.toml", '[tool.gateline]\nbase="y"')],
            "x",
            "gateline.toml",
        ),
        ([("gateline.toml", ""), ("pyproject.toml", '[tool.gateline]\nbase="y"')], None, "gateline.toml"),
        ([("pyproject.toml", "tool = 3")], None, ""),
    ],
)
def test_the_nearest_file_that_speaks_of_gateline_is_read(
    files: list[tuple[str, str]], base: str | None, read: str
) -> None:
    loaded = load([SettingsFile(*file) for file in files])
    assert (loaded.settings.base, loaded.file, loaded.problems) == (base, read, ())


@pytest.mark.parametrize(
    ("variable", "value", "key", "expected"),
    [
        ("BASE", "1.0", "base", "1.0"),
        ("BASE", '"x"', "base", "x"),
        ("MAX_FILE_SIZE", "12", "max-file-size", 12),
        ("TYPES__ENABLED", "false", "types.enabled", False),
        ("EXCLUDE", "a/, b", "exclude", ("a/", "b")),
        ("EXCLUDE", '["a, b"]', "exclude", ("a, b",)),
        ("EXCLUDE", "", "exclude", ()),
    ],
)
def test_environment_is_read_as_toml_or_as_it_stands(
    variable: str, value: str, key: str, expected: object
) -> None:
    loaded = of("", **{variable: value})
    found: object = loaded.settings
    for name in key.split("."):
        found = getattr(found, name.replace("-", "_"))
    assert (found, loaded.problems) == (expected, ())


@pytest.mark.parametrize(
    ("text", "key", "line", "column", "suggestion"),
    [
        ("typse = 1", "typse", 0, 0, "types"),
        ("\nmax_file_size = 3", "max_file_size", 1, 0, "max-file-size"),
        ('engine = "ty"', "engine", 0, 0, "types.engine"),
        ('[types]\nengine = "mypi"', "types.engine", 1, 0, "mypy"),
        ('types = { engine = "mypi" }', "types.engine", 0, 10, "mypy"),
        ('types.engine = "mypi"', "types.engine", 0, 6, "mypy"),
        ("[types]\nenabled = 1", "types.enabled", 1, 0, ""),
        ('[types]\ntimeout = "1"', "types.timeout", 1, 0, ""),
        ("types = 1", "types", 0, 0, ""),
        ("max-file-size = 0", "max-file-size", 0, 0, ""),
        ("max-file-size = 1.5", "max-file-size", 0, 0, ""),
        ('base = ""', "base", 0, 0, ""),
        ('exclude = "a"', "exclude", 0, 0, ""),
        ("exclude = [\n\n3]", "exclude.0", 2, 0, ""),
        ('exclude = ["[z-a]"]', "exclude.0", 0, 11, ""),
        ("[gates]\nmiddle-score = nan", "gates.middle-score", 1, 0, ""),
        ("[gates]\nmiddle-score = 101", "gates.middle-score", 1, 0, ""),
        ("[gates.weights]\nerrors = 0.9", "gates.weights.errors", 1, 0, ""),
        ("[gates]\nfinal-accept = 1", "gates.final-accept", 1, 0, ""),
        ("[gates]\ncomplexity-worst = 5", "gates.complexity-worst", 1, 0, ""),
        ('[[overrides]]\npaths = ["a"]', "overrides.0.ignore", 0, 2, ""),
        ('[[overrides]]\npaths = []\nignore = ["GTL5"]', "overrides.0.paths", 1, 0, ""),
        ('[[overrides]]\npaths = ["a"]\nignore = ["E501"]', "overrides.0.ignore.0", 2, 10, ""),
        ("base = 1979-05-27", "base", 0, 0, ""),
    ],
)
def test_a_mistake_is_told_at_its_place_and_changes_nothing(
    text: str, key: str, line: int, column: int, suggestion: str
) -> None:
    loaded = of(text)
    assert [(p.key, p.line, p.column, p.suggestion) for p in loaded.problems] == [
        (key, line, column, suggestion)
    ]
    problem = loaded.problems[0]
    assert problem.path == "gateline.toml"
    assert problem.origin == f"gateline.toml:{line + 1}"
    assert key in problem.message
    assert loaded.settings == Settings()
    assert not loaded.unreadable


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [("base = ", 0, 7), ('a = 1\nbase = "x', 1, 9), ("[a]\n[a]\n", 1, 2), ("x = [\n", 1, 0), ("= 1", 0, 0)],
)
def test_broken_toml_is_one_problem_at_its_place(text: str, line: int, column: int) -> None:
    loaded = of(text, BASE="main")
    (problem,) = loaded.problems
    assert (problem.key, problem.line) == ("", line)
    assert problem.column <= max(column, 0) + 1
    assert loaded.unreadable
    assert loaded.settings.base == "main"


def test_a_broken_file_is_not_replaced_by_one_further_away() -> None:
    loaded = load([SettingsFile("a/gateline.toml", "="), SettingsFile("gateline.toml", 'base = "x"')])
    assert loaded.settings.base is None


def test_the_rest_stays_in_force() -> None:
    text = """
profile = "plain"
[types]
engine = "none"
timeout = 5
[[overrides]]
paths = ["a"]
ignore = ["nonsense"]
[[overrides]]
paths = ["tests/**"]
ignore = ["GTL5", "GTL110"]
[gates]
final-accept = 10
middle-score = 50
"""
    loaded = of(text, TYPES__ENGINE="ty", SECRETS__ENABLED="maybe")
    settings = loaded.settings
    assert (settings.profile, settings.types.engine, settings.types.timeout) == ("plain", "ty", 5)
    assert (settings.gates.final_accept, settings.gates.middle_score) == (85, 50)
    assert settings.ignored("tests/unit/test_a.py") == ("GTL110", "GTL5")
    assert settings.ignored("a") == ()
    assert [p.key for p in loaded.problems] == [
        "types.engine",
        "overrides.0.ignore.0",
        "gates.final-accept",
        "secrets.enabled",
    ]


def test_a_mistake_above_leaves_the_source_below() -> None:
    loaded = of("[types]\ntimeout = 5", TYPES__TIMEOUT="soon")
    assert loaded.settings.types.timeout == 5
    assert loaded.origins["types.timeout"] == "gateline.toml:2"
    assert loaded.problems[0].origin == "GATELINE_TYPES__TIMEOUT in the environment"
    assert (loaded.problems[0].path, loaded.problems[0].value) == ("", '"soon"')


@pytest.mark.parametrize(
    ("variable", "value", "key"),
    [
        ("MODELS__KEY_VARIABLE", "sk-1a2b3c", "models.key-variable"),
        ("MODELS__KEY", "sk1a2b3c", "models.key"),
        ("MODELS__ENDPOINT", "user:sk1a2b3c@host/v1", "models.endpoint"),
        ("MODELS", "sk-1a2b3c", "models"),
        ("MODELS_KEY", "sk-1a2b3c", "models-key"),
    ],
)
def test_a_key_that_was_written_as_a_setting_is_not_repeated(variable: str, value: str, key: str) -> None:
    loaded = of("", **{variable: value})
    (problem,) = loaded.problems
    assert (problem.key, problem.value) == (key, "")
    assert "1a2b3c" not in f"{problem.text}{loaded.limits}"


def test_unknown_variables_and_options_are_told() -> None:
    loaded = load([], {"GATELINE_TYPES__ENGIN": "ty"}, {"profil": "plain", "": 1, "a.b.c": 1})
    assert [(p.key, p.suggestion) for p in loaded.problems] == [
        ("types.engin", "engine"),
        ('""', ""),
        ("a", ""),
        ("profil", "profile"),
    ]
    assert not loaded.unreadable


def test_weights_that_add_up_are_taken() -> None:
    text = (
        "[gates.weights]\nerrors = 0.2\ncoverage = 0.2\nsecurity = 0.2\ncomplexity = 0.2\ndocumentation = 0.2"
    )
    loaded = of(text)
    assert loaded.settings.policy().weights == Weights(0.2, 0.2, 0.2, 0.2, 0.2)
    assert loaded.problems == ()


@pytest.mark.parametrize(
    ("patterns", "path", "excluded"),
    [
        (("build/",), "build/a.py", True),
        (("*.py", "!keep.py"), "keep.py", False),
        (("/a.py",), "b/a.py", False),
        ((), "a.py", False),
    ],
)
def test_exclude_is_as_in_gitignore(patterns: tuple[str, ...], path: str, excluded: bool) -> None:
    assert Settings(exclude=patterns).excludes(path) is excluded


VALUES = st.sampled_from(["1", "-1", '"x"', "true", "[]", '["a"]', "{}", "{ a = 1 }", "nan", "1.5", "''"])
KEYS = st.sampled_from(
    [
        "base",
        "types",
        "types.engine",
        "gates.weights.errors",
        "gates",
        "overrides",
        "exclude",
        "nonsense",
        "a.b",
    ]
)


@given(st.dictionaries(KEYS, VALUES), st.dictionaries(KEYS, st.text('ab1[]"=,', max_size=5) | VALUES))
def test_whatever_is_written_there_are_settings(written: dict[str, str], environment: dict[str, str]) -> None:
    text = "\n".join(f"{key} = {value}" for key, value in written.items())
    named = {key.upper().replace("-", "_").replace(".", "__"): value for key, value in environment.items()}
    loaded = of(text, **named)
    assert isinstance(loaded.settings, Settings)
    assert all(p.message for p in loaded.problems)


@given(st.text(alphabet="[]{}=.\"'\\#\n ,ab1", max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    assert isinstance(of(text).settings, Settings)
