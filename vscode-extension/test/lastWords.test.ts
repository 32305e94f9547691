import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { LastWords } from "../src/lastWords";

const SILENT = { warn: () => undefined, error: () => undefined };

async function after(text: string): Promise<string> {
  const [words, input] = [new LastWords(), new PassThrough()];
  words.listen(input, SILENT);
  input.end(text);
  return words.get();
}

test("the last line that says something", async () => {
  assert.equal(await after("Traceback (most recent call last):\n  here\nImportError: no pygls\n\n"), "ImportError: no pygls");
  assert.equal(await after("without an end"), "without an end");
  assert.equal(await after(""), "");
});

test("a long one is cut", async () => {
  assert.equal(await after("x".repeat(500)), `${"x".repeat(200)}…`);
});

test("nothing was ever heard", async () => {
  assert.equal(await new LastWords().get(), "");
});

test("a stream that stays open is not waited for", async () => {
  const [words, input] = [new LastWords(), new PassThrough()];
  words.listen(input, SILENT);
  input.write("so far\n");
  assert.equal(await words.get(), "so far");
  input.end();
});

test("each line goes to the log, warnings as such", async () => {
  const [words, input, lines] = [new LastWords(), new PassThrough(), [] as string[]];
  words.listen(input, { warn: (line) => lines.push(`warn ${line}`), error: (line) => lines.push(`error ${line}`) });
  input.end("WARNING gateline: old\nERROR gateline: bad\n  detail\n");
  await words.get();
  assert.deepEqual(lines, ["warn WARNING gateline: old", "error ERROR gateline: bad", "error   detail"]);
});
