"""The same model as an ONNX graph with weights of eight bits, made once from the same weights.

It is several times as fast as the reference. Before it is kept its vectors are compared with the reference's.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gateline.services.embedding.bert import Bert, Matrix
from gateline.services.embedding.choice import FULL, SMALL, made_folder, probe_of
from gateline.services.embedding.engines import AGREEMENT, PROBES, numpy_engine, onnx_engine
from gateline.services.embedding.pieces import LONGEST
from gateline.services.embedding.smoothing import divisors, in_bytes, joined, largest_inputs
from gateline.services.embedding.weights import Weights

_OPSET = 20
_SAMPLES = (
    "price",
    "shop prices rounded price float to cents",
    "http client session send request timeout retry",
    "parse arguments from the command line and show help",
    "tests unit model document apply edits keep line ends",
    "where is the connection to the database closed when the server stops",
    "Sort nodes topologically; raise an error if the graph has a cycle.",
    "def read_config(path: Path, *, strict: bool = False) -> dict[str, object]",
)

_CONTRIBUTED = "com.microsoft"
"""Operators that onnxruntime adds to the standard."""


def make(weights: Weights, folder: Path) -> Path:
    """Make the smallest model of some weights that agrees with them, and keep it under `folder`.

    Raises MissingModelError and OSError; nothing is kept then.
    """
    kept = made_folder(weights, folder)
    kept.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(dir=kept, prefix="making-"))
    try:
        model = Bert.of(weights.folder, weights.config)
        found = work / SMALL
        found.write_bytes(graph_of(model, largest_inputs(model)))
        if agreement(weights, found) < AGREEMENT:
            found = work / FULL
            found.write_bytes(graph_of(model))
        np.save(probe_of(found), numpy_engine(weights).vectors(PROBES))
        # The model last: where it stands, all stands.
        probe_of(found).replace(probe_of(kept / found.name))
        made = found.replace(kept / found.name)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    _drop_others(made)
    return made


def _drop_others(made: Path) -> None:
    """What earlier versions made of the same weights."""
    ours = (made, probe_of(made))
    for other in (*made.parent.glob("*.onnx"), *made.parent.glob("*.npy")):
        if other not in ours:
            with contextlib.suppress(OSError):
                other.unlink()


def agreement(weights: Weights, file: Path) -> float:
    """The smallest cosine between the reference's vectors and those of a model, for texts of all lengths."""
    wanted = numpy_engine(weights).vectors(_SAMPLES)
    found = onnx_engine(weights, file).vectors(_SAMPLES)
    return float((wanted * found).sum(axis=1).min())


def graph_of(model: Bert, inputs: Mapping[str, Matrix] | None = None) -> bytes:
    """The graph of a model: `numbers` and `mask` in, what the last layer gives out.

    In eight bits if it is told how large the inputs of the products become.
    """
    import onnx
    from onnx import TensorProto, helper

    drawn = _Drawn(model, inputs)
    out = drawn.whole()
    shape = ["rows", "length"]
    given = [helper.make_tensor_value_info(n, TensorProto.INT64, shape) for n in ("numbers", "mask")]
    outputs = [helper.make_tensor_value_info(out, TensorProto.FLOAT, [*shape, "width"])]
    graph = helper.make_graph(drawn.nodes, "bert", given, outputs, drawn.constants)
    versions = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_CONTRIBUTED, 1)]
    made = helper.make_model(graph, opset_imports=versions, ir_version=10)
    onnx.checker.check_model(made)
    written: bytes = made.SerializeToString()
    return written


class _Drawn:
    """The nodes of a graph, in order, and its constants. Each step gives the name of its output."""

    def __init__(self, model: Bert, inputs: Mapping[str, Matrix] | None) -> None:
        self._model = model
        self._inputs = inputs
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._known: set[str] = set()

    def whole(self) -> str:
        """All layers."""
        from onnx import TensorProto

        hidden, counted = self._embedded(), self._do("Cast", "mask", to=TensorProto.INT32)
        for layer in range(self._model.layers):
            hidden = self._layer(hidden, counted, f"encoder.layer.{layer}.")
        return hidden

    def _embedded(self) -> str:
        arrays = self._model.arrays
        places = arrays["embeddings.position_embeddings.weight"][:LONGEST]
        kind = arrays["embeddings.token_type_embeddings.weight"][0]
        length = self._do("Gather", self._do("Shape", "numbers"), self._numbers("one", 1))
        ends = self._do("Unsqueeze", length, self._numbers("zeros", [0]))
        zero = self._numbers("zeros", [0])
        here = self._do("Slice", self._constant("places", places + kind), zero, ends, zero)
        return self._normal(self._do("Add", self._words(), here), "embeddings.")

    def _words(self) -> str:
        """The rows of the pieces: half of all weights, of which a text needs a few."""
        from onnx import TensorProto

        name = "embeddings.word_embeddings.weight"
        if self._inputs is None:
            return self._do("Gather", self._weight(name), "numbers")
        small, scales = in_bytes(self._model.arrays[name], 1)
        rows = self._do("Gather", self._constant(name, small), "numbers")
        factors = self._do("Gather", self._constant(f"{name}-scales", scales), "numbers")
        return self._do("Mul", self._do("Cast", rows, to=TensorProto.FLOAT), factors)

    def _layer(self, hidden: str, counted: str, name: str) -> str:
        seen = self._linear(self._attended(hidden, counted, name), f"{name}attention.output.dense.")
        hidden = self._normal(self._do("Add", hidden, seen), f"{name}attention.output.")
        inner = self._do("Gelu", self._linear(hidden, f"{name}intermediate.dense."))
        dense = self._linear(inner, f"{name}output.dense.")
        return self._normal(self._do("Add", hidden, dense), f"{name}output.")

    def _attended(self, hidden: str, counted: str, name: str) -> str:
        parts = [f"{name}attention.self.{part}." for part in ("query", "key", "value")]
        whole = self._linear(hidden, *parts)
        sizes = self._numbers("thirds", [self._model.arrays[f"{part}bias"].size for part in parts])
        cut = [f"{part}cut" for part in parts]
        self._add("Split", [whole, sizes], cut, axis=-1)
        heads = self._model.heads
        return self._do("MultiHeadAttention", *cut, "", counted, domain=_CONTRIBUTED, num_heads=heads)

    def _linear(self, states: str, *names: str) -> str:
        """One product, or several of the same inputs at once."""
        weight, bias = joined(self._model.arrays, names)
        if self._inputs is None:
            product = self._do("MatMul", states, self._constant(f"{names[0]}weight", weight))
            return self._do("Add", product, self._constant(f"{names[0]}bias", bias))
        shares = divisors(self._inputs[names[0]], weight)
        small, scales = in_bytes(weight * shares[:, None], 0)
        even = self._do("Mul", states, self._constant(f"{names[0]}even", 1 / shares))
        given = {"weight": small, "scales": scales[0], "": None, "bias": bias}
        constants = [name and self._constant(f"{names[0]}{name}", given[name]) for name in given]
        return self._do("DynamicQuantizeMatMul", even, *constants, domain=_CONTRIBUTED)

    def _normal(self, states: str, name: str) -> str:
        given = (self._weight(f"{name}LayerNorm.{part}") for part in ("weight", "bias"))
        return self._do("LayerNormalization", states, *given, axis=-1, epsilon=self._model.epsilon)

    def _do(self, kind: str, *inputs: str, **options: Any) -> str:
        name = f"{kind}-{len(self.nodes)}"
        self._add(kind, inputs, [name], **options)
        return name

    def _add(self, kind: str, inputs: Sequence[str], outputs: Sequence[str], **options: Any) -> None:
        from onnx import helper

        self.nodes.append(helper.make_node(kind, inputs, outputs, name=outputs[0], **options))

    def _weight(self, name: str) -> str:
        return self._constant(name, self._model.arrays[name])

    def _numbers(self, name: str, values: int | Sequence[int]) -> str:
        return self._constant(name, np.array(values, np.int64))

    def _constant(self, name: str, values: Any) -> str:
        from onnx import numpy_helper

        if name not in self._known:
            self._known.add(name)
            self.constants.append(numpy_helper.from_array(np.asarray(values), name))
        return name
