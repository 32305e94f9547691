"""Shows gateline judging a change: half written, broken, made to look green, and repaired.

Works on a copy in a temporary folder: nothing here and none of your git settings is read or written. The
project's tests run in an environment of its own: that in DEMO_ENVIRONMENT, or one that is made for this run.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
WHO = {
    f"GIT_{role}_{key}": value
    for role in ("AUTHOR", "COMMITTER")
    for key, value in (
        ("NAME", "Demo"),
        ("EMAIL", "demo@example.com"),
        ("DATE", "2025-01-15T09:00:00Z"),
    )
}
NEEDED = ("pytest", "coverage")
"""What the project's tests run with."""
HISTORY = (
    (
        "Products and shelves",
        (
            "pyproject.toml",
            "README.md",
            ".gitignore",
            "src/stockroom/__init__.py",
            "src/stockroom/catalog.py",
            "src/stockroom/inventory.py",
        ),
    ),
    (
        "Take orders, price and pack them",
        ("src/stockroom/orders.py", "src/stockroom/pricing.py", "src/stockroom/shipping.py"),
    ),
    ("Keep the warehouse in a file; a command line; tests", (".",)),
)


def main() -> int:
    """0 when every verdict is the expected one."""
    folder = Path(tempfile.mkdtemp(prefix="gateline-demo-"))
    project = folder / "stockroom"
    try:
        if not os.environ.get("DEMO_ENVIRONMENT"):
            os.environ["DEMO_ENVIRONMENT"] = make_environment(folder / "environment")
        make_history(project)
        return 0 if story(project, folder / "verdict.json") else 1
    finally:
        if os.environ.get("KEEP") == "1":
            say(f"The project is in {project}. Try `gateline watch` there, and edit something.")
        else:
            shutil.rmtree(folder, ignore_errors=True)


def story(project: Path, verdict: Path) -> bool:
    """All acts; whether each verdict was the expected one."""
    say(
        "A small service keeps the stock of a warehouse. On a branch, somebody adds coupons, and tells\n"
        "the carrier which parcels to fetch. They are in the middle of a line:"
    )
    apply("1-half-written", project)
    begun = judge(project, verdict, "fast-fail", "--level", "early")

    say(
        "Half an hour later the change is whole, and in a hurry it is called done. Two tests that passed on\n"
        "main fail now:"
    )
    apply("2-broken", project)
    hasty = judge(project, verdict, "require-iteration")

    say(
        "pytest is made green: the test that still fails is skipped, and comments ask gateline to look away.\n"
        "The change has also become slow:"
    )
    apply("3-gamed", project)
    gamed = judge(project, verdict, "require-iteration")

    say("Everything on the list is fixed, and tests are written. What became of each function:")
    apply("4-repaired", project)
    gateline(project, "diff")
    say("And the verdict:")
    repaired = judge(project, verdict, "accept")

    say("Had two agents made the hasty and the careful change, each on a branch: which one should be taken?")
    return all((begun, hasty, gamed, repaired, compare(project, verdict)))


def compare(project: Path, verdict: Path) -> bool:
    """Commit both changes to branches and run `gateline compare`; whether the careful one wins."""
    for branch, change in (("careful", "4-repaired"), ("hasty", "2-broken")):
        git(project, "stash", "push", "--quiet", "--include-untracked")
        git(project, "checkout", "--quiet", "-b", branch, "main")
        apply(change, project)
        git(project, "add", "--all")
        git(project, "commit", "--quiet", "--no-gpg-sign", "--message", f"Coupons, {branch}")
    written = ("--output", "text", "--output", f"json={verdict}")
    exit_code = gateline(project, "compare", "hasty", "careful", also=written)
    said = json.loads(verdict.read_text(encoding="utf-8"))["ranking"]["winner"] if verdict.exists() else ""
    verdict.unlink(missing_ok=True)
    if (said, exit_code) != ("careful", 0):
        print(f"demo: expected careful; got {said or 'no winner'}, exit code {exit_code}", file=sys.stderr)
    return (said, exit_code) == ("careful", 0)


def make_environment(folder: Path) -> str:
    """A virtual environment with pytest and coverage.py, as the project would have one."""
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *NEEDED]
    subprocess.run(install, check=True)
    return str(folder)


def make_history(project: Path) -> None:
    """The project with three commits on main, and a branch for the change."""
    shutil.copytree(HERE / "project", project, ignore=shutil.ignore_patterns("__pycache__", ".*_cache"))
    git(project, "init", "--quiet", "--initial-branch=main")
    for message, paths in HISTORY:
        git(project, "add", "--", *paths)
        git(project, "commit", "--quiet", "--no-gpg-sign", "--message", message)
    git(project, "checkout", "--quiet", "-b", "coupons")
    (project / ".venv").symlink_to(os.environ.get("DEMO_ENVIRONMENT") or sys.prefix)


def apply(change: str, project: Path) -> None:
    """Write the files of a change over the project."""
    for source in sorted((HERE / "changes" / change).rglob("*.py")):
        text = source.read_text(encoding="utf-8").replace("@TOKEN@", token())
        target = project / source.relative_to(HERE / "changes" / change)
        target.write_text(text, encoding="utf-8")


def token() -> str:
    """Looks like an access token, and opens nothing."""
    return "_".join(("ghp", hashlib.sha256(b"opens nothing").hexdigest()[:36]))


def judge(project: Path, verdict: Path, expected: str, *options: str) -> bool:
    """Run `gateline check`; whether the gate said what was expected, in words and by the exit code."""
    exit_code = gateline(project, "check", *options, also=("--output", "full", "--output", f"json={verdict}"))
    said = json.loads(verdict.read_text(encoding="utf-8"))["decision"]["outcome"] if verdict.exists() else ""
    right = (said, exit_code) == (expected, 0 if expected == "accept" else 1)
    if not right:
        print(
            f"demo: expected {expected}; got {said or 'no verdict'}, exit code {exit_code}", file=sys.stderr
        )
    verdict.unlink(missing_ok=True)
    return right


def gateline(project: Path, *arguments: str, also: tuple[str, ...] = ()) -> int:
    """Run gateline in the project, as typed in a terminal."""
    print(f"$ gateline {' '.join(arguments)}", flush=True)
    command = [sys.executable, "-m", "gateline", *arguments, *also]
    return subprocess.run(command, cwd=project, env=environment(), check=False).returncode


def git(project: Path, *arguments: str) -> None:
    """Run git in the project."""
    subprocess.run(["git", *arguments], cwd=project, env=environment() | WHO, check=True)


def environment() -> dict[str, str]:
    """The environment without what would change the story: another project's, settings of git and gateline."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "GATELINE_"))}
    kept.pop("VIRTUAL_ENV", None)
    return kept | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


def say(text: str) -> None:
    """A sentence between two commands."""
    print(f"\n{text}\n", flush=True)


if __name__ == "__main__":
    sys.exit(main())
