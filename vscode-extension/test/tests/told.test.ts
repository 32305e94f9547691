import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestRunResult } from "../../src/protocol";
import { told } from "../../src/tests/told";

const RUN: TestRunResult = { which: "affected", run: 2, total: 220, why: ["2 execute total in cart.py"], note: "" };
const CASES: readonly [string, Partial<TestRunResult>, string[]][] = [
  ["affected, with the reasons", {}, ["2 of 220 tests affected: 2 execute total in cart.py"]],
  ["none affected", { run: 0, why: [] }, ["none of 220 tests affected"]],
  ["all", { which: "all", run: 220, why: [] }, ["all of 220 tests run"]],
  ["not all, and why", { which: "all", run: 7, why: [], note: "the time was over" }, ["7 of 220 tests run", "the time was over"]],
];
for (const [name, changes, expected] of CASES) {
  test(name, () => assert.deepEqual(told({ ...RUN, ...changes }), expected));
}
