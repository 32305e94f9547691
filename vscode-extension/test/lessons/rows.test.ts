import assert from "node:assert/strict";
import { test } from "node:test";
import { heading, lessonRow, placeOf, stored } from "../../src/lessons/rows";
import type { LessonResult } from "../../src/protocol";

const lesson = (more: Partial<LessonResult> = {}): LessonResult => ({
  id: "3f9c", version: 2, text: "Never sum twice", tags: ["money"], anchor: { file: "cart.py", symbol: "total", rule: "" }, source: "person",
  createdAt: "", updatedAt: "", uses: 0, helped: 0, stale: "", why: [],
  ...more,
});

for (const [name, given, description, icon] of [
  ["of a place", lesson(), "cart.py:total", "lightbulb"],
  ["of nothing in particular", lesson({ anchor: { file: "", symbol: "", rule: "" } }), "", "lightbulb"],
  ["of a rule", lesson({ anchor: { file: "", symbol: "", rule: "GTL301" } }), "GTL301", "lightbulb"],
  ["of a regression", lesson({ tags: ["eval-failure", "regression"] }), "cart.py:total", "warning"],
  ["whose place is gone", lesson({ stale: "cart.py is gone" }), "cart.py:total · stale: cart.py is gone", "circle-slash"],
  ["that answers", lesson({ why: ["same words"] }), "cart.py:total · same words", "lightbulb"],
] as const) {
  test(`a lesson ${name}`, () => {
    const row = lessonRow(given);
    assert.deepEqual([row.label, row.description, row.icon], ["Never sum twice", description, icon]);
  });
}

test("its uses and its source are told", () => {
  assert.deepEqual(lessonRow(lesson({ uses: 3, helped: 1 })).tooltip, ["Never sum twice", "cart.py:total", "money", "person, version 2", "used 3×, helped 1×"]);
});

test("a long lesson is cut in its row and whole in its tooltip", () => {
  const text = `${"word ".repeat(60)}\nsecond line`;
  const row = lessonRow(lesson({ text }));
  assert.equal(row.label.length, 121);
  assert.equal(row.tooltip[0], text);
});

test("a place with all of its parts", () => {
  assert.equal(placeOf(lesson({ anchor: { file: "cart.py", symbol: "total", rule: "GTL301" } })), "cart.py:total GTL301");
});

test("what became of a note is told", () => {
  assert.deepEqual(
    [stored("noop", ""), stored("create", ""), stored("update", "Sum once")],
    ["This is already known.", "Remembered.", "Remembered as a new version; before: Sum once"],
  );
});

test("what is shown is told", () => {
  assert.deepEqual(
    [heading("", 0), heading("", 3), heading("rounding", 0), heading("rounding", 2)],
    ["Nothing has been remembered yet.", "", "No lesson answers “rounding”", "2 for “rounding”"],
  );
});
