"""The same model as an ONNX graph with weights of eight bits, made once from the same weights.

It is several times as fast as the reference. Before it is kept its vectors are compared with the reference's.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gateline.services.embedding.bert import Bert
from gateline.services.embedding.choice import made_folder
from gateline.services.embedding.engines import AGREEMENT, numpy_engine, onnx_engine
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


_WIDE = re.compile(r"layer\.\d+\.output\.dense")
"""What follows the activation: a few of its inputs are much larger than all others."""


def make(weights: Weights, folder: Path) -> Path:
    """Make the smallest model of some weights that agrees with them, and keep it under `folder`.

    Raises MissingModelError and OSError; nothing is kept then.
    """
    kept = made_folder(weights, folder)
    kept.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(dir=kept, prefix="making-"))
    try:
        whole = work / "fp32.onnx"
        whole.write_bytes(graph_of(Bert.of(weights.folder, weights.config)))
        found = next((file for file in _smaller(whole) if agreement(weights, file) >= AGREEMENT), whole)
        return found.replace(kept / found.name)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _smaller(whole: Path) -> Iterator[Path]:
    """With all products in eight bits, then without those that suffer most from it."""
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    products = [node for node in onnx.load(whole).graph.node if node.op_type == "MatMul"]
    for left_out in ([], [node.name for node in products if _WIDE.search(node.input[1])]):
        small = whole.with_name("int8.onnx")
        quantize_dynamic(
            whole,
            small,
            per_channel=True,
            weight_type=QuantType.QInt8,
            op_types_to_quantize=["MatMul"],
            nodes_to_exclude=left_out,
        )
        yield small


def agreement(weights: Weights, file: Path) -> float:
    """The smallest cosine between the reference's vectors and those of a model, for texts of all lengths."""
    wanted = numpy_engine(weights).vectors(_SAMPLES)
    found = onnx_engine(weights, file).vectors(_SAMPLES)
    return float((wanted * found).sum(axis=1).min())


def graph_of(model: Bert) -> bytes:
    """The graph of a model: `numbers` and `mask` in, what the last layer gives out."""
    import onnx
    from onnx import TensorProto, helper

    drawn = _Drawn(model)
    out = drawn.whole()
    shape = ["rows", "length"]
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, shape) for n in ("numbers", "mask")]
    outputs = [helper.make_tensor_value_info(out, TensorProto.FLOAT, [*shape, "width"])]
    graph = helper.make_graph(drawn.nodes, "bert", inputs, outputs, drawn.constants)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=10)
    onnx.checker.check_model(made)
    written: bytes = made.SerializeToString()
    return written


class _Drawn:
    """The nodes of a graph, in order, and its constants. Each step gives the name of its output."""

    def __init__(self, model: Bert) -> None:
        self._model = model
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._known: set[str] = set()

    def whole(self) -> str:
        """All layers."""
        hidden, bias = self._embedded(), self._bias()
        for layer in range(self._model.layers):
            hidden = self._layer(hidden, bias, f"encoder.layer.{layer}.")
        return hidden

    def _embedded(self) -> str:
        arrays = self._model.arrays
        words = self._do("Gather", self._weight("embeddings.word_embeddings.weight"), "numbers")
        places = arrays["embeddings.position_embeddings.weight"]
        kind = arrays["embeddings.token_type_embeddings.weight"][0]
        length = self._do("Gather", self._do("Shape", "numbers"), self._numbers("one", 1))
        ends = self._do("Unsqueeze", length, self._numbers("zeros", [0]))
        zero = self._numbers("zeros", [0])
        here = self._do("Slice", self._constant("places", places + kind), zero, ends, zero)
        return self._normal(self._do("Add", words, here), "embeddings.")

    def _bias(self) -> str:
        """What keeps pieces from being seen that do not count."""
        from onnx import TensorProto

        wide = self._do("Unsqueeze", "mask", self._numbers("axes", [1, 2]))
        floats = self._do("Cast", wide, to=TensorProto.FLOAT)
        less = self._do("Sub", floats, self._constant("unit", np.float32(1)))
        return self._do("Mul", less, self._constant("far", np.float32(1e4)))

    def _layer(self, hidden: str, bias: str, name: str) -> str:
        seen = self._linear(self._attended(hidden, bias, name), f"{name}attention.output.dense.")
        hidden = self._normal(self._do("Add", hidden, seen), f"{name}attention.output.")
        inner = self._do("Gelu", self._linear(hidden, f"{name}intermediate.dense."))
        dense = self._linear(inner, f"{name}output.dense.")
        return self._normal(self._do("Add", hidden, dense), f"{name}output.")

    def _attended(self, hidden: str, bias: str, name: str) -> str:
        width = self._model.arrays[f"{name}attention.self.query.bias"].size
        size = width // self._model.heads
        split = self._numbers("split", [0, 0, self._model.heads, size])
        query, key, value = (
            self._do("Reshape", self._linear(hidden, f"{name}attention.self.{part}."), split)
            for part in ("query", "key", "value")
        )
        turned = [self._do("Transpose", part, perm=[0, 2, 1, 3]) for part in (query, value)]
        raw = self._do("MatMul", turned[0], self._do("Transpose", key, perm=[0, 2, 3, 1]))
        scaled = self._do("Mul", raw, self._constant("scale", np.float32(size**-0.5)))
        shares = self._do("Softmax", self._do("Add", scaled, bias), axis=-1)
        seen = self._do("Transpose", self._do("MatMul", shares, turned[1]), perm=[0, 2, 1, 3])
        return self._do("Reshape", seen, self._numbers("joined", [0, 0, width]))

    def _linear(self, states: str, name: str) -> str:
        weight = np.ascontiguousarray(self._model.arrays[f"{name}weight"].T)
        product = self._do("MatMul", states, self._constant(f"{name}weight", weight))
        return self._do("Add", product, self._weight(f"{name}bias"))

    def _normal(self, states: str, name: str) -> str:
        given = (self._weight(f"{name}LayerNorm.{part}") for part in ("weight", "bias"))
        return self._do("LayerNormalization", states, *given, axis=-1, epsilon=self._model.epsilon)

    def _do(self, kind: str, *inputs: str, **options: Any) -> str:
        from onnx import helper

        name = f"{kind}-{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **options))
        return name

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
