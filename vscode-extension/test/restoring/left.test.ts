import assert from "node:assert/strict";
import { test } from "node:test";
import { answersFor, told } from "../../src/left/words";
import type { LeftWork } from "../../src/protocol";

const left = (savepoint: string): LeftWork => ({
  task: {
    id: "t1", description: "Prices", tier: "STRICT", tierReason: "said", branch: "tax", outcome: "abandoned",
    startedAt: "2026-03-01T09:30:00Z", endedAt: null, savepoint,
  },
  message: "ℹ️ Previous work detected: Prices (abandoned)\nSession: t1 | Started: 2026-03-01T09:30:00Z\nTo restore: gateline restore s1",
  restore: "gateline restore s1",
});

test("work that was left is told in one line, and what brings it back is a button", () => {
  assert.equal(told(left("s1")), "Previous work detected: Prices (abandoned). Session: t1 | Started: 2026-03-01T09:30:00Z");
  assert.deepEqual(answersFor(left("s1")), ["Restore…", "Show", "Not now"]);
});

test("without a savepoint there is nothing to restore", () => assert.deepEqual(answersFor(left("")), ["Show", "Not now"]));
