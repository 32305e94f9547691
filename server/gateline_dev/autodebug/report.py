"""The tables: how much of the corpus is repaired, beside what is wanted and what others reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from gateline_dev.autodebug.scoring import Scored

MIX: Mapping[str, int] = {"syntax": 30, "type": 25, "name": 20, "none": 15, "import": 10}
"""How common the families are, in percent."""
TARGETS: Mapping[str, int] = {"syntax": 92, "type": 78, "name": 90, "none": 76, "import": 97}
"""The least share of clean repairs, in percent."""
OVERALL = 86
OTHERS: Mapping[str, Sequence[float]] = {
    "pyfix-debugger 3.1.0": (12, 0, 4, 0, 0, 4.4),
    "2to3": (6, 0, 4, 0, 6, 3.2),
    "autofixai 0.4.1": (0, 0, 4, 0, 4, 1.2),
    "autopep8 2.3 -a -a": (4, 0, 0, 0, 0, 1.2),
    "ruff 0.17.5 --unsafe-fixes": (0, 0, 0, 0, 12, 1.2),
    "pyupgrade 3.22": (0, 0, 0, 0, 12, 1.2),
    "pyflyby 1.11": (0, 0, 2, 0, 6, 1.0),
    "autoimport 1.6.1": (0, 0, 0, 0, 6, 0.6),
    "pyrepair 1.0.0": (2, 0, 0, 0, 0, 0.6),
}
"""Clean repairs in percent, in the order of `MIX`, and weighted: by the same scorer, 50 cases of each."""
_LOGIC = "logic"


def report(rows: Sequence[Scored]) -> str:
    """The page, in Markdown."""
    known = [row for row in rows if row.category in MIX]
    return "\n".join([*_rates(known), "", *_parts(rows), "", *_beside(known), "", *_harm(rows)])


def _rates(rows: Sequence[Scored]) -> Iterator[str]:
    yield ("| family | cases | fixed | clean | wanted | exact | harm | V1 | V2 | V3 | p50 s | p95 s |")
    yield "|---|---|---|---|---|---|---|---|---|---|---|---|"
    for name in MIX:
        yield from _row(name, [row for row in rows if row.category == name], f"{TARGETS[name]} %")
    yield from _row("all", rows, "")
    weighted = _weighted(rows)
    yield ""
    yield f"Clean, weighted by {_mix()}: {weighted:.1f} % (wanted {OVERALL} %)."
    yield "Times are of all cases, from the command's start to its end."


def _row(name: str, rows: Sequence[Scored], wanted: str) -> Iterator[str]:
    if not rows:
        return
    times = [_quantile([row.seconds for row in rows], share) for share in (0.5, 0.95)]
    proofs = [sum(row.proof == proof for row in rows) for proof in ("V1", "V2", "V3")]
    shares = [_share(rows, lambda row: row.fixed), _share(rows, lambda row: row.clean)]
    exact = _share(rows, lambda row: row.exact)
    harm = sum(bool(row.harm) for row in rows)
    cells = [name, len(rows), *shares, wanted, exact, harm, *proofs, *times]
    yield f"| {' | '.join(map(str, cells))} |"


def _quantile(seconds: Sequence[float], share: float) -> str:
    found = sorted(seconds)[min(int(len(seconds) * share), len(seconds) - 1)]
    return f"{found:.1f}"


def _share(rows: Sequence[Scored], holds: Callable[[Scored], bool]) -> str:
    return f"{100 * sum(map(holds, rows)) / len(rows):.1f} %" if rows else "-"


def _parts(rows: Sequence[Scored]) -> Iterator[str]:
    yield "| corpus | family | cases | clean | exact |"
    yield "|---|---|---|---|---|"
    for corpus in ("mutation", "wild"):
        mine = [row for row in rows if row.corpus == corpus]
        for name in (*MIX, _LOGIC):
            some = [row for row in mine if row.category == name]
            if some:
                clean, exact = _share(some, lambda row: row.clean), _share(some, lambda row: row.exact)
                yield f"| {corpus} | {name} | {len(some)} | {clean} | {exact} |"
        known = [row for row in mine if row.category in MIX]
        if known:
            yield f"| {corpus} | weighted | {len(known)} | {_weighted(known):.1f} % | |"


def _weighted(rows: Sequence[Scored]) -> float:
    """By the mix, of those families of which there are cases."""
    clean = {name: [row.clean for row in rows if row.category == name] for name in MIX}
    there = {name: cells for name, cells in clean.items() if cells}
    total = sum(MIX[name] for name in there) or 1
    return 100 * sum(MIX[name] * sum(cells) / len(cells) for name, cells in there.items()) / total


def _beside(rows: Sequence[Scored]) -> Iterator[str]:
    yield "Others, by the same scorer on 249 of these cases (clean, in percent):"
    yield ""
    yield f"| | {' | '.join(MIX)} | weighted |"
    yield f"|---|{'---|' * (len(MIX) + 1)}"
    mine = [_share([row for row in rows if row.category == name], lambda row: row.clean) for name in MIX]
    yield f"| gateline | {' | '.join(mine)} | {_weighted(rows):.1f} % |"
    for name, cells in OTHERS.items():
        yield f"| {name} | {' | '.join(f'{cell:g} %' for cell in cells)} |"


def _harm(rows: Sequence[Scored]) -> Iterator[str]:
    harmed = [row for row in rows if row.harm]
    kinds = Counter(kind for row in harmed for kind in row.harm)
    yield f"Harm: {len(harmed)} of {len(rows)}." + (f" {dict(kinds)}" if kinds else "")
    yield from (f"- {row.id}: {', '.join(row.harm)}" for row in harmed)


def _mix() -> str:
    return "/".join(map(str, MIX.values()))
