"""What columns and rows of numbers are called here. numpy is imported with this module."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int32]
Mask = NDArray[np.bool_]
Scores = NDArray[np.float32]
