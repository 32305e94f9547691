import assert from "node:assert/strict";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { test } from "node:test";
import type { Launch } from "../../src/server/launch";
import { ServerProcess } from "../../src/server/process";

const launch = (command: string, ...args: string[]): Launch => ({
  kind: "launch",
  command,
  args,
  cwd: tmpdir(),
  env: { ONLY: "this" },
  origin: "a test",
});

test("what it says before anybody listens is not lost", async () => {
  const server = new ServerProcess(launch(process.execPath, "-e", "console.log(process.env.ONLY, process.env.PATH)"));
  const child = await server.running();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  assert.equal(said.toString(), "this undefined\n");
});

test("a program that is not there", async () => {
  await assert.rejects(new ServerProcess(launch("/no/such/program")).running(), /ENOENT/);
});

test("one that does not end when it is asked to is ended", async (context) => {
  const server = new ServerProcess(launch(process.execPath, "-e", "setInterval(() => {}, 1000)"));
  const child = await server.running();
  const ended = once(child, "exit");
  context.mock.timers.enable({ apis: ["setTimeout"] });
  server.end();
  context.mock.timers.tick(1999);
  assert.equal(child.killed, false);
  context.mock.timers.tick(1);
  assert.deepEqual(await ended, [null, "SIGKILL"]);
});
