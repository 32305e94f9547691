import assert from "node:assert/strict";
import { test } from "node:test";
import type { StatusParams } from "../../src/protocol";
import { Calm, PATIENCE } from "../../src/status/calm";

/** A clock that is turned by hand, and what was heard. */
function setUp() {
  const heard: string[] = [];
  const timers = new Set<() => void>();
  const listener = {
    begin: () => heard.push("begin"),
    take: ({ label }: StatusParams) => heard.push(label),
    fail: (message: string) => heard.push(message),
  };
  const calm = new Calm([listener], (run, milliseconds) => {
    assert.equal(milliseconds, PATIENCE);
    timers.add(run);
    return () => timers.delete(run);
  });
  const pass = () => {
    for (const run of [...timers]) run();
  };
  return { calm, heard, timers, pass };
}

const working = (folder = "a") => ({ folder, label: `… ${folder}`, working: true }) as StatusParams;
const done = (label: string, folder = "a") => ({ folder, label, working: false }) as StatusParams;

test("work that is soon over is never shown", () => {
  const { calm, heard, timers, pass } = setUp();
  calm.take(working());
  calm.take(done("GL 86"));
  pass();
  assert.deepEqual([heard, timers.size], [["GL 86"], 0]);
});

test("work that lasts is shown once, then its result", () => {
  const { calm, heard, pass } = setUp();
  calm.take(working());
  calm.take(working());
  pass();
  calm.take(done("GL 86"));
  assert.deepEqual(heard, ["… a", "GL 86"]);
});

test("folders are waited for apart", () => {
  const { calm, heard, pass } = setUp();
  calm.take(working("a"));
  calm.take(working("b"));
  calm.take(done("GL 86", "a"));
  pass();
  assert.deepEqual(heard, ["GL 86", "… b"]);
});

test("a server that begins or ends is told at once, and work of the one before is forgotten", () => {
  const { calm, heard, pass } = setUp();
  calm.take(working());
  calm.fail("it ended");
  pass();
  calm.take(working());
  calm.begin();
  pass();
  assert.deepEqual(heard, ["it ended", "begin"]);
});
