import assert from "node:assert/strict";
import { test } from "node:test";
import { ErrorCodes, LSPErrorCodes, ResponseError } from "vscode-languageserver-protocol";
import { sender } from "../src/gone";

type Sender = ReturnType<typeof sender>;

/** The code that a request ends with, when the connection ends it with this error. */
async function code(error: unknown, running: boolean): Promise<number> {
  const send: Sender = sender({ ResponseError, ErrorCodes }, () => running);
  const request = send("textDocument/codeAction", {}, undefined, () => Promise.reject(error as Error));
  const given = await request.then(() => undefined, (reason: unknown) => reason);
  return given instanceof ResponseError ? given.code : 0;
}

const INACTIVE = ErrorCodes.ConnectionInactive;
const CASES: readonly [name: string, error: unknown, running: boolean, expected: number][] = [
  ["what the server said", new ResponseError(LSPErrorCodes.RequestFailed, "no"), true, LSPErrorCodes.RequestFailed],
  ["a cancelled one", new ResponseError(LSPErrorCodes.RequestCancelled, "no"), true, LSPErrorCodes.RequestCancelled],
  ["one that came behind `shutdown`", new ResponseError(ErrorCodes.InvalidRequest, "no"), false, INACTIVE],
  ["one that could not be written", new ResponseError(ErrorCodes.MessageWriteError, "EPIPE"), true, INACTIVE],
  ["a closed connection", new Error("Connection is closed."), true, INACTIVE],
];

for (const [name, error, running, expected] of CASES) {
  test(name, async () => assert.equal(await code(error, running), expected));
}

test("an answer is an answer", async () => {
  const send = sender({ ResponseError, ErrorCodes }, () => true);
  assert.equal(await send("textDocument/hover", {}, undefined, () => Promise.resolve(7)), 7);
});
