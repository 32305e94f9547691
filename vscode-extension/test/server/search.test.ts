import assert from "node:assert/strict";
import { test } from "node:test";
import { candidates, isInside, safePath } from "../../src/server/search";

const INSIDE: readonly [candidate: string, folder: string, expected: boolean][] = [
  ["/w", "/w", true],
  ["/w/bin", "/w", true],
  ["/w/..bin", "/w", true],
  ["/wide", "/w", false],
  ["/", "/w", false],
  ["/w/../usr/bin", "/w", false],
  ["/usr/../w/bin", "/w", true],
];
for (const [candidate, folder, expected] of INSIDE) {
  test(`${candidate} ${expected ? "is" : "is not"} inside ${folder}`, () => assert.equal(isInside(candidate, [folder]), expected));
}

test("nothing is inside no folder", () => assert.equal(isInside("/w", []), false));

test("neither relative folders nor those of the workspace are searched", () => {
  assert.equal(safePath("/usr/bin:.:bin::/w/.venv/bin:/bin:../x", ["/w"]), "/usr/bin:/bin");
});

test("a name is looked for everywhere before the next name is", () => {
  assert.deepEqual([...candidates(["python3", "python"], "/a:/b")], ["/a/python3", "/b/python3", "/a/python", "/b/python"]);
  assert.deepEqual([...candidates(["python3"], "")], []);
});
