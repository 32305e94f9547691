import assert from "node:assert/strict";
import { test } from "node:test";
import type { StatusParams } from "../../src/protocol";
import { shown, starting, stopped } from "../../src/status/status";
import { toneOf, trajectoryIn } from "../../src/status/words";
import { FAILED } from "../panel/example";

const failed = FAILED.status ?? assert.fail("the example has a status");
const status = (over: Partial<StatusParams>): StatusParams => ({ ...failed, ...over });
const calm = { floors: [], status: "PASS", decision: "continue", checkpoint: "early" };

test("the text is the server's", () => {
  assert.equal(shown(failed).text, "GL 59");
});

test("error for a failed final gate, warning for a floor, nothing else", () => {
  assert.equal(shown(failed).background, "error");
  assert.equal(shown(status({ checkpoint: "middle", status: "WARN" })).background, "warning");
  assert.equal(shown(status({ ...calm, decision: "fast-fail", status: "FAIL" })).background, "none");
  assert.equal(shown(status({ ...calm, checkpoint: "final", decision: "undecided", status: "WARN" })).background, "none");
  assert.equal(shown(status({ ...calm, checkpoint: "final", decision: "accept" })).background, "none");
});

test("an integrity finding that caps the score is told as a floor is", () => {
  const capped = shown(status({ ...calm, score: 84, floors: [], caps: ["GTL605 in test_cart.py"], delta: null }));
  assert.equal(capped.background, "warning");
  assert.ok(capped.tooltip.includes("**Capped at 84** by 1 integrity finding"));
  assert.equal(capped.label, "gateline: score 84 of 100, Continue, 1 integrity finding, evidence 75%");
  assert.ok(shown(status({ caps: ["GTL605 in test_cart.py"] })).tooltip.includes("by 2 broken floors and 1 integrity finding"));
  assert.equal(shown(status({ ...calm, caps: [] })).background, "none");
});

test("what is undecided says why and what to do, once", () => {
  const why = "consent to run tests here was not given yet";
  const step = "allow `python -m pytest` in the editor";
  const action = { text: `tests did not run (${why}): ${step}`, points: 0, finding: "", path: "", line: 0, must: true };
  const tests = { ...(failed.tests ?? assert.fail()), run: 0, total: 0, state: "no data", reason: why, nextStep: step };
  const { tooltip } = shown(
    status({ ...calm, label: "GL ?", checkpoint: "final", decision: "undecided", reasons: [`tests did not run (${why}); ${step}`], tests, requiredActions: [action], limits: [] }),
  );
  for (const part of ["Undecided", "Tests did not run", "in the editor", "**Next**"]) assert.ok(tooltip.includes(part), part);
  assert.ok(!tooltip.includes("no test ran"));
  const short = { decision: "undecided", checkpoint: "final", reasons: ["evidence 55% is below 60%"], requiredActions: [] };
  assert.ok(shown(status(short)).tooltip.includes("Evidence 55\\% is below 60\\%"));
  assert.ok(!shown(status({ ...calm, reasons: ["score 80 is below 85"] })).tooltip.includes("below 85"));
});

test("why tests did not run is told once, beside what else was not measured", () => {
  const why = "consent to run tests here was not given yet";
  const tests = { ...(failed.tests ?? assert.fail()), run: 0, total: 0, state: "no data", reason: why, nextStep: "" };
  const { tooltip } = shown(status({ ...calm, tests, limits: [`tests did not run (${why})`, "ruff's settings were not understood"] }));
  assert.equal(tooltip.split(why).length, 2);
  assert.ok(tooltip.includes("settings were not understood"));
  assert.ok(shown(status({ ...calm, tests: null, limits: [`tests did not run (${why})`] })).tooltip.includes(why));
});

test("how the score moved since early stands in the tooltip, and is heard", () => {
  const moved = { delta: -30, name: "negative trajectory", advice: ["revert_last_changes", "different_agent_type"], focus: null };
  const look = shown(status({ trajectory: moved }));
  assert.ok(look.tooltip.includes("Negative trajectory\\: 30 points lost from early to middle\\; roll back to the last good savepoint"));
  assert.ok(look.label.includes("Negative trajectory: 30 points lost"));
  const slight = { delta: -6.7, name: "slight degradation", advice: ["increase_test_weight"], focus: "coverage" };
  assert.equal(trajectoryIn(slight), "Slight degradation: 6.7 points lost from early to middle; focus on the weakest dimension, coverage (increase_test_weight)");
  const fast = { delta: 40, name: "excellent progress", advice: ["increase_iterations"], focus: null };
  assert.equal(trajectoryIn(fast), "Excellent progress: 40 points gained from early to middle; continue at a faster pace (increase_iterations)");
  assert.equal(trajectoryIn({ ...moved, advice: [] }), "Negative trajectory: 30 points lost from early to middle");
  assert.equal(trajectoryIn({ delta: 2, name: "steady", advice: [], focus: null }), "");
  assert.equal(trajectoryIn(null), "");
});

test("while somebody types nothing is red", () => {
  assert.equal(toneOf("fast-fail", "FAIL", "early"), "warn");
  assert.equal(toneOf("require-iteration", "FAIL", "final"), "fail");
  assert.equal(toneOf("undecided", "WARN", "final"), "unknown");
});

test("the tooltip has the breakdown, whose points add up", () => {
  const { tooltip } = shown(failed);
  assert.match(tooltip, /\| security \| &nbsp;&nbsp;100&nbsp;→&nbsp;80 \| &nbsp;&nbsp;21\\\.3&nbsp;of&nbsp;26\\\.7 \|/);
  const points = [...tooltip.matchAll(/&nbsp;([\d.]+)\\\.(\d)&nbsp;of/g)].map(([, whole, tenth]) => Number(`${whole}.${tenth}`));
  assert.equal(points.reduce((sum, each) => sum + each, 0).toFixed(1), "82.2");
  assert.match(tooltip, /\*\*82\.2\*\*/);
});

test("the tooltip has decision, evidence, floors, what is next, and what was not measured and why", () => {
  const { tooltip } = shown(failed);
  for (const part of ["Needs another iteration", "2 of 220 tests affected\\: 2 execute total in cart\\.py", "evidence 75", "**Capped at 59** by 2 broken floors", " (+28.6)", "coverage\\: no data \\(not yet measured\\)"]) {
    assert.ok(tooltip.includes(part), part);
  }
});

test("a limit that only repeats a state is said once", () => {
  assert.equal(shown(failed).tooltip.match(/coverage\\: no data/g)?.length, 1);
});

test("what the code says is no Markdown", () => {
  const hostile = "[click](command:evil) ![](https://evil.example/x.png) <img src=x> | `code` $(bug)\n# head";
  const hostileStep = { text: hostile, points: 1, finding: "", path: hostile, line: 0, must: false };
  const { tooltip } = shown(status({ reasons: [hostile], requiredActions: [hostileStep], limits: [hostile], baseLabel: hostile }));
  assert.ok(!tooltip.includes('](command:evil') && !tooltip.includes('![]') && !/[^\\]<img/.test(tooltip));
  assert.ok(!/^# head/m.test(tooltip) && !tooltip.includes('https://'));
  for (const [, target] of tooltip.matchAll(/[^\\]\]\(([^)]*)\)/g)) assert.match(target ?? "", /^command:gateline\.\w+$/);
});

test("work is shown over what was known before it", () => {
  const first = status({ working: true, label: "GL …", score: null, states: [] });
  assert.deepEqual([shown(first).text, shown(first).background], ["GL …", "none"]);
  const again = shown(status({ working: true, label: "GL 59 …" }), failed);
  assert.deepEqual([again.text, again.background], ["GL 59 …", "warning"]);
  assert.ok(again.tooltip.includes("Needs another iteration"));
  assert.ok(again.label.startsWith("gateline: judging the change; before: score 59 of 100"));
});

test("nothing changed, an unknown change, and one that could not be judged are three things", () => {
  assert.match(shown(status({ changed: false, limits: [] })).tooltip, /^Nothing changed, against merge\\-base with main\./);
  assert.match(shown(status({ changed: false, limits: ["no base"] })).tooltip, /\*\*The change is not known\*\*\n\n- no base/);
  assert.match(shown(status({ problem: "the worker ended" })).tooltip, /\*\*The change could not be judged\*\*\n\nthe worker ended/);
});

test("what a screen reader says", () => {
  assert.equal(shown(failed).label, "gateline: score 59 of 100, Needs another iteration, 2 broken floors, evidence 75%");
  assert.equal(shown(status({ ...calm, score: 86, delta: 3 })).label, "gateline: score 86 of 100, up 3, Continue, evidence 75%");
  assert.equal(shown(status({ changed: false, limits: [] })).label, "gateline: nothing changed");
  assert.equal(starting().label, "gateline: starting");
  assert.equal(stopped("no Python").label, "gateline does not run: no Python");
});
