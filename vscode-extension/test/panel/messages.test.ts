import assert from "node:assert/strict";
import { test } from "node:test";
import { messageOf } from "../../src/panel/messages";
import { addressOf, columnIn } from "../../src/panel/place";

const place = { path: "a.py", finding: "abc", start: { line: 1, column: 2 }, end: { line: 1, column: 4 } };

test("what the page may ask is understood", () => {
  assert.deepEqual(messageOf({ kind: "ready" }), { kind: "ready" });
  assert.deepEqual(messageOf({ kind: "command", command: "gateline.showLog" }), { kind: "command", command: "gateline.showLog" });
  assert.deepEqual(messageOf({ kind: "choose", folder: "file:///a" }), { kind: "choose", folder: "file:///a" });
  assert.deepEqual(messageOf({ kind: "open", place }), { kind: "open", place });
  assert.deepEqual(messageOf({ kind: "savepoint", action: "restore", id: "s1" }), { kind: "savepoint", action: "restore", id: "s1" });
});

const refused: readonly unknown[] = [
  null,
  "ready",
  {},
  { kind: "explode" },
  { kind: "command", command: "workbench.action.terminal.new" },
  { kind: "command" },
  { kind: "choose", folder: 7 },
  { kind: "savepoint", action: "delete", id: "s1" },
  { kind: "savepoint", action: "restore", id: "" },
  { kind: "savepoint", action: "compare" },
  { kind: "open" },
  { kind: "open", place: { ...place, path: "" } },
  { kind: "open", place: { ...place, path: 5 } },
  { kind: "open", place: { ...place, start: { line: -1, column: 0 } } },
  { kind: "open", place: { ...place, end: { line: 0, column: Number.NaN } } },
];
for (const given of refused) {
  test(`refused: ${JSON.stringify(given)}`, () => assert.equal(messageOf(given), undefined));
}

test("a path stays below its folder", () => {
  assert.deepEqual(addressOf("src/a.py"), { below: ["src", "a.py"] });
  assert.deepEqual(addressOf("src/a..b.py"), { below: ["src", "a..b.py"] });
  for (const path of ["../a.py", "a/../../b.py", "/etc/passwd", "C:/a.py", "..\\a.py"]) assert.equal(addressOf(path), undefined, path);
});

test("a document in no folder goes by its URI", () => {
  assert.deepEqual(addressOf("untitled:Untitled-1"), { uri: "untitled:Untitled-1" });
});

test("columns: from code points to UTF-16 units", () => {
  assert.equal(columnIn("x = '😀😀' + y", 5), 5);
  assert.equal(columnIn("x = '😀😀' + y", 7), 9);
  assert.equal(columnIn("é = 1", 3), 3);
  assert.equal(columnIn("short", 99), 5);
});
