import assert from "node:assert/strict";
import { test } from "node:test";
import { choices, leftAlone, outcome, type Restored } from "../../src/restoring/steps";

const restored = (applied: boolean, ...steps: readonly [string, string, string][]): Restored => ({
  applied,
  savepoint: "s1",
  now: "s2",
  steps: steps.map(([path, action, conflict]) => ({ path, action, conflict })),
});

test("what is left alone cannot be chosen", () => {
  const shown = restored(false, ["a.py", "change", ""], ["b.py", "delete", "it is a link"]);
  assert.deepEqual(choices(shown), [{ label: "a.py", description: "change", picked: true, path: "a.py" }]);
  assert.equal(leftAlone(shown), "Left alone: b.py (it is a link)");
});

for (const [steps, said] of [
  [[], ""],
  [[["a.py", "change", ""]], ""],
  [[["a.py", "change", "x"], ["b.py", "change", "y"], ["c.py", "change", "z"]], "Left alone: a.py (x) and 2 more"],
] as const) {
  test(`told of ${steps.length} files: ${said}`, () => assert.equal(leftAlone(restored(false, ...(steps as unknown as [string, string, string][]))), said));
}

test("what became of it", () => {
  assert.equal(outcome(restored(false, ["a.py", "change", ""])), "Nothing was restored.");
  assert.equal(outcome(restored(true, ["a.py", "change", ""])), "1 file is as it was; undo takes it back, and so does savepoint s2.");
  assert.equal(outcome(restored(true, ["a.py", "change", ""], ["b.py", "create", ""])), "2 files are as they were; undo takes it back, and so does savepoint s2.");
});
