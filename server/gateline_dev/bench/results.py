"""What was measured of one server on one project."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from gateline_dev.bench.processes import Memory
from gateline_dev.bench.samples import Samples


@dataclass
class Result:
    """Everything about one server on one project, over all rounds."""

    server: str
    project: str
    version: str = ""
    pull: bool = False
    """Whether the server wants to be asked for diagnostics."""
    kinds: dict[str, Samples] = field(default_factory=dict)
    memory: dict[str, Memory] = field(default_factory=dict)
    """By moment; of several rounds, the largest."""
    numbers: dict[str, float] = field(default_factory=dict)
    """Single numbers, each with its unit in its name."""
    failures: list[str] = field(default_factory=list)
    """What kept something from being measured."""

    def samples(self, kind: str) -> Samples:
        """Of that kind, begun when there are none."""
        return self.kinds.setdefault(kind, Samples())

    def p50(self, kind: str) -> float | None:
        """The median in milliseconds; None when nothing was measured."""
        return self.kinds[kind].p50 if kind in self.kinds else None

    def p95(self, kind: str) -> float | None:
        """The 95th percentile in milliseconds; None when nothing was measured."""
        return self.kinds[kind].p95 if kind in self.kinds else None

    def remember(self, moment: str, memory: Memory) -> None:
        """Keep it, unless more was used at that moment of an earlier round."""
        known = self.memory.get(moment)
        if known is None or memory.tree > known.tree:
            self.memory[moment] = memory

    def note(self, name: str, value: float) -> None:
        """Keep the larger of this number and an earlier one."""
        self.numbers[name] = max(value, self.numbers.get(name, value))

    def to_json(self) -> dict[str, Any]:
        """Plain data, with the quantiles beside the samples."""
        plain = asdict(self)
        for kind, samples in self.kinds.items():
            plain["kinds"][kind] |= {"p50_ms": samples.p50, "p95_ms": samples.p95}
        return plain
