import assert from "node:assert/strict";
import { test } from "node:test";
import { Patient } from "../../src/project/patient";

/** Questions that are answered, and patience that ends, when the test says so. */
function byHand() {
  const questions: { key: string; answer: (given: string | undefined) => void; fail: (why: Error) => void }[] = [];
  const ends: (() => void)[] = [];
  let late = 0;
  const patient = new Patient<string>(
    (key) => new Promise((answer, fail) => questions.push({ key, answer, fail })),
    () => new Promise((end) => ends.push(end)),
    () => (late += 1),
  );
  return { patient, questions, endPatience: () => ends.splice(0).forEach((end) => end()), late: () => late };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a quick answer, asked for once", async () => {
  const { patient, questions, late } = byHand();
  const both = [patient.get("a"), patient.get("a")];
  questions[0]?.answer("py");
  assert.deepEqual(await Promise.all(both), ["py", "py"]);
  assert.equal(await patient.get("a"), "py");
  assert.deepEqual([questions.length, late()], [1, 0]);
});

test("each key has its own answer", async () => {
  const { patient, questions } = byHand();
  const both = [patient.get("a"), patient.get("b")];
  questions[1]?.answer("of b");
  questions[0]?.answer("of a");
  assert.deepEqual(await Promise.all(both), ["of a", "of b"]);
});

test("a late answer is told once, and is there when it is asked for again", async () => {
  const { patient, questions, endPatience, late } = byHand();
  const asked = patient.get("a");
  endPatience();
  assert.equal(await asked, undefined);
  assert.equal(late(), 0);
  questions[0]?.answer("py");
  await settled();
  assert.equal(late(), 1);
  assert.equal(await patient.get("a"), "py");
  endPatience();
  await settled();
  assert.deepEqual([questions.length, late()], [1, 1]);
});

test("that there is none, late or in time, is nothing to tell", async () => {
  const { patient, questions, endPatience, late } = byHand();
  const asked = patient.get("a");
  endPatience();
  await asked;
  questions[0]?.answer(undefined);
  await settled();
  assert.equal(late(), 0);
});

test("a failure is no answer", async () => {
  const { patient, questions } = byHand();
  const asked = patient.get("a");
  questions[0]?.fail(new Error("no"));
  assert.equal(await asked, undefined);
});

test("what is forgotten is asked for again, and its late answer is nobody's", async () => {
  const { patient, questions, endPatience, late } = byHand();
  const first = patient.get("a");
  endPatience();
  await first;
  patient.forget();
  const second = patient.get("a");
  questions[0]?.answer("old");
  questions[1]?.answer("new");
  assert.equal(await second, "new");
  await settled();
  assert.equal(late(), 0);
});
