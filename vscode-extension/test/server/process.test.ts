import assert from "node:assert/strict";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { test } from "node:test";
import type { Launch } from "../../src/server/launch";
import { LastWords } from "../../src/lastWords";
import { ServerProcess } from "../../src/server/process";

const launch = (command: string, ...args: string[]): Launch => ({
  kind: "launch",
  command,
  args,
  cwd: tmpdir(),
  env: { ONLY: "this" },
  origin: "a test",
});

/** Ends when its standard input does. */
const STAYS = "process.stdin.resume()";

test("what it says before anybody listens is not lost while it runs", async () => {
  const server = new ServerProcess(launch(process.execPath, "-e", `console.log(process.env.ONLY, process.env.PATH); ${STAYS}`));
  const child = await server.running();
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  assert.equal(said.toString(), "this undefined\n");
  child.stdin.end();
  await once(child, "exit");
});

test("a program that is not there", async () => {
  await assert.rejects(new ServerProcess(launch("/no/such/program")).running(), /ENOENT/);
});

test("one that ended before anybody talked to it", async () => {
  const server = new ServerProcess(launch(process.execPath, "-e", "console.error('no module'); process.exit(1)"));
  const words = new LastWords();
  words.listen(server.stderr, { warn: () => undefined, error: () => undefined });
  await once(await server.running(), "exit");
  await assert.rejects(server.running(), /ended at once/);
  assert.equal(await words.get(), "no module");
});

test("one that does not end when it is asked to is ended", async (context) => {
  const server = new ServerProcess(launch(process.execPath, "-e", STAYS));
  const child = await server.running();
  const ended = once(child, "exit");
  context.mock.timers.enable({ apis: ["setTimeout"] });
  server.end();
  context.mock.timers.tick(1999);
  assert.equal(child.killed, false);
  context.mock.timers.tick(1);
  assert.deepEqual(await ended, [null, "SIGKILL"]);
});
