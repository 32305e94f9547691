import assert from "node:assert/strict";
import { test } from "node:test";
import { choices, refusal, sentOf, taskProblem } from "../../src/comparing/choices";
import { page } from "../../src/comparing/page";
import type { ComparedResult, RowResult } from "../../src/protocol";

const row = (name: string, place: number, more: Partial<RowResult> = {}): RowResult => ({
  name, place, score: 0.94, evidence: 0.9, blocked: [], strengths: [], weaknesses: [],
  stages: [{ stage: "visible tests", value: 1, told: "4 of 4 tests of the task" }, { stage: "behavioural agreement", value: null, told: "not measured" }],
  categories: [{ category: "correctness", value: 1, measured: ["tests"], missing: [] }],
  ...more,
});
const compared = (winner: string, rows: RowResult[], more: Partial<ComparedResult["result"]> = {}): ComparedResult => ({
  comparison: "c1", folder: "file:///shop", markdown: "", trouble: "",
  result: {
    version: 1, base: "c".repeat(40), given: rows.map(({ name }) => ({ name, kind: "commit", tree: "t", changed: ["cart.py"], start: "", ahead: 0 })),
    leftOut: [], notes: [], difference: null, shared: { commit: "", count: 0 }, exchanged: [], assessments: [], task: null, knownSince: "", refusedBy: {}, finalAfter: "checks",
    ranking: {
      strategy: "evidence", isolation: "landlock", winner, why: "visible tests: 4 against 2", deciding: winner === "" ? ["a test of ties"] : [],
      confidence: { formula: 0.5, calibrated: 0.81, shipped: null }, acceptance: { accepted: false, reasons: ["it is switched off"] }, rows,
      duels: [{ first: "one", second: "two", stage: "visible tests", reason: "4 of 4 against 2 of 4", categories: [{ category: "correctness", winner: "one", difference: 0.5 }] }],
    },
    ...more,
  },
});
const sources = { origin: "vscode-resource:", style: "panel.css" };
const shown = (given: ComparedResult): string => page(given, sources);

test("the answer stands above the candidates, each with what can be done", () => {
  const text = shown(compared("one", [row("one", 1, { strengths: ["passes all"] }), row("two", 2, { weaknesses: ["fails 2 of 4"] })]));
  assert.match(text, /<h1>Take one<\/h1>/);
  assert.match(text, /confidence 81% \(by formula 50%\)/);
  assert.match(text, /class="candidate winner" aria-label="one"/);
  assert.match(text, /<dt>visible tests<\/dt><dd>4 of 4 tests of the task<\/dd>/);
  assert.doesNotMatch(text, /behavioural agreement/);
  assert.match(text, /<li class="strength">passes all<\/li>/);
  assert.match(text, /<li class="weakness">fails 2 of 4<\/li>/);
  assert.match(text, /href="command:gateline.candidateDiff\?%5B%22two%22%5D">Show Changes/);
  assert.match(text, /<td>one<\/td><td>before<\/td><td>two<\/td><td title="correctness: one">4 of 4 against 2 of 4<\/td>/);
});

test("without a winner nothing is proposed, and what would decide is told", () => {
  const text = shown(compared("", [row("one", 1), row("two", 1)]));
  assert.match(text, /<h1>No clear winner<\/h1>/);
  assert.match(text, /It would decide: a test of ties/);
  assert.doesNotMatch(text, /class="primary"/);
});

test("a blocked candidate says why, and nothing of its stages", () => {
  const text = shown(compared("one", [row("one", 1), row("two", 2, { blocked: [{ check: "tests", reason: "passed at the base: test_a" }], stages: [{ stage: "regressions", value: 0, told: "0" }] })]));
  assert.match(text, /<p class="weakness">tests: passed at the base: test_a<\/p>/);
  assert.doesNotMatch(text, /<dt>regressions/);
});

test("names and code of candidates are text, and no script may run", () => {
  const evil = '"><script>alert(1)</script>';
  const difference = { call: "f('<b>')", path: "f.py", answers: { [evil]: "<i>", two: "2" }, test: "assert f() == '</pre><script>'" };
  const text = shown(compared(evil, [row(evil, 1), row("two", 2)], { difference }));
  assert.doesNotMatch(text, /<script|<b>|<i>/);
  assert.match(text, /default-src &#39;none&#39;; style-src vscode-resource:;/);
  const links = [...text.matchAll(/href="command:[^"]*"/g)].map(([link]) => link);
  assert.ok(links.every((link) => /^href="command:gateline\.\w+(\?[\w%.!~*'()-]*)?"$/.test(link)), links.join("\n"));
});

test("what can be compared is told with what it is", () => {
  const found = choices([
    { name: "main", kind: "branch", detail: "Add totals", current: true },
    { name: "stash@{0}", kind: "stash entry", detail: "WIP on main", current: false },
    { name: "/shop-2", kind: "folder", detail: "", current: false },
  ]);
  assert.deepEqual(found.map(({ label, description }) => [label, description]), [
    ["$(git-branch) main", "checked out · Add totals"], ["$(archive) stash@{0}", "WIP on main"], ["$(folder) /shop-2", ""],
  ]);
});

test("two to sixteen can be compared", () => {
  assert.deepEqual([1, 2, 16, 17].map(refusal), ["1 chosen: 2 to 16 candidates can be compared.", undefined, undefined, "17 chosen: 2 to 16 candidates can be compared."]);
});

test("the page offers to have its candidates assessed", () => {
  assert.match(shown(compared("one", [row("one", 1), row("two", 2)])), /href="command:gateline.assessCandidates\?%5B%22shown%22%5D">Assess with a Model…/);
});

test("a task is wanted, and not too long", () => {
  assert.deepEqual(["", " ", "a", "a".repeat(4_000), "a".repeat(4_001)].map(taskProblem), [
    "A model has to know what was to be done.", "A model has to know what was to be done.", undefined, undefined, "4001 characters: 4000 can be sent.",
  ]);
});

test("what is sent is told before it is", () => {
  assert.match(sentOf(3), /the task that you wrote, .* the Python lines that 3 candidates add/);
});
