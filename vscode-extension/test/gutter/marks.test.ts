import assert from "node:assert/strict";
import { test } from "node:test";
import { marks, NONE, type Kind, type Marks } from "../../src/gutter/marks";
import type { CoverageResult } from "../../src/protocol";

const RESULT: CoverageResult = {
  version: 3,
  state: "measured",
  reason: "",
  covered: [1, 2, 4],
  uncovered: [6],
  stale: [],
  branches: [
    { line: 2, message: "line 3 didn't jump to line 7" },
    { line: 2, message: "line 3 didn't exit" },
  ],
};

const lines = (shown: Marks, kind: Kind) => shown[kind].map(({ line }) => line);

test("a covered line with a missing branch is only partly covered, and says which", () => {
  const shown = marks(RESULT, 3);
  assert.deepEqual(lines(shown, "covered"), [1, 4]);
  assert.deepEqual(shown.partial, [
    { line: 2, message: "Tests miss a branch: line 3 didn't jump to line 7; line 3 didn't exit." },
  ]);
  assert.deepEqual(lines(shown, "uncovered"), [6]);
  assert.deepEqual(lines(shown, "stale"), []);
});

test("stale lines are neither covered nor uncovered", () => {
  const shown = marks({ ...RESULT, covered: [], uncovered: [], branches: [], stale: [5] }, 3);
  assert.deepEqual(lines(shown, "stale"), [5]);
  assert.deepEqual([...shown.covered, ...shown.uncovered, ...shown.partial], []);
});

for (const version of [2, 4, null]) {
  test(`an answer about version ${version} says nothing of version 3`, () => {
    assert.equal(marks({ ...RESULT, version }, 3), NONE);
  });
}
