"""Fits the calibrated confidence on a file of a corpus, and writes its coefficients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gateline.ranking.confidence import features
from gateline.ranking.logistic import Numbers
from gateline.ranking.order import ordered
from gateline.ranking.values import Strategy
from gateline_dev.ranking.corpus import CodeTask, Drawn
from gateline_dev.ranking.logistic import fitted
from gateline_dev.ranking.scoring import picked

SIZES = (2, 4, 8, 16)
"""Of the pools that are fitted: what `gateline compare` may be given."""
_FILE = Path(__file__).parents[2] / "gateline" / "ranking" / "calibration.py"
_TEXT = '''"""Coefficients of the confidence. Written by `gateline_dev.ranking --calibrate FILE`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

INTERCEPT = {intercept}
COEFFICIENTS: Mapping[str, float] = MappingProxyType(
    {{
{rows}
    }}
)
"""By the name of a feature; fitted on {pools} pools of {tasks} tasks."""
'''


@dataclass(frozen=True)
class Table:
    """Features of many pools, and the chance that the first place is right."""

    names: tuple[str, ...]
    rows: Numbers
    right: Numbers
    tasks: tuple[str, ...]


def table(pools: Sequence[Drawn]) -> Table:
    """What the confidence would be told by, pool by pool."""
    found = [features(one.pool, ordered(one.pool, Strategy.EVIDENCE)[0].candidate) for one in pools]
    names = tuple(found[0])
    rows = np.array([[one[name] for name in names] for one in found])
    right = np.array([picked(one, Strategy.EVIDENCE) for one in pools])
    return Table(names, rows, right, tuple(one.task for one in pools))


def calibrate(tasks: Sequence[CodeTask]) -> str:
    """Fit all weak tasks, write the module, and say what was written."""
    pools = [drawn for task in tasks if task.is_weak for size in SIZES for drawn in task.drawn(size)]
    known = table(pools)
    intercept, *slopes = (round(float(value), 4) for value in fitted(known.rows, known.right))
    rows = "\n".join(f'        "{name}": {value},' for name, value in zip(known.names, slopes, strict=True))
    text = _TEXT.format(intercept=intercept, rows=rows, pools=len(pools), tasks=len(set(known.tasks)))
    _FILE.write_text(text, encoding="utf-8")
    return f"{_FILE.name}: {len(pools)} pools of {len(set(known.tasks))} tasks"
