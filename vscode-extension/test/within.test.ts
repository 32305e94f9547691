import assert from "node:assert/strict";
import { test } from "node:test";
import { within } from "../src/within";

test("work in time gives its result, or its error", async () => {
  assert.equal(await within(60_000, Promise.resolve(7)), 7);
  await assert.rejects(within(60_000, Promise.reject(new Error("own"))), /own/);
});

test("work that never ends is given up", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const waiting = within(60_000, new Promise(() => undefined));
  context.mock.timers.tick(60_000);
  await assert.rejects(waiting, /no answer within 60 s/);
});
