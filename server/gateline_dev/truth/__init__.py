"""Truth harness: changes of real projects, judged by their own pytest and by `gateline check`."""
