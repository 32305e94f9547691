import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestRunResult } from "../../src/protocol";
import { told } from "../../src/tests/told";

const RUN: TestRunResult = { which: "affected", run: 2, total: 220, why: ["2 execute total in cart.py"], note: "", state: "measured", reason: "", nextStep: "", chosen: false, failing: 0, python: "", pythonWhy: "" };
const CASES: readonly [string, Partial<TestRunResult>, string[]][] = [
  ["affected, with the reasons", {}, ["2 of 220 tests affected: 2 execute total in cart.py"]],
  ["none affected", { run: 0, why: [] }, ["none of 220 tests affected"]],
  ["all", { which: "all", run: 220, why: [] }, ["all of 220 tests run"]],
  [
    "none, why, and what to do",
    { which: "none", run: 0, state: "no data", reason: "no pytest", nextStep: "install pytest" },
    ["0 of 220 tests ran: no pytest", "next step: install pytest"],
  ],
  ["none, since there are none", { total: 0, state: "nothing to judge", reason: "there are no tests" }, ["there are no tests"]],
  ["not all, and why", { which: "all", run: 7, why: [], note: "the time was over" }, ["7 of 220 tests run", "the time was over"]],
];
for (const [name, changes, expected] of CASES) {
  test(name, () => assert.deepEqual(told({ ...RUN, ...changes }), expected));
}
