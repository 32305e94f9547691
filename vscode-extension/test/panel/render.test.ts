import assert from "node:assert/strict";
import { test } from "node:test";
import { render } from "../../src/panel/render";
import { EMPTY, type State } from "../../src/panel/state";
import { EVALUATION, FAILED, VIEW, finding, withFindings } from "./example";

const drawn = (state: State) => render(state, VIEW);

/** The page as somebody reads it. */
const read = (state: State) =>
  drawn(state)
    .replace(/<(style|title|svg)[\s\S]*?<\/\1>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .replace(/\s+/g, " ")
    .trim();

test("a failed final gate says its score, decision, reasons, evidence and base", () => {
  const text = read(FAILED);
  for (const said of ["Score 59 of 100", "Needs another iteration", "2 broken floors", "evidence 75%", "against merge-base with main"]) {
    assert.ok(text.includes(said), said);
  }
});

test("the breakdown adds up to the sum that is shown, and says what caps it", () => {
  const points = [...drawn(FAILED).matchAll(/<span class="points">([\d.]+)/g)].map(([, value]) => Number(value));
  assert.equal(points.reduce((sum, each) => sum + each, 0).toFixed(1), "82.2");
  assert.ok(read(FAILED).includes("Sum 82.2 , capped at 59 by 2 floors"));
});

test("a dimension shows its value at the base and now, and only what differs", () => {
  const text = read(FAILED);
  assert.match(text, /Security 100 → , now 80 21\.3 of 26\.7 2 new findings/);
  assert.match(text, /Complexity 71\.7 9\.6 of 13\.3/);
  assert.match(text, /Duplication 70\.3 not scored/);
});

test("new findings come by points to win; what the base has is folded up", () => {
  const [shown, folded] = drawn(FAILED).split("In the base already") as [string, string];
  const points = [...(shown.split('data-key="list-new"')[1] ?? "").matchAll(/class="wins"[^>]*>\+([\d.]+)/g)].map(([, each]) => Number(each));
  assert.deepEqual(points, [28.6, 28.6, 5.3, 3.8, 1.7, 1.7]);
  assert.equal(folded.match(/data-key="old-/g)?.length, 2);
});

test("of equal points the more severe comes first, then the place", () => {
  const rows = withFindings(
    finding({ identity: "later", points: 0, severity: "warning", path: "b.py" }),
    finding({ identity: "mild", points: 0, severity: "information", path: "a.py" }),
    finding({ identity: "first", points: 0, severity: "warning", path: "a.py" }),
  );
  assert.deepEqual([...drawn(rows).matchAll(/data-key="new-(\w+)"/g)].map(([, name]) => name), ["first", "later", "mild"]);
});

test("a finding carries all that is needed to jump to it", () => {
  const span = { start: { line: 3, column: 1 }, end: { line: 4, column: 2 } };
  const text = drawn(withFindings(finding({ identity: "abc", path: "a b.py", span })));
  assert.match(text, /<button type="button" class="head" tabindex="0" data-path="a b\.py" data-finding="abc" data-span="3 1 4 2">/);
});

test("of each list one row is in the tab order", () => {
  for (const list of drawn(FAILED).split("data-roving=").slice(1)) {
    const [rows = ""] = list.split("</ol>");
    assert.equal(rows.match(/<button[^>]*tabindex="0"/g)?.length ?? 0, 1);
    assert.ok((rows.match(/<a[^>]*tabindex="0"/g)?.length ?? 0) <= 1);
  }
});

test("hostile text from the workspace stays text", () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror=alert(2)>`;
  const state = {
    ...withFindings(finding({ message: hostile, path: hostile, symbol: hostile, origin: hostile, identity: hostile, page: `javascript:alert(3)` })),
    folders: [{ uri: hostile, name: hostile }, { uri: "b", name: "b" }],
    status: FAILED.status && { ...FAILED.status, problem: hostile },
  };
  const text = drawn(state);
  assert.ok(!/<script|<img|javascript:/.test(text));
  assert.ok(!/\son\w+="/.test(text), "no inline handlers");
  assert.ok(!/\sstyle="/.test(text), "no inline styles: the policy forbids them");
});

test("what was fixed is credit, without a place to jump to", () => {
  const state = { ...FAILED, evaluation: { ...EVALUATION, fixed: [finding({ identity: "gone" })] } };
  const row = /<li data-key="fixed-gone">([\s\S]*?)<\/li>/.exec(drawn(state))?.[1] ?? "";
  assert.ok(row !== "" && !row.includes("<button"));
  assert.ok(read(state).includes("Fixed by this change 1"));
});

test("what was not measured is named with its state and reason", () => {
  assert.match(read(FAILED), /Evidence 75% : the share of the weight that could be measured\. A final decision needs 60%\. Coverage no data not yet measured/);
});

test("a limit that only repeats a state is said once", () => {
  const limits = [...EVALUATION.limits, "big.py: skipped (too large)"];
  const text = read({ ...FAILED, evaluation: { ...EVALUATION, limits } });
  assert.equal(text.match(/not yet measured/g)?.length, 3);
  assert.ok(text.includes("big.py: skipped (too large)"));
});

test("what is undecided says why, and what to do", () => {
  const why = "consent to run tests here was not given yet";
  const step = "allow `python -m pytest` in the editor";
  const decision = {
    outcome: "undecided",
    status: "WARN",
    reasons: [`tests did not run (${why}); ${step}`],
    requiredActions: [{ text: `tests did not run (${why}): ${step}`, points: 0, finding: "", path: "", line: 0, must: true }],
  };
  const text = read({ ...FAILED, evaluation: { ...EVALUATION, decision } });
  const plain = "allow python -m pytest in the editor";
  for (const said of ["Undecided", `tests did not run (${why});`, `Required: Tests did not run (${why}):`]) assert.ok(text.includes(said), said);
  assert.equal(text.replace(/ +/g, " ").split(plain).length, 3);
});

test("floors are marked as required among the steps", () => {
  assert.equal(read(FAILED).match(/Required: Fix GTL3/g)?.length, 2);
});

const states: readonly (readonly [string, State, string])[] = [
  ["a server that starts", EMPTY, "Starting the language server…"],
  ["a first evaluation", { ...FAILED, evaluation: null, status: null, history: [], working: true }, "Judging the change…"],
  ["a server that ended", { ...EMPTY, server: { state: "stopped", message: "It ended 5 times." } }, "gateline does not run It ended 5 times. Restart server"],
  ["nothing changed", { ...FAILED, evaluation: { ...EVALUATION, files: [], limits: [] } }, "Nothing differs from the base (merge-base with main)."],
  ["no base", { ...FAILED, evaluation: { ...EVALUATION, files: [], limits: ["no merge-base: fetch more history"] } }, "no merge-base: fetch more history"],
];
for (const [name, state, said] of states) {
  test(`in words: ${name}`, () => assert.ok(read(state).includes(said), read(state)));
}

test("what could not be judged is said above the verdict before it", () => {
  const status = FAILED.status && { ...FAILED.status, problem: "the worker ended" };
  const text = read({ ...FAILED, status });
  assert.ok(text.indexOf("The worker ended") < text.indexOf("Score 59 of 100"));
});

test("folders can be chosen where there is more than one", () => {
  assert.ok(!drawn(FAILED).includes("<select"));
  const folders = [...FAILED.folders, { uri: "file:///home/me/other", name: "other" }];
  assert.match(drawn({ ...FAILED, folders }), /<option value="file:\/\/\/home\/me\/shop" selected="">shop<\/option>/);
});

test("the announcement changes with the verdict, not with the work", () => {
  const said = (state: State) => /role="status"[^>]*>([^<]*)</.exec(drawn(state))?.[1];
  assert.equal(said(FAILED), "Score 59, Needs another iteration.");
  assert.equal(said({ ...FAILED, working: true }), "Score 59, Needs another iteration.");
});

test("ten thousand findings are a page all the same", () => {
  const many = Array.from({ length: 10_000 }, (_, at) => finding({ identity: String(at), points: 0 }));
  const text = drawn(withFindings(...many));
  assert.ok(text.length < 500_000);
  assert.ok(read(withFindings(...many)).includes("… and 9900 more findings"));
});
