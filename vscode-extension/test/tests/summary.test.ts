import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunTestsResult } from "../../src/protocol";
import { summary } from "../../src/tests/summary";

const TEST = { id: "test_cart.py::test_total", outcome: "passed", seconds: 0.01, reasons: [] };
const RESULT: RunTestsResult = { which: "affected", total: 4, failing: 0, tests: [TEST], why: [], note: "", cancelled: false };
const CASES: readonly [string, Partial<RunTestsResult>, string][] = [
  ["all is well", {}, "gateline: 1 of 4 tests ran."],
  ["none is affected", { tests: [] }, "gateline: no of 4 tests ran."],
  ["some fail", { failing: 2 }, "gateline: 1 of 4 tests ran, 2 failing."],
  ["they were ended", { cancelled: true }, "gateline: 1 of 4 tests ran; ended early."],
  [
    "there are reasons",
    { why: ["1 executes total in cart.py", "b", "c"], note: "too dear" },
    "gateline: 1 of 4 tests ran (1 executes total in cart.py, b, too dear).",
  ],
];
for (const [name, changes, expected] of CASES) {
  test(name, () => assert.equal(summary({ ...RESULT, ...changes }), expected));
}
