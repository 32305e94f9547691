"""What ships is made by commands: batches, the table, the weights, and what they are tried on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gateline.context import features
from gateline.context.search import Ranker
from gateline.session.context.data import table_in, weights_in
from gateline_dev.retrieval import documented, fitting, making, packages, table
from gateline_dev.retrieval.batches import Batches
from gateline_dev.retrieval.documented import Documented
from gateline_dev.retrieval.fitting import Example

NAMES = features.WORDS


def example(package: str, feature: str, *, right: bool = True, without: tuple[str, ...] = ()) -> Example:
    """Three rows; the answer is the one with more of a feature, or the one with less."""
    columns = np.full((3, len(NAMES)), 0.5, np.float32)
    columns[:, [NAMES.index(name) for name in without]] = 0
    columns[0, NAMES.index(feature)] = 1.0 if right else 0.0
    return Example("words", columns, np.array([True, False, False]), package, "docstring")


def test_the_weights_follow_the_answers() -> None:
    learned = fitting.sets([example("a", "together"), example("b", "test", right=False)])["words"]
    for tier in ("lexical", "static", "semantic"):
        assert learned[tier]["together"] > 0 > learned[tier]["test"]


def test_a_missing_tier_has_no_weight_and_no_neighbours() -> None:
    examples = [example("a", "static"), example("a", "static-file"), example("a", "semantic-class")]
    learned = fitting.sets(examples)["words"]
    assert {"static", "static-file"} <= learned["static"].keys()
    assert not any(name.startswith(("static", "semantic")) for name in learned["lexical"])
    assert not any(name.startswith("semantic") for name in learned["static"])


def test_a_package_is_tried_by_weights_that_did_not_see_it() -> None:
    alike = [example(package, "together") for package in "abcde"]
    odd = [example("odd", "together", right=False)]
    found = making.crossed([*alike, *odd])
    assert found["a", "docstring"].mrr == 1
    assert found["odd", "docstring"].mrr < 1


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    making.weights(tmp_path, [example("a", "together")])
    read = weights_in(tmp_path)
    assert read.sets["words"]["lexical"]["together"] > 0
    assert Ranker(read).table is None


def test_half_of_a_batch_is_of_one_package_and_nothing_is_in_it_twice() -> None:
    groups = ["a"] * 50 + ["b"] * 50
    batches = Batches(groups, np.random.default_rng(1))
    for _ in range(20):
        batch = batches.next(20)
        counts = [sum(groups[n] == group for n in batch) for group in "ab"]
        assert len(set(batch)) == len(batch) <= 20 and max(counts) >= 10


def test_tuning_brings_a_sentence_to_its_text_and_the_table_is_read_back(tmp_path: Path) -> None:
    pieces = ["price", "sum", "cart", "add", "cost", "total"]
    chosen = [Documented("a", "add cost", "total price"), Documented("a", "cart", "sum")]
    start = np.random.default_rng(3).normal(0, 0.05, (len(pieces), 8)).astype(np.float32)
    losses = list(table.Tuning(start, table.pairs_of(chosen, pieces)).run(60))
    assert losses[-1] < losses[0]
    tuning = table.Tuning(start, table.pairs_of(chosen, pieces))
    assert list(tuning.run(60)) == losses
    table.save(tmp_path / making.TABLE, pieces, tuning.sentences.table, tuning.texts.table)
    read = table_in(tmp_path)
    assert read is not None
    near, far = read.of(["total price", "sum"]) @ read.question("add cost")
    assert near > far


def test_nothing_that_is_learned_from_is_scored() -> None:
    tuned = {pin.partition("==")[0] for pin in documented.PACKAGES}
    learned = {package.project.name for package in packages.LEARNED}
    unseen = {package.project.name for package in packages.UNSEEN}
    assert {"django", "pytest"} <= unseen
    assert not tuned & learned and not tuned & unseen and not learned & unseen
    assert len(learned) >= 9


@pytest.mark.parametrize("path", ["pkg/tests/a.py", "pkg/_vendor/a.py", "pkg/externals/b/c.py"])
def test_tests_and_what_others_wrote_are_not_learned_from(path: str) -> None:
    assert not documented._is_own(path)
