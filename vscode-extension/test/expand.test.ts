import assert from "node:assert/strict";
import { test } from "node:test";
import { expand } from "../src/expand";

const CASES: readonly [text: string, folder: string | undefined, expected: string][] = [
  ["", "/w", ""],
  [" /usr/bin/python3 ", "/w", "/usr/bin/python3"],
  ["~/py/bin/python", "/w", "/home/me/py/bin/python"],
  ["~", "/w", "/home/me"],
  ["~you/x", "/w", "~you/x"],
  ["/a/~/b", "/w", "/a/~/b"],
  ["${workspaceFolder}/.venv/bin/python", "/w", "/w/.venv/bin/python"],
  ["${workspaceFolder}/x", undefined, "${workspaceFolder}/x"],
  ["${workspaceFolder}/x", "/w$&", "/w$&/x"],
];
for (const [text, folder, expected] of CASES) {
  test(`${JSON.stringify(text)} in ${folder ?? "no folder"}`, () => assert.equal(expand(text, "/home/me", folder), expected));
}
