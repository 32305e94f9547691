"""An embedder that writes down what it embedded, takes its time, or dies: `LOG SECONDS DIES`."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gateline.services import far
from gateline.services.embedding.far import Embedder
from gateline.services.embedding.requests import Embed

LOG, SECONDS, DIES = Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3] == "dies"


class Scripted(Embedder):
    def answer(self, request: Any) -> Iterator[Any]:
        if isinstance(request, Embed):
            if DIES:
                os._exit(3)
            time.sleep(SECONDS)
            with LOG.open("a", encoding="utf-8") as log:
                log.writelines(f"{text}\n" for text in request.texts)
        yield from super().answer(request)


if __name__ == "__main__":
    far.serve(Scripted().answer)
