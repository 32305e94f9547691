import assert from "node:assert/strict";
import { test } from "node:test";
import { Serial } from "../src/serial";

/** Work that ends when it is told to. */
function byHand() {
  const runs: { end: () => void; fail: (why: Error) => void }[] = [];
  const serial = new Serial(() => new Promise((end, fail) => runs.push({ end, fail })));
  return { serial, runs };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("what is asked meanwhile is done once afterwards", async () => {
  const { serial, runs } = byHand();
  const first = serial.run();
  const [second, third, fourth] = [serial.run(), serial.run(), serial.run()];
  assert.equal(runs.length, 1);
  runs[0]?.end();
  await first;
  await settled();
  assert.equal(runs.length, 2);
  runs[1]?.end();
  await Promise.all([second, third, fourth]);
  await settled();
  assert.equal(runs.length, 2);
});

test("one that is asked during the second gets a third", async () => {
  const { serial, runs } = byHand();
  void serial.run();
  void serial.run();
  runs[0]?.end();
  await settled();
  const third = serial.run();
  runs[1]?.end();
  await settled();
  assert.equal(runs.length, 3);
  runs[2]?.end();
  await third;
});

test("a failure is told to who asked, and does not stop the next", async () => {
  const { serial, runs } = byHand();
  const first = serial.run();
  const second = serial.run();
  runs[0]?.fail(new Error("no"));
  await assert.rejects(first, /no/);
  await settled();
  runs[1]?.end();
  await second;
  const third = serial.run();
  assert.equal(runs.length, 3);
  runs[2]?.end();
  await third;
});
