"""What a loop does next: a pure function of its state. The same history has the same step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gateline.refinement.state import FLOOR_CAP, OPEN_CAP, Kind, LoopState, Round, Rules, Step, Verdict, Way

_SAME = 1e-9
_LEAST = 2
"""So many attempts with the same failures are no progress, at least."""
_ACCEPTED = frozenset({"accept", "conditional-accept"})
_ADJUST = frozenset({"adjust-strategy", "warn-below-target"})
NEGATIVE, EXCELLENT = "negative trajectory", "excellent progress"


def checkpoint_of(number: int, rounds: int) -> str:
    """Which checkpoint a round is: `early` at 33 %, `middle` at 66 %, `final` at 100 %; else empty."""
    early, middle = max(1, rounds // 3), max(1, 2 * rounds // 3)
    places = {early: "early", middle: "middle", rounds: "final"}
    return places.get(number, "")


def quality_of(verdict: Verdict, total: int) -> float:
    """The quality of a content, 0-1: its score, as far as tests pass; 0 where it could not be scored.

    `total`: the most tests that were seen in the loop. While a floor is broken, a test fails that counts, or
    the gate is gamed, it stays below what is accepted.
    """
    whole = max(total, verdict.total)
    share = verdict.passed / whole if whole else float(not verdict.open)
    score = 100.0 if verdict.unchanged and verdict.score is None else verdict.score or 0.0
    quality = score / 100 * share * (OPEN_CAP if verdict.open else 1.0)
    return min(quality, FLOOR_CAP if verdict.floors else OPEN_CAP if verdict.integrity else 1.0)


def qualities(state: LoopState) -> list[float]:
    """The quality of each round."""
    return [quality_of(done.verdict, state.total) for done in state.rounds]


def smoothed(values: list[float], alpha: float) -> list[float]:
    """EMA_t = alpha · q_t + (1 - alpha) · EMA_{t-1}; the first is the first quality."""
    found: list[float] = []
    for value in values:
        found.append(alpha * value + (1 - alpha) * found[-1] if found else value)
    return found


def is_acceptable(verdict: Verdict, rules: Rules, total: int) -> bool:
    """Whether a content may be accepted: decided, of enough quality, clean, and with all tests there."""
    is_decided = verdict.outcome in _ACCEPTED or (verdict.unchanged and verdict.passed > 0)
    is_whole = verdict.is_clean and not gone(verdict, total)
    return is_decided and is_whole and quality_of(verdict, total) >= rules.accept


def at_middle(decision: str, verdict: Verdict, rules: Rules, total: int) -> str:
    """What is decided at the middle checkpoint of a loop, where the gate says `decision`.

    To the gate a test that failed at the base is old, and costs nothing: an agent that does nothing would
    stand there with 100. In a loop the goal wants it to pass: it counts as every other (specification, 2.5).
    """
    if decision != "continue":
        return decision
    if len(verdict.open) + gone(verdict, total) > rules.failing * max(total, verdict.total):
        return "adjust-strategy"
    return "warn-below-target" if quality_of(verdict, total) < rules.target else decision


def gone(verdict: Verdict, total: int) -> int:
    """How many tests were seen in the loop, `total` at most, and are neither passed nor failing now.

    A test that failed at the base and is not collected any more is no regression to the gate, and no success:
    of many tests its share of the quality is too small to show.
    """
    return max(0, total - verdict.total)


@dataclass(frozen=True, slots=True)
class _Content:
    """A content that was looked at."""

    tree: str
    verdict: Verdict
    quality: float
    number: int
    """Of the round that left it; 0: the loop began with it."""


def best_of(state: LoopState) -> tuple[str, int]:
    """The tree of the best content, and the number of its round; the start before anything was found."""
    best = _best(state)
    return (best.tree, best.number) if best is not None else (state.tree, 0)


def next_step(state: LoopState) -> Step:
    """What a loop does next, and why."""
    if state.ended is not None:
        return state.ended
    verdict = state.latest
    if state.start is None or verdict is None:
        return Step(Kind.VERIFY, "nothing was looked at yet", tree=state.tree)
    return _end(state, verdict) or _round(state, verdict)


def _end(state: LoopState, verdict: Verdict) -> Step | None:
    rules, done = state.rules, len(state.rounds)
    tree = best_of(state)[0]
    if is_acceptable(verdict, rules, state.total) or _is_excellent(verdict, state):
        return Step(Kind.ACCEPT, _accepted(verdict), tree=state.now)
    if _is_undecided(state, verdict):
        return Step(Kind.UNDECIDED, f"{_accepted(verdict)}, but {_first(verdict)}", tree=state.now)
    if rules.checkpoints and verdict.decision == "fast-fail":
        return Step(Kind.FAST_FAIL, f"{verdict.checkpoint} checkpoint: {_first(verdict)}", tree=tree)
    ema = smoothed(qualities(state), rules.alpha)
    if ema and ema[-1] >= rules.stop:
        return Step(Kind.EARLY_STOP, f"the smoothed quality is {ema[-1]:.2f}", tree=tree)
    if done >= rules.rounds:
        return Step(Kind.BOUND, f"{rules.rounds} rounds are over", tree=tree)
    spent = overspent(state)
    return Step(Kind.BUDGET, spent, tree=tree) if spent else None


def _is_undecided(state: LoopState, verdict: Verdict) -> bool:
    """Whether nothing is left to do but to measure what could not be: another round would not help."""
    is_good = quality_of(verdict, state.total) >= state.rules.accept
    return verdict.outcome == "undecided" and verdict.is_clean and verdict.passed > 0 and is_good


def _is_excellent(verdict: Verdict, state: LoopState) -> bool:
    """Whether a content that came far in short time is good enough not to ask for more."""
    return (
        state.rules.checkpoints
        and verdict.trajectory == EXCELLENT
        and verdict.outcome in _ACCEPTED
        and verdict.is_clean
        and not gone(verdict, state.total)
    )


def _accepted(verdict: Verdict) -> str:
    if verdict.unchanged:
        return f"all {verdict.passed} tests pass, and nothing had to be changed"
    score = "" if verdict.score is None else f", score {verdict.score:g}"
    return f"{verdict.outcome}{score}, {verdict.passed} tests pass"


def _first(verdict: Verdict) -> str:
    return verdict.reasons[0] if verdict.reasons else verdict.decision


def overspent(state: LoopState) -> str:
    """Which budget is used up; empty: none."""
    rules, rounds = state.rules, state.rounds
    seconds = sum(one.seconds for one in rounds)
    tokens = sum(one.tokens for one in rounds)
    cost = sum(one.cost for one in rounds)
    if rules.seconds is not None and seconds >= rules.seconds:
        return f"{seconds:.0f} of {rules.seconds:g} seconds are used"
    if rules.tokens is not None and tokens >= rules.tokens:
        return f"{tokens} of {rules.tokens} tokens are used"
    if rules.cost is not None and cost >= rules.cost:
        return f"{cost:g} of the budget of {rules.cost:g} is spent"
    return ""


def _contents(state: LoopState) -> Iterator[_Content]:
    if state.start is not None:
        yield _Content(state.tree, state.start, quality_of(state.start, state.total), 0)
    for done in state.rounds:
        yield _Content(done.tree, done.verdict, quality_of(done.verdict, state.total), done.number)


def _best(state: LoopState) -> _Content | None:
    """The best content; of equal ones the first, unless a later one fails otherwise."""
    best: _Content | None = None
    for content, is_better in _steps(state):
        best = content if is_better or best is None else best
    return best


def _steps(state: LoopState) -> Iterator[tuple[_Content, bool]]:
    """Each content, and whether it is better than all before it."""
    best: _Content | None = None
    seen: set[tuple[tuple[str, str], ...]] = set()
    for content in _contents(state):
        is_better = best is None or _is_better(content, best, is_new=content.verdict.print not in seen)
        seen.add(content.verdict.print)
        best = content if is_better else best
        yield content, is_better


def _is_better(now: _Content, best: _Content, *, is_new: bool) -> bool:
    """Whether a content is of higher quality, or of the same quality and came further: it fails otherwise."""
    if _spoiled(now, best):
        return False
    if now.quality > best.quality + _SAME:
        return True
    return is_new and now.tree != best.tree and now.quality >= best.quality - _SAME


def _spoiled(now: _Content, best: _Content) -> bool:
    """Whether a content breaks a floor, or games the gate, that the best one does not."""
    return len(now.verdict.floors) > len(best.verdict.floors) or _games(now, best)


def _games(now: _Content, best: _Content) -> bool:
    """Whether a content games the gate in a way that the best one does not."""
    return bool(set(now.verdict.integrity) - set(best.verdict.integrity))


def _round(state: LoopState, verdict: Verdict) -> Step:
    """Another round, or none where every way led to the same."""
    best = _best(state)
    assert best is not None
    since = [done for done in state.rounds if done.number > best.number]
    goes_back, why = _goes_back(state, verdict, best)
    tree = best.tree if goes_back else state.now
    way = _way(state, since, turn=goes_back or _is_adjusted(state.rules, verdict))
    if way is None:
        failing = len(verdict.open)
        told = f"{failing} tests fail as before" if failing else "nothing became better"
        return Step(Kind.NO_PROGRESS, f"{told} after {len(since)} more attempts", tree=best.tree)
    reason = why or (_first(verdict) if verdict.reasons else "the goal is not reached")
    return Step(Kind.RUN, reason, way, tree, restored=tree != state.now)


def _goes_back(state: LoopState, verdict: Verdict, best: _Content) -> tuple[bool, str]:
    """Whether the next round begins at the best content, and why."""
    rules = state.rules
    if not state.rounds or not rules.adjust or best.tree == state.now:
        return False, ""
    if rules.checkpoints and verdict.trajectory == NEGATIVE:
        return True, f"negative trajectory, {verdict.delta:g} points: back to round {best.number}"
    now = _Content(state.now, verdict, quality_of(verdict, state.total), len(state.rounds))
    if _spoiled(now, best):
        what = "it games the gate" if _games(now, best) else "it breaks a floor"
        return True, f"{what}: back to round {best.number}"
    if now.quality < best.quality - rules.drop:
        return True, f"quality fell from {best.quality:.2f} to {now.quality:.2f}: back to round {best.number}"
    return False, ""


def _is_adjusted(rules: Rules, verdict: Verdict) -> bool:
    """Whether a checkpoint asks for another way."""
    is_asked = verdict.decision in _ADJUST or verdict.trajectory == NEGATIVE
    return rules.checkpoints and rules.adjust and is_asked


def _way(state: LoopState, since: list[Round], *, turn: bool) -> Way | None:
    """Who works next; None where all ways were tried since it last became better.

    What made it better goes on; where it did not, the next way takes its turn.
    """
    ways = state.ways
    if not state.rounds:
        return ways[0]
    last = state.rounds[-1].way
    if not since and not turn:
        return last
    tried = {done.way for done in since}
    if len(since) >= _LEAST and tried.issuperset(ways):
        return None
    at = ways.index(last)
    order = [*ways[at + 1 :], *ways[: at + 1]]
    if turn:
        order.sort(key=lambda way: way.agent == last.agent)
    return next((way for way in order if way not in tried), last if len(since) < _LEAST else None)
