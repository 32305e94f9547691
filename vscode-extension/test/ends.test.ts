import assert from "node:assert/strict";
import { test } from "node:test";
import { Ends, MOST, WITHIN } from "../src/ends";

test("so many in a short time, and no more", () => {
  const ends = new Ends();
  const answers = Array.from({ length: MOST + 1 }, (_, second) => ends.add(second * 1000));
  assert.deepEqual(answers, [...Array<boolean>(MOST).fill(true), false]);
  assert.equal(ends.count, MOST + 1);
});

test("what is long ago is forgotten", () => {
  const ends = new Ends();
  for (let at = 0; at < 10; at += 1) assert.ok(ends.add((at * WITHIN) / 2), `end ${at}`);
});
