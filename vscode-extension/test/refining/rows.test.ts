import assert from "node:assert/strict";
import { test } from "node:test";
import { loopRow, roundRow, stepRow, withLoop } from "../../src/refining/rows";
import type { LoopResult, RoundResult } from "../../src/protocol";

const round = (more: Partial<RoundResult> = {}): RoundResult => ({
  number: 1, agent: "autodebug", strategy: "cheapest", quality: 0.811, ema: 0.81, score: 96, checkpoint: "", decision: "", trajectory: "",
  passed: 11, failing: [], floors: [], integrity: [], changed: ["cart.py"], restored: false, reasoning: "", trouble: "", step: "", insufficient: [], mergedWith: [], seconds: 4, tokens: 0, cost: 0,
  ...more,
});
const loop = (more: Partial<LoopResult> = {}): LoopResult => ({
  loop: "l1", folder: "file:///shop", goal: "make the tests pass", phase: "running", step: "round 2: autodebug", trouble: "", troubles: [], begunAt: "",
  most: 20, failing: 2, quality: 0.7, rounds: [round()], end: "", reason: "", accepted: false, best: 1,
  ...more,
});
const fails = { test: "test_cart.py::test_total", error: "KeyError: 'price'", place: "cart.py:3" };

for (const [name, given, description, icon] of [
  ["that runs", loop(), "running · 0.81 · 1 of 20 rounds", "sync~spin"],
  ["that just began", loop({ rounds: [], failing: null }), "running · 0 of 20 rounds", "sync~spin"],
  ["that rests", loop({ phase: "paused", step: "" }), "paused · 0.81 · 1 of 20 rounds", "debug-pause"],
  ["that was accepted", loop({ phase: "ended", end: "accept", accepted: true }), "accepted · 0.81 · 1 of 20 rounds", "pass"],
  ["that got nowhere", loop({ phase: "ended", end: "no-progress" }), "no-progress · 0.81 · 1 of 20 rounds", "circle-slash"],
] as const) {
  test(`a loop ${name}`, () => {
    const row = loopRow(given);
    assert.deepEqual([row.description, row.icon, row.kind], [description, icon, `loop-${given.phase}`]);
  });
}

for (const [name, given, description, icon] of [
  ["that is good", round(), "0.81 · tests pass · best · autodebug cheapest", "pass"],
  ["with a failing test", round({ failing: [fails], checkpoint: "middle", decision: "continue" }), "0.81 · 1 test fails · best · autodebug cheapest · middle: continue", "warning"],
  ["that was taken back", round({ restored: true, number: 2, failing: [fails, fails] }), "0.81 · 2 tests fail · taken back · autodebug cheapest", "discard"],
  ["that games the gate", round({ integrity: ["a test is removed"], number: 2 }), "0.81 · tests pass · autodebug cheapest", "shield"],
  ["whose agent crashed", round({ trouble: "it ended with 1", number: 2, changed: [] }), "0.81 · tests pass · autodebug cheapest", "error"],
] as const) {
  test(`a round ${name}`, () => {
    const row = roundRow(given, loop());
    assert.deepEqual([row.label, row.description, row.icon], [`Round ${given.number}`, description, icon]);
    assert.equal(row.kind, given.changed.length > 0 ? "round-changed" : "round");
  });
}

test("why a round is not accepted is told", () => {
  const { tooltip } = roundRow(round({ integrity: ["a test is removed"], failing: Array(7).fill(fails) as RoundResult["failing"] }), loop());
  assert.ok(tooltip.includes("not accepted: a test is removed"));
  assert.ok(tooltip.includes("fails: test_cart.py::test_total: KeyError: 'price'"));
  assert.ok(tooltip.includes("and 2 more"));
});

test("what a loop does without is counted, and told", () => {
  const row = loopRow(loop({ troubles: ["a round begins without lessons: the disk is full"] }));
  assert.equal(row.description, "running · 0.81 · 1 of 20 rounds · 1 trouble");
  assert.ok(row.tooltip.includes("a round begins without lessons: the disk is full"));
});

test("a round of a plan names its step, what it was merged with, and why it is not sufficient", () => {
  const row = roundRow(round({ step: "2", mergedWith: ["1"], insufficient: ["conflict.lost: shared.py"] }), loop());
  assert.deepEqual([row.label, row.icon], ["Round 1, step 2", "warning"]);
  assert.equal(row.description, "0.81 · tests pass · best · merged with step 1");
  assert.ok(row.tooltip.includes("not sufficient: conflict.lost: shared.py"));
});

test("what is done now is told while somebody does it", () => {
  assert.equal(stepRow(loop())?.label, "round 2: autodebug");
  assert.equal(stepRow(loop({ phase: "pausing" }))?.description, "pauses after this round");
  assert.equal(stepRow(loop({ phase: "paused" })), undefined);
  assert.equal(stepRow(loop({ step: "" })), undefined);
});

test("a loop takes its own place, and a new one the first", () => {
  const two = withLoop([loop()], loop({ loop: "l2" }));
  assert.deepEqual(two.map((one) => one.loop), ["l2", "l1"]);
  assert.deepEqual(withLoop(two, loop({ phase: "paused" })).map((one) => one.phase), ["running", "paused"]);
});
