"""The line that says what is done now."""

from __future__ import annotations

from gateline.session.steps import Steps


def test_sources_at_work_share_a_line() -> None:
    said: list[str] = []
    steps = Steps(said.append)
    with steps.of("types"):
        with steps.of("tests"):
            steps.telling("tests")("3 tests run")
            steps.telling("types")("shop.py")
        assert said == [
            "types",
            "types · tests",
            "types · 3 tests run",
            "types: shop.py · 3 tests run",
            "types: shop.py",
        ]


def test_nobody_listens() -> None:
    with Steps(None).of("types"):
        pass
