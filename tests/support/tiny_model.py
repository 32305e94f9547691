"""A sentence transformer of a few kilobytes: random weights, but the files and the shape of a real one."""

from __future__ import annotations

import json
import string
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

_WIDTH, _INNER, _LAYERS, _PLACES = 32, 64, 2, 512


def tiny_model(folder: Path, seed: int = 7) -> Path:
    """Write the model; another seed gives other weights."""
    folder.mkdir(parents=True, exist_ok=True)
    words = _tokenizer(folder)
    config = {
        "model_type": "bert",
        "hidden_size": _WIDTH,
        "num_hidden_layers": _LAYERS,
        "num_attention_heads": 4,
        "layer_norm_eps": 1e-12,
    }
    (folder / "config.json").write_text(json.dumps(config))
    save_file(dict(_arrays(words, np.random.default_rng(seed))), folder / "model.safetensors")
    return folder


def _tokenizer(folder: Path) -> int:
    letters = string.ascii_lowercase + string.digits
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *letters, *(f"##{letter}" for letter in letters)]
    made = Tokenizer(models.WordPiece({piece: n for n, piece in enumerate(pieces)}, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", None, [("[CLS]", 2), ("[SEP]", 3)])
    # As the real one's file says, and as nobody must read it.
    made.enable_padding(length=128)
    made.enable_truncation(128)
    made.save(str(folder / "tokenizer.json"))
    return len(pieces)


def _arrays(words: int, random: np.random.Generator) -> Iterator[tuple[str, np.ndarray]]:
    def weights(*shape: int) -> np.ndarray:
        return random.normal(0, 0.3, shape).astype(np.float32)

    def normal(name: str) -> Iterator[tuple[str, np.ndarray]]:
        yield f"{name}LayerNorm.weight", np.ones(_WIDTH, np.float32)
        yield f"{name}LayerNorm.bias", weights(_WIDTH)

    for name, rows in (("word", words), ("position", _PLACES), ("token_type", 2)):
        yield f"embeddings.{name}_embeddings.weight", weights(rows, _WIDTH)
    yield from normal("embeddings.")
    for layer in range(_LAYERS):
        begin = f"encoder.layer.{layer}."
        linear = {f"attention.self.{part}": (_WIDTH, _WIDTH) for part in ("query", "key", "value")}
        linear["attention.output.dense"] = (_WIDTH, _WIDTH)
        linear |= {"intermediate.dense": (_INNER, _WIDTH), "output.dense": (_WIDTH, _INNER)}
        for name, shape in linear.items():
            yield f"{begin}{name}.weight", weights(*shape)
            yield f"{begin}{name}.bias", weights(shape[0])
        yield from normal(f"{begin}attention.output.")
        yield from normal(f"{begin}output.")
