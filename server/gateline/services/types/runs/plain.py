"""An ordinary run of mypy over texts, from a cache or without one."""

from __future__ import annotations

import itertools
import os
from contextlib import AbstractContextManager, nullcontext

from mypy.build import Graph
from mypy.options import Options

from gateline.services.types.messages import Answer, Message, Plain
from gateline.services.types.runs.cache import Cache
from gateline.services.types.runs.overlay import Overlay, put_all
from gateline.services.types.runs.plan import Plan
from gateline.services.types.runs.printed import messages_of
from gateline.services.types.runs.run import Built, build_plainly, refuse_plugins


def run_plainly(request: Plain, *, scratch: str = "", unasked: bool = False) -> Answer:
    """What `mypy` would say. What it reads for texts `alone` is remembered in the folder `scratch`.

    Raises what `Plan.carry_out` does, and SettingsError for plug-ins `unasked`.
    """
    overlay = Overlay(apart=True)
    plan = Plan(request.setup, overlay)
    os.chdir(plan.root)
    paths = put_all(overlay, plan.root, request.texts)
    with _cache(request, scratch) as folder:
        present = sorted(path for path in paths if overlay.exists(path))  # the first has the common cache
        found, checked, graph = _rounds(plan, present, folder, alone=request.alone, unasked=unasked)
    left_out = {plan.relative(p): why for p in present if p not in checked and (why := plan.why_left_out(p))}
    silent = {*map(plan.relative, (*plan.unchecked, *plan.broken)), *left_out}
    said = {name: found.get(name, ()) for name in (*found, *request.texts) if name not in silent}
    unchecked = {plan.relative(path): why for path, why in plan.unchecked.items()}
    limits = plan.limits_of(graph, (os.path.normpath(os.path.join(plan.root, name)) for name in said))
    return Answer(said, left_out, unchecked, limits=plan.limits, limits_of=limits)


def _cache(request: Plain, scratch: str) -> AbstractContextManager[str]:
    if request.alone:
        return nullcontext(scratch or os.devnull)
    cache = Cache(request.setup.cache_dir)
    return cache.to_prime() if request.prime else cache.for_run()


def _rounds(
    plan: Plan, paths: list[str], folder: str, *, alone: bool, unasked: bool
) -> tuple[dict[str, tuple[Message, ...]], frozenset[str], Graph]:
    """Files of one module name cannot be checked in one run: each further one gets a run of its own.

    And a cache of its own, as mypy takes what it remembers of a module for that of any file of this name.
    With the messages: the files that were checked, and the modules of all runs.
    """
    found: dict[str, tuple[Message, ...]] = {}
    checked: frozenset[str] = frozenset()
    graph: Graph = {}
    for number in itertools.count():

        def run(options: Options, paths: list[str] = paths) -> Built:
            if unasked:
                refuse_plugins(options)
            if alone:
                _leave_imports_alone(options)
            sources = (plan.sources if alone else plan.all_sources)(paths, options)
            return build_plainly(sources, options, plan.overlay) if sources else Built([], frozenset())

        own = os.path.join(folder, f"again-{number}") if number and not alone else folder
        built = plan.carry_out(run, own, resident=False)
        found = {**messages_of(built.lines, plan.root, plan.overlay), **found}
        checked |= built.checked
        graph = {**built.graph, **graph}
        left = [path for path in paths if path in plan.unchecked and plan.is_second(path)]
        if not left or len(left) == len(paths):
            break
        for path in left:
            del plan.unchecked[path]
        paths = left
    return found, checked, graph


def _leave_imports_alone(options: Options) -> None:
    """Take what is imported for what it declares, as mypy does with installed packages anyway."""
    options.cache_fine_grained = False  # and no engine will need to know what depends on what
    if options.follow_imports == "normal":
        options.follow_imports = "silent"
